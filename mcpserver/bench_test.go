package mcpserver_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const trivialProgram = "def main():\n    return 1\n"

// trivialTool is what the adapter is measured against: a typed tool of the SDK
// that does nothing.
func trivialTool(b *testing.B) *mcp.ClientSession {
	type input struct {
		Source string `json:"source"`
	}
	type output struct {
		Result int64 `json:"result"`
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "trivial", Version: "v1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "execute"}, func(context.Context, *mcp.CallToolRequest, input) (*mcp.CallToolResult, output, error) {
		return nil, output{1}, nil
	})
	return connect(b, server, nil)
}

// BenchmarkTypedTool is a call of a trivial typed tool of the SDK in memory.
func BenchmarkTypedTool(b *testing.B) {
	session := trivialTool(b)
	b.ReportAllocs()
	for b.Loop() {
		call(b, session, "execute", map[string]any{"source": trivialProgram})
	}
}

// BenchmarkAdapter is the same call through the adapter and a service that
// does nothing: what the adapter itself costs.
func BenchmarkAdapter(b *testing.B) {
	session := connect(b, newServer(b, returning(int64(1))), nil)
	b.ReportAllocs()
	for b.Loop() {
		call(b, session, "execute", map[string]any{"source": trivialProgram})
	}
}

// A timedService notes how long each execution took in the service: the
// execution that the adapter's cost is on top of. Two separate runs would drown
// the difference in the noise of starting processes.
type timedService struct {
	mcpserver.Service
	last time.Duration
}

func (s *timedService) Execute(ctx context.Context, subject authz.Subject, program codemode.Program) (any, error) {
	start := time.Now()
	defer func() { s.last = time.Since(start) }()
	return s.Service.Execute(ctx, subject, program)
}

// BenchmarkExecuteOverhead reports (execute over MCP - the execution itself) /
// typed tool, with all terms interleaved. The typed call too follows an
// execution, which leaves caches and scheduler in the state that the other
// call answers from.
func BenchmarkExecuteOverhead(b *testing.B) {
	service := &timedService{Service: buildRecords(b, codemode.Options{})}
	session, trivial := connect(b, newServer(b, service), nil), trivialTool(b)
	arguments := map[string]any{"source": trivialProgram}
	var direct, overhead, typed stopwatch
	for b.Loop() {
		total := timed(func() { call(b, session, "execute", arguments) })
		direct = append(direct, service.last)
		overhead = append(overhead, total-service.last)
		if _, err := service.Execute(b.Context(), authz.Subject{ID: "alice"}, trivialProgram); err != nil {
			b.Fatal(err)
		}
		typed = append(typed, timed(func() { call(b, trivial, "execute", arguments) }))
	}
	b.ReportMetric(overhead.median()/typed.median(), "overhead/typed")
	b.ReportMetric(direct.median(), "direct-ns")
	b.ReportMetric(overhead.median(), "overhead-ns")
	b.ReportMetric(typed.median(), "typed-ns")
}

// A stopwatch keeps the times of one term.
type stopwatch []time.Duration

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// median returns nanoseconds.
func (s stopwatch) median() float64 {
	slices.Sort(s)
	return float64(s[len(s)/2])
}
