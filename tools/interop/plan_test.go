package interop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A plan is what a client does to a server.
type plan struct {
	Command []string          `json:"command,omitempty"`
	URL     string            `json:"url,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Calls   []planned         `json:"calls"`
}

// A planned call carries what must come of it.
type planned struct {
	Name      string         `json:"name"`
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
	Progress  bool           `json:"progress,omitempty"` // ask for it
	Cancel    bool           `json:"cancel,omitempty"`   // at the first progress

	failure string // the text of a failed call; with an ellipsis at the end, its beginning
	text    string // the text of a successful one
	size    int    // or the size of it
	calls   int    // the last progress that a client can see
}

// A report is what a client saw.
type report struct {
	Server       struct{ Name, Version string }
	Capabilities map[string]any
	Instructions string
	Tools        []struct {
		Name         string
		OutputSchema struct{ Properties map[string]any }
		Annotations  map[string]any
	}
	Outcomes []outcome
}

type outcome struct {
	Name       string
	IsError    bool
	Texts      []string
	Structured any
	Progress   []float64
	Refused    string // the client got no result, and why
}

func execute(name string, lines ...string) planned {
	return planned{Name: name, Tool: "execute", Arguments: map[string]any{"source": "def main():\n    " + strings.Join(lines, "\n    ") + "\n"}}
}

func (p planned) fails(text string) planned   { p.failure = text; return p }
func (p planned) returns(text string) planned { p.text = `{"result":` + text + `}`; return p }

// everything is the calls that the interop host answers.
func everything() []planned {
	const mebibyte = 1<<20 - 64 // of value; its encoding adds a little
	large := execute("1 MiB", fmt.Sprintf(`return records.text(Bytes=%d)["Text"]`, mebibyte))
	large.size = mebibyte + len(`{"result":""}`)
	// Clients drop progress that arrives right before the result: wait a little.
	progress := execute("progress", `found = [records.lookup(Key="k") for i in range(20)]`, `faults.wait(Milliseconds=500)`, `return len(found)`).returns("20")
	progress.Progress, progress.calls = true, 20
	cancel := execute("cancel", `records.lookup(Key="k")`, `faults.wait(Milliseconds=600000)`)
	cancel.Cancel = true
	return []planned{
		{Name: "search", Tool: "search_api", Arguments: map[string]any{"query": "look up record"},
			text: `{"results":[{"name":"records.lookup","signature":"records.lookup(*, Key: str)","summary":"Look up one record by key."}],"truncated":false}`},
		{Name: "search, nothing", Tool: "search_api", Arguments: map[string]any{"query": ""}, text: `{"results":[],"truncated":false}`},
		{Name: "describe", Tool: "describe_api", Arguments: map[string]any{"name": "records.lookup"},
			text: `{"name":"records.lookup","signature":"records.lookup(*, Key: str)","summary":"Look up one record by key.","description":"Look up one record by key.",` +
				`"input":[{"name":"Key","type":"str","required":true}],"output":[{"name":"Key","type":"str","required":true},{"name":"Count","type":"int","required":true}]}`},
		execute("execute", `return records.lookup(Key="k")`).returns(`{"Count":1,"Key":"k"}`),
		execute("none", `pass`).returns(`null`),
		execute("a list", `return [1, 2.5, True, None]`).returns(`[1,2.5,true,null]`),
		execute("Unicode", `return "é😀\u2028<&>"`).returns(`"é😀\u2028<&>"`),
		execute("2^53 - 1", `return (1 << 53) - 1`).returns(`9007199254740991`),
		execute("past 2^53", `return records.ids()`).returns(`{"Big":9007199254740993,"Max":9223372036854775807,"Min":-9223372036854775808}`),
		large,
		progress,
		cancel,
		execute("after cancel", `return 1`).returns(`1`),
		{Name: "malformed", Tool: "execute", Arguments: map[string]any{"program": "x"}, failure: `validating "arguments": …`},
		{Name: "not found", Tool: "describe_api", Arguments: map[string]any{"name": "Records.Lookup"}, failure: "capability not found"},
		{Name: "too long", Tool: "search_api", Arguments: map[string]any{"query": strings.Repeat("x", 257)}, failure: "resource limit exceeded"},
		execute("syntax", `return (`).fails("invalid program: <codemode>:…"),
		execute("arguments", `return records.lookup(Kee="k")`).fails("invalid capability arguments: …"),
		execute("denied", `return faults.denied()`).fails("permission denied"),
		execute("undecided", `return faults.undecided()`).fails("authorization policy failure"),
		execute("steps", `for i in range(1 << 40): pass`).fails("resource limit exceeded"),
		execute("handler", `return faults.fail()`).fails("capability failed"),
		execute("panic", `return faults.panic()`).fails("internal failure"),
	}
}

// check holds what a client saw against the plan.
func (p plan) check(t *testing.T, r report) {
	t.Helper()
	if len(r.Tools) != 3 {
		t.Errorf("got %d tools, want 3", len(r.Tools))
	}
	for _, tool := range r.Tools {
		if len(tool.OutputSchema.Properties) == 0 || tool.Annotations["title"] == nil {
			t.Errorf("%s: got no output schema or annotations", tool.Name)
		}
	}
	if len(r.Capabilities) != 1 || r.Capabilities["tools"] == nil {
		t.Errorf("got capabilities %v, want tools alone", r.Capabilities)
	}
	if !strings.Contains(r.Instructions, "search_api") {
		t.Errorf("got instructions %q", r.Instructions)
	}
	if len(r.Outcomes) != len(p.Calls) {
		t.Fatalf("got %d outcomes, want %d", len(r.Outcomes), len(p.Calls))
	}
	for i, call := range p.Calls {
		if problem := call.problem(r.Outcomes[i]); problem != "" {
			t.Errorf("%s: %s", call.Name, problem)
		}
	}
}

// problem returns what is wrong with an outcome.
func (p planned) problem(o outcome) string {
	if p.Cancel {
		if o.Refused == "" {
			return fmt.Sprintf("got %.80q, want the client's own end of a canceled call", o.Texts)
		}
		return ""
	}
	if o.Refused != "" || len(o.Texts) != 1 {
		return fmt.Sprintf("got %d texts, refused %q, want one text", len(o.Texts), o.Refused)
	}
	got := o.Texts[0]
	if p.failure != "" {
		begin, open := strings.CutSuffix(p.failure, "…")
		if !o.IsError || o.Structured != nil || got != p.failure && !(open && strings.HasPrefix(got, begin)) {
			return fmt.Sprintf("got isError %v, %q, want failure %q", o.IsError, got, p.failure)
		}
		return ""
	}
	if o.IsError || o.Structured == nil {
		return fmt.Sprintf("got isError %v, %.80q, want success with a structured result", o.IsError, got)
	}
	if p.size > 0 && len(got) != p.size || p.size == 0 && got != p.text {
		return fmt.Sprintf("got %d bytes %.200q, want %d bytes %q", len(got), got, p.size, p.text)
	}
	if p.calls > 0 && !slices.Contains(o.Progress, float64(p.calls)) {
		return fmt.Sprintf("got progress %v, want %d in it", o.Progress, p.calls)
	}
	for i := 1; i < len(o.Progress); i++ {
		if o.Progress[i] <= o.Progress[i-1] {
			return fmt.Sprintf("got progress %v, want it to grow", o.Progress)
		}
	}
	return p.mirror(o)
}

// mirror compares the text with the structured result as far as a float64 goes.
func (p planned) mirror(o outcome) string {
	var text any
	if err := json.Unmarshal([]byte(o.Texts[0]), &text); err != nil {
		return err.Error()
	}
	a, _ := json.Marshal(text)
	b, _ := json.Marshal(o.Structured)
	if string(a) != string(b) {
		return fmt.Sprintf("got text %.200s, structured result %.200s", a, b)
	}
	return ""
}

// goClient does what typescript.mjs does, with the client of the Go SDK.
func (p plan) goClient(t *testing.T, transport mcp.Transport) report {
	t.Helper()
	var mu sync.Mutex
	progress := make(map[any][]float64)
	cancel := make(map[any]context.CancelFunc)
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "v1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			token := req.Params.ProgressToken
			progress[token] = append(progress[token], req.Params.Progress)
			if stop := cancel[token]; stop != nil {
				stop()
			}
		},
	})
	session, err := client.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := report{Instructions: session.InitializeResult().Instructions}
	convert(t, session.InitializeResult().Capabilities, &r.Capabilities)
	convert(t, list.Tools, &r.Tools)
	for _, call := range p.Calls {
		o := outcome{Name: call.Name}
		ctx, stop := context.WithCancel(t.Context())
		params := &mcp.CallToolParams{Name: call.Tool, Arguments: call.Arguments}
		if call.Progress || call.Cancel {
			params.SetProgressToken(call.Name)
		}
		if call.Cancel {
			mu.Lock()
			cancel[call.Name] = stop
			mu.Unlock()
		}
		result, err := session.CallTool(ctx, params)
		stop()
		mu.Lock()
		o.Progress = slices.Clone(progress[call.Name])
		mu.Unlock()
		if err != nil {
			o.Refused = err.Error()
		} else {
			o.IsError, o.Structured = result.IsError, result.StructuredContent
			for _, item := range result.Content {
				o.Texts = append(o.Texts, item.(*mcp.TextContent).Text)
			}
		}
		r.Outcomes = append(r.Outcomes, o)
	}
	return r
}

func convert(t *testing.T, from, to any) {
	t.Helper()
	data, err := json.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatal(err)
	}
}
