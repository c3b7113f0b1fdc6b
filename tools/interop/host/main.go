// Host is a CodeMode server whose programs can meet every class of failure. The
// interop tests drive it with clients of others, over standard streams or, with
// -http, over streamable HTTP.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	codemode.ServeWorkerAndExit()
	address := flag.String("http", "", "serve streamable HTTP at this `address` and print its URL")
	stateless := flag.Bool("stateless", false, "keep no sessions")
	exact := flag.Bool("exact", false, "list the schemas to the letter of the contract")
	nobody := flag.Bool("nobody", false, "resolve no caller")
	flag.Parse()
	if err := serve(*address, *stateless, !*exact, *nobody); err != nil {
		log.Fatal(err)
	}
}

func serve(address string, stateless, portable, nobody bool) error {
	service, err := build()
	if err != nil {
		return err
	}
	defer service.Close()
	resolver := mcpserver.StaticSubject(authz.Subject{ID: "alice"})
	if nobody {
		resolver = mcpserver.ContextSubject()
	}
	server, err := mcpserver.New(service, resolver, mcpserver.Options{Name: "interop", Title: "Interop", Version: "v1.0.0", PortableSchemas: portable})
	if err != nil {
		return err
	}
	if address == "" {
		return server.Run(context.Background(), &mcp.StdioTransport{})
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: stateless})
	return (&http.Server{Handler: mcpserver.CancelWithRequest(handler), ReadHeaderTimeout: 5 * time.Second}).Serve(listener)
}

type (
	none      struct{}
	keyInput  struct{ Key string }
	keyOutput struct {
		Key   string
		Count int64
	}
	sizeInput  struct{ Bytes int64 }
	textOutput struct{ Text string }
	waitInput  struct{ Milliseconds int64 }
	idsOutput  struct{ Big, Max, Min int64 }
)

func build() (*codemode.Server, error) {
	b := codemode.New(codemode.Options{Authorizer: authorizer{}})
	add(b, "records.lookup", "Look up one record by key.", func(_ context.Context, in keyInput) (keyOutput, error) {
		return keyOutput{Key: in.Key, Count: 1}, nil
	})
	add(b, "records.ids", "Return record numbers past 2^53.", func(context.Context, none) (idsOutput, error) {
		return idsOutput{Big: 1<<53 + 1, Max: 1<<63 - 1, Min: -1 << 63}, nil
	})
	add(b, "records.text", "Return a text of so many bytes.", func(_ context.Context, in sizeInput) (textOutput, error) {
		return textOutput{Text: strings.Repeat("x", int(in.Bytes))}, nil
	})
	add(b, "faults.fail", "Fail.", func(context.Context, none) (none, error) { return none{}, errors.New("secret") })
	add(b, "faults.panic", "Panic.", func(context.Context, none) (none, error) { panic("secret") })
	add(b, "faults.denied", "Be denied by policy.", func(context.Context, none) (none, error) { return none{}, nil })
	add(b, "faults.undecided", "Break policy.", func(context.Context, none) (none, error) { return none{}, nil })
	add(b, "faults.wait", "Wait, whatever the context says.", func(_ context.Context, in waitInput) (none, error) {
		time.Sleep(time.Duration(in.Milliseconds) * time.Millisecond)
		return none{}, nil
	})
	return b.Build()
}

func add[In, Out any](b *codemode.Builder, name codemode.CapabilityName, summary string, f func(context.Context, In) (Out, error)) {
	codemode.Register(b, codemode.Capability[In, Out]{
		Name: name, Summary: summary, Effect: codemode.EffectReadOnly,
		Handler: func(ctx context.Context, _ authz.Subject, in In) (Out, error) { return f(ctx, in) },
	})
}

type authorizer struct{}

func (authorizer) Authorize(_ context.Context, in authz.AuthorizationInput) error {
	switch in.CapabilityName {
	case "faults.denied":
		return fmt.Errorf("%w: secret", authz.ErrDenied)
	case "faults.undecided":
		return errors.New("secret")
	}
	return nil
}
