package mcpserver

import (
	"context"
	"fmt"
	"reflect"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Service is what the three tools call; [*codemode.Server] is one. The
// adapter relies on it to filter the catalog, to authorize and to enforce
// limits. Its methods are called concurrently.
//
// A service may also have the method Info() codemode.Info. Then the
// instructions list its namespaces and the annotations of execute state the
// combined effect of its capabilities; without it, execute is announced as
// able to do anything. Progress reaches the clients that ask for it when a
// service passes its context on to the Execute of a [codemode.Server].
type Service interface {
	Search(query string) (codemode.SearchResponse, error)
	Describe(name codemode.CapabilityName) (codemode.Description, error)
	Execute(ctx context.Context, subject authz.Subject, program codemode.Program) (any, error)
}

var _ Service = (*codemode.Server)(nil)

// New returns an MCP server with the tools search_api, describe_api and
// execute, which ask resolver who calls and then call service. Connect it to a
// transport of the SDK; authentication, listeners and shutdown stay with the
// host. A nil service or resolver, also a typed nil, and more than one Options
// are a [codemode.ErrInvalidRegistration].
func New(service Service, resolver InvocationResolver, options ...Options) (*mcp.Server, error) {
	if isNil(service) {
		return nil, fmt.Errorf("%w: service is nil", codemode.ErrInvalidRegistration)
	}
	if isNil(resolver) {
		return nil, fmt.Errorf("%w: resolver is nil", codemode.ErrInvalidRegistration)
	}
	if len(options) > 1 {
		return nil, fmt.Errorf("%w: got %d Options, want at most one", codemode.ErrInvalidRegistration, len(options))
	}
	var opts Options
	if len(options) == 1 {
		opts = options[0]
	}
	info := infoOf(service)
	server := mcp.NewServer(opts.implementation(), &mcp.ServerOptions{
		Instructions: instructions(opts.Instructions, info.Namespaces),
		Logger:       opts.Logger,
		// Not nil: the SDK would announce logging and changes of the tool list.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	a := &adapter{service: service, resolver: resolver, log: opts.logger()}
	addTool(server, a, searchTool(), a.search)
	addTool(server, a, describeTool(), a.describe)
	addTool(server, a, executeTool(info.Effect, opts.PortableSchemas), a.execute)
	return server, nil
}

// infoOf asks a service what it offers. The zero Info of one that cannot tell
// names nothing and has an unknown effect.
func infoOf(service Service) codemode.Info {
	if s, ok := service.(interface{ Info() codemode.Info }); ok {
		return s.Info()
	}
	return codemode.Info{}
}

// isNil also finds the nil pointer in a non-nil interface, which would
// otherwise surface as a panic in the first call.
func isNil(dependency any) bool {
	if dependency == nil {
		return true
	}
	switch v := reflect.ValueOf(dependency); v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return v.IsNil()
	}
	return false
}
