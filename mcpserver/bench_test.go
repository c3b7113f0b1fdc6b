package mcpserver_test

import (
	"context"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
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

// BenchmarkExecuteOverhead interleaves the three terms of a ratio, so that
// noise hits all of them: (execute over MCP - execute directly) / typed tool.
func BenchmarkExecuteOverhead(b *testing.B) {
	service := buildRecords(b, codemode.Options{})
	session, trivial := connect(b, newServer(b, service), nil), trivialTool(b)
	arguments := map[string]any{"source": trivialProgram}
	var overMCP, direct, typed stopwatch
	for b.Loop() {
		overMCP.time(func() { call(b, session, "execute", arguments) })
		direct.time(func() {
			if _, err := service.Execute(b.Context(), authz.Subject{ID: "alice"}, trivialProgram); err != nil {
				b.Fatal(err)
			}
		})
		typed.time(func() { call(b, trivial, "execute", arguments) })
	}
	b.ReportMetric((overMCP.median()-direct.median())/typed.median(), "overhead/typed")
	b.ReportMetric(overMCP.median(), "mcp-ns")
	b.ReportMetric(direct.median(), "direct-ns")
	b.ReportMetric(typed.median(), "typed-ns")
}
