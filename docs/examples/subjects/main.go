// Subjects is a host of notes that belong to people. Each subject sees its own
// notes, because the handler asks for no others; who may delete, and how much a
// guest may write, is the authorizer's decision.
//
//	subjects -as ada
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"sync"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A notebook holds the notes of all subjects. Handlers run concurrently.
type notebook struct {
	mu    sync.Mutex
	last  int64
	notes map[authz.SubjectID][]note
}

type note struct {
	ID   int64  `json:"id"`
	Text string `json:"text"`
}

type (
	addInput struct {
		Text string `json:"text"`
	}
	deleteInput struct {
		ID int64 `json:"id"`
	}
	listOutput struct {
		Notes []note `json:"notes"`
	}
	addOutput struct {
		Note note `json:"note"`
	}
	deleteOutput struct {
		Deleted bool `json:"deleted"`
	}
)

func (b *notebook) list(_ context.Context, subject authz.Subject, _ struct{}) (listOutput, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return listOutput{append([]note{}, b.notes[subject.ID]...)}, nil
}

func (b *notebook) add(_ context.Context, subject authz.Subject, in addInput) (addOutput, error) {
	if in.Text == "" {
		return addOutput{}, errors.New("a note without text")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	added := note{b.last, in.Text}
	b.notes[subject.ID] = append(b.notes[subject.ID], added)
	return addOutput{added}, nil
}

// delete finds only notes of the subject: the ID of somebody else's is as
// unknown as one that never existed.
func (b *notebook) delete(_ context.Context, subject authz.Subject, in deleteInput) (deleteOutput, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	own := b.notes[subject.ID]
	for i := range own {
		if own[i].ID == in.ID {
			b.notes[subject.ID] = append(own[:i:i], own[i+1:]...)
			return deleteOutput{Deleted: true}, nil
		}
	}
	return deleteOutput{}, nil
}

const guest authz.SubjectID = "guest"

// decide names what is allowed; what it does not name is denied. It is asked by
// ID, since names may change with the documentation.
func decide(_ context.Context, call authz.AuthorizationInput) error {
	text, _ := call.Arguments["text"].(string)
	switch call.CapabilityID {
	case "notes.list":
		return nil
	case "notes.add":
		if call.Subject.ID != guest || len(text) <= 100 {
			return nil
		}
	case "notes.delete":
		if call.Subject.ID != guest {
			return nil
		}
	}
	return authz.ErrDenied
}

func build() (*codemode.Server, error) {
	notes := &notebook{notes: map[authz.SubjectID][]note{
		guest: {{1, "Guests may write, but not delete."}},
		"ada": {{2, "Write to Charles."}, {3, "The engine weaves algebraic patterns."}},
	}, last: 3}
	builder := codemode.New(codemode.Options{Authorizer: authz.AuthorizerFunc(decide)})
	codemode.Register(builder, codemode.Capability[struct{}, listOutput]{
		Name: "notes.list", Summary: "List your notes.", Effect: codemode.EffectReadOnly, Handler: notes.list,
	})
	codemode.Register(builder, codemode.Capability[addInput, addOutput]{
		Name: "notes.add", Summary: "Add a note of your own.", Effect: codemode.EffectAdditive, Handler: notes.add,
	})
	codemode.Register(builder, codemode.Capability[deleteInput, deleteOutput]{
		Name: "notes.delete", Summary: "Delete one of your notes by its ID.",
		Effect: codemode.EffectDestructive | codemode.EffectIdempotent, Handler: notes.delete,
	})
	return builder.Build()
}

func main() {
	codemode.ServeWorkerAndExit()
	as := flag.String("as", string(guest), "the `subject` on whose behalf programs run")
	flag.Parse()

	service, err := build()
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	// One process serves one person. A network host uses ContextSubject: see
	// the example httphost.
	subject := mcpserver.StaticSubject(authz.Subject{ID: authz.SubjectID(*as)})
	server, err := mcpserver.New(service, subject, mcpserver.Options{Name: "notes", PortableSchemas: true})
	if err != nil {
		log.Fatal(err)
	}
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Print(err)
	}
}
