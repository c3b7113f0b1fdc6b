package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// reporting returns a server with a tool that uses progress as execute does;
// work gets the function that counts completed native calls.
func reporting(work func(report func(calls int))) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "reporting"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "work"}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		report, stop := mcpserver.StartProgress(ctx, req.Session, req.Params.GetProgressToken())
		defer stop(ctx)
		work(report)
		return nil, nil, nil
	})
	return server
}

const workRequest = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work","arguments":{},"_meta":{"progressToken":%s}}}`

// count makes a program of n native calls.
func count(n int) func(func(int)) {
	return func(report func(int)) {
		for i := range n {
			report(i + 1)
		}
	}
}

func TestProgressReachesClientsThatAsk(t *testing.T) {
	for _, token := range []string{`7`, `"seven"`} {
		w := dial(t, reporting(count(50)))
		w.initialize("2025-11-25")
		messages := w.roundTrip(fmt.Sprintf(workRequest, token))
		var last float64
		for _, message := range messages[:len(messages)-1] {
			progress := progressOf(t, message, token)
			if progress <= last {
				t.Errorf("got progress %v after %v, want it to grow", progress, last)
			}
			last = progress
		}
		if last != 50 {
			t.Errorf("got last progress %v before the result, want 50", last)
		}
	}
}

// An execution that was cut short leaves its last native call behind, which
// reports when it is done.
func TestProgressAfterTheResultIsDropped(t *testing.T) {
	reported := make(chan struct{})
	release := make(chan struct{})
	w := dial(t, reporting(func(report func(int)) {
		go func() {
			defer close(reported)
			<-release
			report(1)
		}()
	}))
	w.initialize("2025-11-25")
	if messages := w.roundTrip(fmt.Sprintf(workRequest, "1")); len(messages) != 1 {
		t.Errorf("got %d messages, want the result alone", len(messages))
	}
	close(release)
	<-reported
	if messages := w.roundTrip(`{"jsonrpc":"2.0","id":2,"method":"ping"}`); len(messages) != 1 {
		t.Errorf("got %s after the result, want nothing but the pong", messages)
	}
}

// A client that does not read must not hold up a program.
func TestSlowClientDoesNotSlowTheProgram(t *testing.T) {
	finished := make(chan struct{})
	w := dial(t, reporting(func(report func(int)) {
		count(100_000)(report)
		close(finished)
	}))
	w.initialize("2025-11-25")
	w.hold()
	w.send(fmt.Sprintf(workRequest, "1"))
	<-finished
	w.resume()
	for last := 0.0; ; {
		message := w.next()
		if idOf(t, message) == "1" {
			if last != 100_000 {
				t.Errorf("got last progress %v before the result, want 100000", last)
			}
			return
		}
		last = progressOf(t, message, "1")
	}
}

// progressOf returns the progress in a notification, which must have nothing
// else but the token.
func progressOf(t testing.TB, message []byte, token string) (progress float64) {
	t.Helper()
	var n struct {
		Method string
		Params map[string]json.RawMessage
	}
	if err := json.Unmarshal(message, &n); err != nil || n.Method != "notifications/progress" {
		t.Fatalf("got %s, want progress", message)
	}
	if string(n.Params["progressToken"]) != token || len(n.Params) != 2 {
		t.Errorf("got %s, want token %s and the number of calls alone", message, token)
	}
	if err := json.Unmarshal(n.Params["progress"], &progress); err != nil {
		t.Fatal(err)
	}
	return progress
}
