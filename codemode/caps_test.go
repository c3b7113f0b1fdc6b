package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

func TestMain(m *testing.M) {
	codemode.ServeWorkerAndExit()
	benchChild()
	os.Exit(m.Run())
}

var alice = authz.Subject{ID: "alice"}

type (
	lookupInput struct {
		Key   string `json:"key"`
		Limit *int64 `json:"limit,omitempty"`
	}
	lookupOutput struct {
		Key   string `json:"key"`
		Count int64  `json:"count"`
	}
	listInput struct {
		Count int64 `json:"count"`
	}
	listItem struct {
		ID     string  `json:"id"`
		Active bool    `json:"active"`
		Score  float64 `json:"score"`
	}
	listOutput struct {
		Items []listItem `json:"items"`
		Total int64      `json:"total"`
	}
	searchInput struct {
		Count  int64   `json:"count"`
		Active bool    `json:"active"`
		Score  float64 `json:"score"`
		Label  *string `json:"label,omitempty"`
	}
	searchOutput struct {
		Items []listItem `json:"items"`
	}
	idsOutput struct {
		Big int64 `json:"big"`
		Max int64 `json:"max"`
		Min int64 `json:"min"`
	}
	textInput struct {
		N int64 `json:"n"`
	}
	textOutput struct {
		Text string `json:"text"`
	}
	keyInput struct {
		Key string `json:"key"`
	}
	waitInput struct {
		MS int64 `json:"ms"`
	}
	empty struct{}
)

// A world is a server over the sample capabilities, and what happened in it.
type world struct {
	*codemode.Server
	authorized atomic.Int64
	handled    atomic.Int64
	denied     atomic.Int64
	release    chan struct{} // ends every slow.wait
	released   sync.Once

	mu    sync.Mutex
	order []string
}

// releaseAll ends every handler that still waits.
func (w *world) releaseAll() { w.released.Do(func() { close(w.release) }) }

func (w *world) record(name string) {
	w.handled.Add(1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.order = append(w.order, name)
}

// newWorld builds the sample server: records.*, admin.purge, which is denied,
// slow.wait, which ignores its context, and bad.*, whose handlers misbehave.
func newWorld(t testing.TB, options codemode.Options, more ...func(*codemode.Builder)) *world {
	t.Helper()
	w := &world{release: make(chan struct{})}
	if options.Authorizer == nil {
		options.Authorizer = authorizerFunc(func(_ context.Context, in authz.AuthorizationInput) error {
			w.authorized.Add(1)
			if strings.HasPrefix(in.CapabilityName, "admin.") {
				w.denied.Add(1)
				return fmt.Errorf("secret-policy-detail: %w", authz.ErrDenied)
			}
			return nil
		})
	}
	b := codemode.New(options)
	w.register(b)
	for _, add := range more {
		add(b)
	}
	server, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	w.Server = server
	t.Cleanup(func() {
		w.releaseAll()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *world) register(b *codemode.Builder) {
	codemode.Register(b, codemode.Capability[lookupInput, lookupOutput]{
		ID: "records.entry.lookup", Name: "records.lookup", Summary: "Look up one record by key.",
		Effect: codemode.EffectReadOnly,
		Handler: func(_ context.Context, _ authz.Subject, in lookupInput) (lookupOutput, error) {
			w.record("records.lookup")
			out := lookupOutput{Key: in.Key, Count: 1}
			if in.Limit != nil {
				out.Count = *in.Limit
			}
			return out, nil
		},
	})
	codemode.Register(b, codemode.Capability[listInput, listOutput]{
		Name: "records.list", Summary: "List the first records.",
		Handler: func(_ context.Context, _ authz.Subject, in listInput) (listOutput, error) {
			w.record("records.list")
			out := listOutput{Items: []listItem{}, Total: in.Count}
			for i := range in.Count {
				out.Items = append(out.Items, listItem{ID: fmt.Sprintf("r%d", i), Active: i%2 == 0, Score: float64(i) * 1.5})
			}
			return out, nil
		},
	})
	codemode.Register(b, codemode.Capability[searchInput, searchOutput]{
		Name: "records.search", Summary: "Search records.",
		Handler: func(context.Context, authz.Subject, searchInput) (searchOutput, error) {
			w.record("records.search")
			return searchOutput{Items: []listItem{}}, nil
		},
	})
	codemode.Register(b, codemode.Capability[empty, idsOutput]{
		Name: "records.ids", Summary: "The ends of the integer range.",
		Handler: func(context.Context, authz.Subject, empty) (idsOutput, error) {
			w.record("records.ids")
			return idsOutput{Big: 1<<53 + 1, Max: 1<<63 - 1, Min: -1 << 63}, nil
		},
	})
	codemode.Register(b, codemode.Capability[textInput, textOutput]{
		Name: "records.text", Summary: "A text of n letters.",
		Handler: func(_ context.Context, _ authz.Subject, in textInput) (textOutput, error) {
			w.record("records.text")
			return textOutput{Text: strings.Repeat("x", int(in.N))}, nil
		},
	})
	w.registerTrouble(b)
}

func (w *world) registerTrouble(b *codemode.Builder) {
	codemode.Register(b, codemode.Capability[empty, empty]{
		Name: "records.broken", Summary: "Fails.",
		Handler: func(context.Context, authz.Subject, empty) (empty, error) {
			w.record("records.broken")
			return empty{}, errors.New("secret-host-detail")
		},
	})
	codemode.Register(b, codemode.Capability[keyInput, empty]{
		Name: "admin.purge", Summary: "Purge a record.", Effect: codemode.EffectDestructive,
		Handler: func(context.Context, authz.Subject, keyInput) (empty, error) {
			w.record("admin.purge")
			return empty{}, nil
		},
	})
	codemode.Register(b, codemode.Capability[waitInput, empty]{
		Name: "slow.wait", Summary: "Wait and ignore the context.",
		Handler: func(_ context.Context, _ authz.Subject, in waitInput) (empty, error) {
			w.record("slow.wait")
			select {
			case <-time.After(time.Duration(in.MS) * time.Millisecond):
			case <-w.release:
			}
			return empty{}, nil
		},
	})
	codemode.Register(b, codemode.Capability[empty, empty]{
		Name: "bad.panics", Summary: "Panics.",
		Handler: func(context.Context, authz.Subject, empty) (empty, error) {
			w.record("bad.panics")
			var m map[string]int
			//lint:ignore SA5000 the panic is the case
			m["secret-host-detail"] = 1
			return empty{}, nil
		},
	})
	codemode.Register(b, codemode.Capability[empty, empty]{
		Name: "bad.goexit", Summary: "Ends its goroutine.",
		Handler: func(context.Context, authz.Subject, empty) (empty, error) {
			w.record("bad.goexit")
			runtime.Goexit()
			return empty{}, nil
		},
	})
}

type authorizerFunc func(context.Context, authz.AuthorizationInput) error

func (f authorizerFunc) Authorize(ctx context.Context, in authz.AuthorizationInput) error {
	return f(ctx, in)
}

// wantClass fails t unless err matches class and no other sentinel.
func wantClass(t *testing.T, err, class error) {
	t.Helper()
	for _, sentinel := range []error{
		codemode.ErrInvalidRegistration, codemode.ErrUnauthenticated, codemode.ErrNotFound, codemode.ErrInvalidProgram,
		codemode.ErrInvalidArguments, codemode.ErrPermissionDenied, codemode.ErrPolicyFailure, codemode.ErrResourceLimit,
		codemode.ErrCapabilityFailure, codemode.ErrInternal, context.Canceled,
	} {
		if got, want := errors.Is(err, sentinel), sentinel == class; got != want {
			t.Fatalf("got %v: matches %q: %t, want class %v", err, sentinel, got, class)
		}
	}
	if class == nil && err != nil {
		t.Fatal(err)
	}
}
