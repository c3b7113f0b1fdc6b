// Policy is a host whose calls are decided by a policy in Rego.
//
//	policy -as ada
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"log"
	"strings"
	"sync"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/codemode-go/codemode/rego"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed policy.rego
var policy string

type (
	findInput struct {
		Title string `json:"title"`
	}
	findOutput struct {
		Books []book `json:"books"`
	}
	book struct {
		ID    int64  `json:"id"`
		Title string `json:"title"`
		Lent  bool   `json:"lent"`
	}
	borrowInput struct {
		Book   int64  `json:"book"`
		Reader string `json:"reader"`
		Days   *int64 `json:"days,omitempty"`
	}
	borrowOutput struct {
		Days int64 `json:"days"`
	}
)

// A library is a shelf, and who has which book of it.
type library struct {
	mu    sync.Mutex
	books []book
}

func (l *library) find(_ context.Context, _ authz.Subject, in findInput) (findOutput, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := findOutput{Books: []book{}}
	for _, b := range l.books {
		if strings.Contains(strings.ToLower(b.Title), strings.ToLower(in.Title)) {
			found.Books = append(found.Books, b)
		}
	}
	return found, nil
}

func (l *library) borrow(_ context.Context, _ authz.Subject, in borrowInput) (borrowOutput, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, b := range l.books {
		if b.ID == in.Book && !b.Lent {
			l.books[i].Lent = true
			days := int64(21)
			if in.Days != nil {
				days = *in.Days
			}
			return borrowOutput{days}, nil
		}
	}
	return borrowOutput{}, errors.New("no such book on the shelf")
}

func build(ctx context.Context) (*codemode.Server, error) {
	authorizer, err := rego.New(ctx, "data.library.authz.allow", map[string]string{"policy.rego": policy})
	if err != nil {
		return nil, err
	}
	shelf := &library{books: []book{{1, "Sketch of the Analytical Engine", false}, {2, "The Education of a Computer", false}}}
	builder := codemode.New(codemode.Options{Authorizer: authorizer})
	codemode.Register(builder, codemode.Capability[findInput, findOutput]{
		Name: "books.find", Summary: "Find books by a part of the title.",
		Effect: codemode.EffectReadOnly, Handler: shelf.find,
	})
	codemode.Register(builder, codemode.Capability[borrowInput, borrowOutput]{
		Name: "books.borrow", Summary: "Borrow a book for a reader.",
		Description: "Borrow a book for a reader, for 21 days unless days says otherwise.",
		Effect:      codemode.EffectDestructive, Handler: shelf.borrow,
	})
	return builder.Build()
}

func main() {
	codemode.ServeWorkerAndExit()
	as := flag.String("as", "ada", "the `subject` on whose behalf programs run")
	flag.Parse()

	service, err := build(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	subject := mcpserver.StaticSubject(authz.Subject{ID: authz.SubjectID(*as)})
	server, err := mcpserver.New(service, subject, mcpserver.Options{Name: "library", PortableSchemas: true})
	if err != nil {
		log.Fatal(err)
	}
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Print(err)
	}
}
