package mcpserver_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A fakeService is a custom Service: what a host may write instead of using
// codemode.Server. A nil function answers with a zero value.
type fakeService struct {
	calls      atomic.Int64
	onSearch   func(query string) (codemode.SearchResponse, error)
	onDescribe func(name codemode.CapabilityName) (codemode.Description, error)
	onExecute  func(ctx context.Context, subject authz.Subject, program codemode.Program) (any, error)
}

func (s *fakeService) Search(query string) (codemode.SearchResponse, error) {
	s.calls.Add(1)
	if s.onSearch == nil {
		return codemode.SearchResponse{}, nil
	}
	return s.onSearch(query)
}

func (s *fakeService) Describe(name codemode.CapabilityName) (codemode.Description, error) {
	s.calls.Add(1)
	if s.onDescribe == nil {
		return codemode.Description{}, nil
	}
	return s.onDescribe(name)
}

func (s *fakeService) Execute(ctx context.Context, subject authz.Subject, program codemode.Program) (any, error) {
	s.calls.Add(1)
	if s.onExecute == nil {
		return nil, nil
	}
	return s.onExecute(ctx, subject, program)
}

// failing returns a service all of whose methods return err.
func failing(err error) *fakeService {
	return &fakeService{
		onSearch:   func(string) (codemode.SearchResponse, error) { return codemode.SearchResponse{}, err },
		onDescribe: func(codemode.CapabilityName) (codemode.Description, error) { return codemode.Description{}, err },
		onExecute:  func(context.Context, authz.Subject, codemode.Program) (any, error) { return nil, err },
	}
}

// returning returns a service whose programs all have this value.
func returning(value any) *fakeService {
	return &fakeService{onExecute: func(context.Context, authz.Subject, codemode.Program) (any, error) { return value, nil }}
}

// withInfo adds the optional method to a service.
type withInfo struct {
	mcpserver.Service
	info codemode.Info
}

func (s withInfo) Info() codemode.Info { return s.info }

type resolverFunc func(context.Context) (authz.Subject, error)

func (f resolverFunc) Resolve(ctx context.Context) (authz.Subject, error) { return f(ctx) }

func alice() mcpserver.InvocationResolver { return mcpserver.StaticSubject(authz.Subject{ID: "alice"}) }

func newServer(t testing.TB, service mcpserver.Service, options ...mcpserver.Options) *mcp.Server {
	t.Helper()
	return newServerAs(t, service, alice(), options...)
}

func newServerAs(t testing.TB, service mcpserver.Service, resolver mcpserver.InvocationResolver, options ...mcpserver.Options) *mcp.Server {
	t.Helper()
	server, err := mcpserver.New(service, resolver, options...)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// connect returns a client of the SDK that is connected to server in memory.
func connect(t testing.TB, server *mcp.Server, options *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	serving, err := server.Connect(t.Context(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, options).Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		serving.Wait()
	})
	return session
}

// arguments holds a valid call of every tool. A test fails when a tool has none.
var arguments = map[string]map[string]any{
	"search_api":   {"query": "records"},
	"describe_api": {"name": "records.lookup"},
	"execute":      {"source": "def main():\n    return records.lookup(key=\"a\")\n"},
}

func call(t testing.TB, session *mcp.ClientSession, tool string, arguments any) *mcp.CallToolResult {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return result
}

// text returns the one text item of a result.
func text(t testing.TB, result *mcp.CallToolResult) string {
	t.Helper()
	if len(result.Content) != 1 {
		t.Fatalf("got %d content items, want 1", len(result.Content))
	}
	item, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("got content %T, want text", result.Content[0])
	}
	return item.Text
}

// wantFailure checks that a result is a failure with exactly this text.
func wantFailure(t testing.TB, result *mcp.CallToolResult, want string) {
	t.Helper()
	if got := text(t, result); !result.IsError || got != want {
		t.Errorf("got isError %v, text %q, want failure %q", result.IsError, got, want)
	}
	if result.StructuredContent != nil {
		t.Errorf("got structured content %v in a failure", result.StructuredContent)
	}
}
