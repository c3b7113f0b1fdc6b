package mcpserver_test

import (
	"context"
	"fmt"
	"log"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A host serves its capabilities to one client. Its main, like the TestMain of
// this package, calls codemode.ServeWorkerAndExit first.
func Example() {
	type Input struct {
		Name string `json:"name"`
	}
	type Output struct {
		Text string `json:"text"`
	}
	b := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
	codemode.Register(b, codemode.Capability[Input, Output]{
		Name:    "greetings.greet",
		Summary: "Greet somebody by name.",
		Effect:  codemode.EffectReadOnly,
		Handler: func(_ context.Context, caller authz.Subject, in Input) (Output, error) {
			return Output{Text: fmt.Sprintf("%s greets %s.", caller.ID, in.Name)}, nil
		},
	})
	service, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()

	server, err := mcpserver.New(service, mcpserver.StaticSubject(authz.Subject{ID: "alice"}))
	if err != nil {
		log.Fatal(err)
	}

	// A real host ends here, with server.Run(ctx, &mcp.StdioTransport{}).
	near, far := mcp.NewInMemoryTransports()
	ctx := context.Background()
	if _, err := server.Connect(ctx, far, nil); err != nil {
		log.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "v1"}, nil).Connect(ctx, near, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "execute", Arguments: map[string]any{
		"source": "def main():\n    return [greetings.greet(name=n)[\"text\"] for n in [\"Bob\", \"Carol\"]]\n",
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Content[0].(*mcp.TextContent).Text)
	// Output: {"result":["alice greets Bob.","alice greets Carol."]}
}
