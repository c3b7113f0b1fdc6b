// Hello is the smallest host: one function, served over standard input and
// output to whoever starts the command.
package main

import (
	"context"
	"log"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type greetInput struct {
	Name string `json:"name"`
}

type greetOutput struct {
	Greeting string `json:"greeting"`
}

func greet(_ context.Context, _ authz.Subject, in greetInput) (greetOutput, error) {
	return greetOutput{Greeting: "Hello, " + in.Name + "!"}, nil
}

func main() {
	codemode.ServeWorkerAndExit() // first: workers are this binary, started again

	builder := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
	codemode.Register(builder, codemode.Capability[greetInput, greetOutput]{
		Name:    "people.greet",
		Summary: "Greet a person by name.",
		Effect:  codemode.EffectReadOnly,
		Handler: greet,
	})
	service, err := builder.Build()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()

	server, err := mcpserver.New(service, mcpserver.StaticSubject(authz.Subject{ID: "me"}), mcpserver.Options{
		Name:            "hello",
		PortableSchemas: true, // clients of every SDK can connect
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Print(err)
	}
}
