package main

import (
	"context"
	"fmt"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Class is an error as Go and as an MCP client see it.
type Class struct {
	Name    string // of the variable, such as "codemode.ErrNotFound"
	Text    string
	Tool    string // what a failed tool call says
	Example string // the same with detail, where there may be detail
}

// registered are the sentinels by the names that the page looks up.
var registered = []struct {
	name string
	err  error
}{
	{"codemode.ErrInvalidRegistration", codemode.ErrInvalidRegistration},
	{"codemode.ErrUnauthenticated", codemode.ErrUnauthenticated},
	{"codemode.ErrNotFound", codemode.ErrNotFound},
	{"codemode.ErrInvalidProgram", codemode.ErrInvalidProgram},
	{"codemode.ErrInvalidArguments", codemode.ErrInvalidArguments},
	{"codemode.ErrPermissionDenied", codemode.ErrPermissionDenied},
	{"codemode.ErrPolicyFailure", codemode.ErrPolicyFailure},
	{"codemode.ErrResourceLimit", codemode.ErrResourceLimit},
	{"codemode.ErrCapabilityFailure", codemode.ErrCapabilityFailure},
	{"codemode.ErrInternal", codemode.ErrInternal},
	{"context.Canceled", context.Canceled},
	{"context.DeadlineExceeded", context.DeadlineExceeded},
}

// failing is a service whose programs fail with one error.
type failing struct {
	*codemode.Server
	err error
}

func (f *failing) Execute(context.Context, authz.Subject, codemode.Program) (any, error) {
	return nil, f.err
}

func classes(ctx context.Context, server *codemode.Server) ([]Class, error) {
	service := &failing{Server: server}
	session, err := connect(ctx, service)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	detailed, err := examples(ctx, server)
	if err != nil {
		return nil, err
	}
	var list []Class
	for _, sentinel := range registered {
		service.err = sentinel.err
		text, err := failure(ctx, session, "def main(): return 1")
		if err != nil {
			return nil, err
		}
		list = append(list, Class{sentinel.name, sentinel.err.Error(), text, detailed[sentinel.err]})
	}
	return list, nil
}

// examples makes the two classes that carry detail.
func examples(ctx context.Context, server *codemode.Server) (map[error]string, error) {
	session, err := connect(ctx, server)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	found := make(map[error]string)
	for class, program := range map[error]string{
		codemode.ErrInvalidProgram:   "def main():\n    return records.lookup(key = \"a\")[\"total\"]\n",
		codemode.ErrInvalidArguments: "def main():\n    return records.lookup(key = 7)\n",
	} {
		if found[class], err = failure(ctx, session, program); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func failure(ctx context.Context, session *mcp.ClientSession, program string) (string, error) {
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "execute", Arguments: map[string]string{"source": program}})
	if err != nil {
		return "", err
	}
	if !result.IsError || len(result.Content) != 1 {
		return "", fmt.Errorf("program %q: got %d items of content, want one error", program, len(result.Content))
	}
	return result.Content[0].(*mcp.TextContent).Text, nil
}

func tools(ctx context.Context, server *codemode.Server) ([]*mcp.Tool, error) {
	session, err := connect(ctx, server)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	return list.Tools, nil
}

func connect(ctx context.Context, service mcpserver.Service) (*mcp.ClientSession, error) {
	server, err := mcpserver.New(service, mcpserver.StaticSubject(subject))
	if err != nil {
		return nil, err
	}
	near, far := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, far, nil); err != nil {
		return nil, err
	}
	return mcp.NewClient(&mcp.Implementation{Name: "observe", Version: "v0"}, nil).Connect(ctx, near, nil)
}
