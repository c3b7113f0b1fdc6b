package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestProgramsThroughTheWire(t *testing.T) {
	session := connect(t, newServer(t, buildRecords(t, codemode.Options{})), nil)
	for _, test := range []struct{ name, body, want string }{
		{"none", `pass`, `{"result":null}`},
		{"one call", `return records.lookup(key="a", limit=2)`, `{"result":{"count":2,"key":"a"}}`},
		{"integers past 2^53", `return records.ids()`, `{"result":{"big":9007199254740993,"max":9223372036854775807,"min":-9223372036854775808}}`},
		{"a literal past 2^53", `return [9007199254740993, 1915883588174806058]`, `{"result":[9007199254740993,1915883588174806058]}`},
		{"tuples and floats", `return (1.5, True, None, "x")`, `{"result":[1.5,true,null,"x"]}`},
		{"filtered and combined", `return [i["id"] for i in records.list(count=5)["items"] if i["active"]]`, `{"result":["r0","r2","r4"]}`},
		{"Unicode", `return "é😀<&>" + chr(0x2028) + "\u0000"`, `{"result":"é😀<&>\u2028\u0000"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := call(t, session, "execute", program(test.body))
			if got := text(t, result); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// The program that execute's description shows must run as it stands.
func TestExampleInTheDescriptionRuns(t *testing.T) {
	server := newServer(t, buildRecords(t, codemode.Options{}))
	_, example, _ := strings.Cut(descriptions(t)["execute"], "source example:\n")
	example, _, _ = strings.Cut(example, "\n\n")
	result := call(t, connect(t, server, nil), "execute", map[string]any{"source": example})
	if got := text(t, result); !strings.HasPrefix(got, `{"result":["r0","r2",`) {
		t.Errorf("got %s for\n%s", got, example)
	}
}

func TestFailuresThroughTheWire(t *testing.T) {
	session := connect(t, newServer(t, buildRecords(t, codemode.Options{Limits: codemode.Limits{MaxNativeCalls: 2}})), nil)
	for _, test := range []struct {
		name, tool string
		args       any
		want       string // exact
		prefix     string
		contains   string
	}{
		{name: "unknown name", tool: "describe_api", args: map[string]any{"name": "secret.name"}, want: "capability not found"},
		{name: "other case", tool: "describe_api", args: map[string]any{"name": "Records.Lookup"}, want: "capability not found"},
		{name: "stable ID", tool: "describe_api", args: map[string]any{"name": "records.entry.lookup"}, want: "capability not found"},
		{name: "syntax", tool: "execute", args: map[string]any{"source": "def main():\n    return (\n"}, prefix: "invalid program: <codemode>:"},
		{name: "no main", tool: "execute", args: map[string]any{"source": "x = 1\n"}, prefix: "invalid program"},
		{name: "own words", tool: "execute", args: program(`fail("boom")`), prefix: "invalid program: <codemode>:2:", contains: "boom"},
		{name: "unknown argument", tool: "execute", args: program(`return records.lookup(kez="a")`), prefix: "invalid capability arguments: ", contains: "kez"},
		{name: "denied", tool: "execute", args: program(`return admin.purge(key="a")`), want: "permission denied"},
		{name: "policy", tool: "execute", args: program(`return records.lookup(key="undecided")`), want: "authorization policy failure"},
		{name: "calls", tool: "execute", args: program(`return [records.lookup(key="a") for i in range(3)]`), want: "resource limit exceeded"},
		{name: "steps", tool: "execute", args: program(`for i in range(1000000000): pass`), want: "resource limit exceeded"},
		{name: "query bytes", tool: "search_api", args: map[string]any{"query": strings.Repeat(" ", 257)}, want: "resource limit exceeded"},
		{name: "handler", tool: "execute", args: program(`return records.broken()`), want: "capability failed"},
		{name: "handler panics", tool: "execute", args: program(`return bad.panics()`), want: "internal failure"},
		{name: "handler exits", tool: "execute", args: program(`return bad.goexit()`), want: "internal failure"},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := call(t, session, test.tool, test.args)
			got := text(t, result)
			if !result.IsError || test.want != "" && got != test.want || !strings.HasPrefix(got, test.prefix) || !strings.Contains(got, test.contains) {
				t.Errorf("got isError %v, %q, want %q%q… with %q", result.IsError, got, test.want, test.prefix, test.contains)
			}
			if strings.Contains(got, "secret") {
				t.Errorf("got %q, which only the host may see", got)
			}
		})
	}
}

func TestLargeResult(t *testing.T) {
	session := connect(t, newServer(t, buildRecords(t, codemode.Options{})), nil)
	const n = 1<<20 - 64 // The encoding of a value adds a few bytes.
	result := call(t, session, "execute", program(fmt.Sprintf(`return records.text(n=%d)["text"]`, n)))
	if got := text(t, result); result.IsError || len(got) != n+len(`{"result":""}`) {
		t.Errorf("got %d bytes, %.80q, want %d", len(got), got, n+len(`{"result":""}`))
	}
}

// The combined effect of the enabled capabilities is what a client is told.
func TestAnnotationsFollowTheCatalog(t *testing.T) {
	for readOnly, options := range map[bool]codemode.Options{false: {}, true: {ReadOnly: true}} {
		for _, tool := range listTools(t, newServer(t, buildRecords(t, options))) {
			if a := tool.Annotations; tool.Name == "execute" && (a.ReadOnlyHint != readOnly || *a.DestructiveHint == readOnly) {
				t.Errorf("got %+v, want read-only %v", a, readOnly)
			}
		}
	}
}

func TestInstructionsListEnabledNamespaces(t *testing.T) {
	service := buildRecords(t, codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"admin.purge"}})
	if got, want := instructionsOf(t, service), "APIs by namespace: records (6), bad (2), slow (1)"; !strings.HasSuffix(got, want) {
		t.Errorf("got instructions %q, want the end %q", got, want)
	}
}

func TestProgressCountsNativeCalls(t *testing.T) {
	w := dial(t, newServer(t, buildRecords(t, codemode.Options{})))
	w.initialize("2025-11-25")
	messages := w.roundTrip(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","arguments":{"source":` +
		`"def main():\n    return len([records.lookup(key='a') for i in range(20)])\n"},"_meta":{"progressToken":"p","subject":"root"}}}`)
	if len(messages) < 2 {
		t.Fatalf("got %s, want progress before the result", messages)
	}
	last := 0.0
	for _, message := range messages[:len(messages)-1] {
		if progress := progressOf(t, message, `"p"`); progress <= last {
			t.Errorf("got progress %v after %v, want it to grow", progress, last)
		} else {
			last = progress
		}
	}
	if last != 20 {
		t.Errorf("got last progress %v, want 20", last)
	}
}

// What a handler executes is none of the client's calls.
func TestProgressLeavesNestedExecutionsOut(t *testing.T) {
	type empty struct{}
	inner := buildRecords(t, codemode.Options{})
	b := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
	codemode.Register(b, codemode.Capability[empty, empty]{
		Name: "nested.run", Summary: "Runs a program.",
		Handler: func(ctx context.Context, subject authz.Subject, _ empty) (empty, error) {
			_, err := inner.Execute(ctx, subject, "def main():\n    for _ in range(5): records.ids()\n")
			return empty{}, err
		},
	})
	outer, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { outer.Close() })
	w := dial(t, newServer(t, outer))
	w.initialize("2025-11-25")
	messages := w.roundTrip(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","_meta":{"progressToken":1},` +
		`"arguments":{"source":"def main():\n    nested.run()\n    nested.run()\n"}}}`)
	if answer := messages[len(messages)-1]; parse(t, answer).Result.IsError {
		t.Fatalf("got %s", answer)
	}
	last := 0.0
	for _, message := range messages[:len(messages)-1] {
		last = progressOf(t, message, "1")
		if last > 2 {
			t.Errorf("got progress %v of a program that makes 2 calls", last)
		}
	}
	if last != 2 {
		t.Errorf("got last progress %v, want 2", last)
	}
}

func TestNoProgressUnasked(t *testing.T) {
	w := dial(t, newServer(t, buildRecords(t, codemode.Options{})))
	w.initialize("2025-11-25")
	messages := w.roundTrip(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","arguments":{"source":"def main():\n    return records.lookup(key='a')\n"}}}`)
	if len(messages) != 1 {
		t.Errorf("got %s, want the result alone", messages)
	}
}

func TestIdentityComesFromTheResolverAlone(t *testing.T) {
	service := buildRecords(t, codemode.Options{})
	w := dial(t, newServer(t, service))
	w.initialize("2025-11-25")
	w.answer(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","arguments":{"source":"def main():\n    return records.lookup(key='a')\n"},"_meta":{"subject":"root","progressToken":1}}}`)
	if got := service.subject.Load(); got != (authz.Subject{ID: "alice"}) {
		t.Errorf("got subject %v, want alice", got)
	}
}

// A worker that is still there would hold the only slot.
func TestCancelFreesTheWorker(t *testing.T) {
	limits := codemode.Limits{MaxConcurrentExecutions: 1, MaxExecutionTime: time.Hour, MaxExecutionSteps: 1 << 62}
	for name, body := range map[string]string{
		"a program that spins":               `for i in range(1 << 40): pass`,
		"a handler that ignores its context": `slow.wait(ms=3600000)`,
	} {
		t.Run(name, func(t *testing.T) {
			session := connect(t, newServer(t, buildRecords(t, codemode.Options{Limits: limits})), nil)
			for range 2 {
				// The SDK cancels a call whose context ends, by notification.
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "execute", Arguments: program(body)})
				cancel()
				if err == nil {
					t.Fatal("got a result of a program that never ends")
				}
			}
			if result := call(t, session, "execute", program(`return 1`)); result.IsError {
				t.Errorf("got %s, want the worker of the canceled call gone", text(t, result))
			}
		})
	}
}

// A client that goes away takes its worker along, and with it the only slot.
func TestClosedConnectionFreesTheWorker(t *testing.T) {
	limits := codemode.Limits{MaxConcurrentExecutions: 1, MaxExecutionTime: time.Hour, MaxExecutionSteps: 1 << 62}
	server := newServer(t, buildRecords(t, codemode.Options{Limits: limits}))
	w := dial(t, server)
	w.initialize("2025-11-25")
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","_meta":{"progressToken":1},` +
		`"arguments":{"source":"def main():\n    records.ids()\n    for i in range(1 << 40): pass\n"}}}`)
	progressOf(t, w.next(), "1") // The program runs.
	w.close()
	await(t, w.ended, "end of the server")
	if result := call(t, connect(t, server, nil), "execute", program(`return 1`)); result.IsError {
		t.Errorf("got %s, want the worker of the lost client gone", text(t, result))
	}
}

// A host that shuts down ends running programs first: their callers get an
// answer, and the server has nothing left to wait for.
func TestClosedServiceAnswersRunningCalls(t *testing.T) {
	service := buildRecords(t, codemode.Options{Limits: codemode.Limits{MaxExecutionTime: time.Hour, MaxExecutionSteps: 1 << 62}})
	w := dial(t, newServer(t, service))
	w.initialize("2025-11-25")
	w.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","_meta":{"progressToken":1},` +
		`"arguments":{"source":"def main():\n    records.ids()\n    for i in range(1 << 40): pass\n"}}}`)
	progressOf(t, w.next(), "1")
	if err := service.Close(); err != nil {
		t.Error(err)
	}
	if got := parse(t, w.next()).Result; !got.IsError || len(got.Content) != 1 || got.Content[0].Text != "internal failure" {
		t.Errorf("got %+v, want a failed call", got)
	}
}

// Nothing but the protocol may reach standard output, whatever programs print
// and workers do.
func TestStandardOutputIsTheProtocol(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	host := exec.CommandContext(t.Context(), executable)
	host.Env = append(os.Environ(), hostVariable+"=1")
	host.Stderr = os.Stderr
	in, err := host.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for id := 1; id <= 10; id++ {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"execute","arguments":{"source":"print('top')\ndef main():\n    print('noise')\n    return 1\n"}}}`+"\n", id)
	}
	answers := 0
	for scanner := bufio.NewScanner(out); answers < 11 && scanner.Scan(); answers++ {
		var message struct{ JSONRPC string }
		if err := json.Unmarshal(scanner.Bytes(), &message); err != nil || message.JSONRPC != "2.0" {
			t.Errorf("got line %q, want a JSON-RPC message", scanner.Text())
		}
	}
	in.Close()
	if err := host.Wait(); err != nil || answers != 11 {
		t.Errorf("got %d answers and %v, want 11 and a clean end", answers, err)
	}
}
