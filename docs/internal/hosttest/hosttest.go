// Package hosttest runs the command of an example as an MCP server, in the
// tests of that example: what is tested is what a reader starts.
package hosttest

import (
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/codemode"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const asCommand = "CODEMODE_EXAMPLE"

// Main is the TestMain of an example. The test binary is also the example: when
// [Start] starts it again, it runs the example's main.
func Main(m *testing.M, main func()) {
	codemode.ServeWorkerAndExit()
	if os.Getenv(asCommand) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A Host is an example at work, and a client that is connected to it.
type Host struct {
	session *mcp.ClientSession
	log     log
}

// Start runs the example with these arguments until the test ends.
func Start(t *testing.T, args ...string) *Host {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &Host{}
	cmd := exec.Command(executable, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Stderr = &h.log
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	h.session, err = client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, h.Log())
	}
	t.Cleanup(func() { _ = h.session.Close() })
	return h
}

// Close ends the example. Its log is complete afterwards.
func (h *Host) Close() { _ = h.session.Close() }

// Log is what the example has written to standard error.
func (h *Host) Log() string { return h.log.String() }

// Call calls a tool and returns its text, and whether it reports a failure.
func (h *Host) Call(t *testing.T, tool, argument, value string) (text string, failed bool) {
	t.Helper()
	result, err := h.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]string{argument: value}})
	if err != nil {
		t.Fatalf("%s: %v\n%s", tool, err, h.Log())
	}
	if len(result.Content) != 1 {
		t.Fatalf("%s: got %d items of content, want 1", tool, len(result.Content))
	}
	return result.Content[0].(*mcp.TextContent).Text, result.IsError
}

// Finds wants search_api to return this capability first.
func (h *Host) Finds(t *testing.T, query, name string) {
	t.Helper()
	text, failed := h.Call(t, "search_api", "query", query)
	var found struct{ Results []struct{ Name string } }
	if err := json.Unmarshal([]byte(text), &found); err != nil || failed || len(found.Results) == 0 {
		t.Fatalf("search %q: got %s, want %s", query, text, name)
	}
	if got := found.Results[0].Name; got != name {
		t.Errorf("search %q: got %s first, want %s", query, got, name)
	}
}

// Returns wants a program to return a value that has this JSON.
func (h *Host) Returns(t *testing.T, program, want string) {
	t.Helper()
	text, failed := h.Call(t, "execute", "source", program)
	if failed || !sameJSON(t, text, `{"result":`+want+`}`) {
		t.Errorf("got %s, want %s, from\n%s\n%s", text, want, program, h.Log())
	}
}

// Fails wants a program to fail with a text that begins so.
func (h *Host) Fails(t *testing.T, program, want string) {
	t.Helper()
	text, failed := h.Call(t, "execute", "source", program)
	if !failed || !strings.HasPrefix(text, want) {
		t.Errorf("got %q (failed: %t), want %q, from\n%s", text, failed, want, program)
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var values [2]any
	for i, text := range []string{a, b} {
		if err := json.Unmarshal([]byte(text), &values[i]); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// A log collects what a process writes.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
