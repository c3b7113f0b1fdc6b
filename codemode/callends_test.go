package codemode_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// TestCallThatIsCutShortIsRecorded with its arguments, how far it came and what
// took the time: what it does goes on, and nobody will hear of it again.
func TestCallThatIsCutShortIsRecorded(t *testing.T) {
	because := errors.New("the client went away")
	for _, where := range []string{"authorizer", "handler"} {
		t.Run(where, func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			ctx, cancel := context.WithCancelCause(t.Context())
			stop := func(here string) {
				if here == where {
					cancel(because)
					<-release
				}
			}
			var calls []codemode.CallEvent
			var executions []codemode.ExecutionEvent
			authorize := authorizerFunc(func(context.Context, authz.AuthorizationInput) error { stop("authorizer"); return nil })
			server := start(t, codemode.Options{Authorizer: authorize, Observer: collect(&calls, &executions)},
				offer("x.y", func(context.Context, box[string]) (empty, error) { stop("handler"); return empty{}, nil }))
			_, err := server.Execute(ctx, alice, body("x.y(v='a')"))
			wantClass(t, err, context.Canceled)
			if len(calls) != 1 || len(executions) != 1 {
				t.Fatalf("got %d calls and %d executions, want one of each", len(calls), len(executions))
			}
			call := calls[0]
			wantClass(t, call.Err, context.Canceled)
			if fmt.Sprint(call.Arguments) != "map[v:a]" || call.Authorizing <= 0 || (call.Handling > 0) != (where == "handler") {
				t.Errorf("got %+v", call)
			}
			if call.Duration < call.Authorizing+call.Handling || executions[0].Usage.InHandlers <= 0 {
				t.Errorf("got %+v, %v in handlers, want the steps within the call and some time", call, executions[0].Usage.InHandlers)
			}
			if call.Cause != because || executions[0].Cause != because {
				t.Errorf("got the causes %v and %v, want %v", call.Cause, executions[0].Cause, because)
			}
		})
	}
}

// A treacherous error does harm when it is read.
type treacherous struct{ harm func() }

func (e *treacherous) Error() string { e.harm(); return "" }

func TestErrorsThatDoHarm(t *testing.T) {
	var calls []codemode.CallEvent
	var executions []codemode.ExecutionEvent
	var text bytes.Buffer
	server := start(t, codemode.Options{Observer: collect(&calls, &executions)},
		offer("x.exits", func(context.Context, empty) (empty, error) { panic(&treacherous{runtime.Goexit}) }),
		offer("x.panics", func(context.Context, empty) (empty, error) { panic(&treacherous{func() { panic("again") }}) }))
	for _, call := range []string{"x.exits()", "x.panics()"} {
		_, err := do(t, server, body(call))
		wantClass(t, err, codemode.ErrInternal)
	}
	if len(calls) != 2 {
		t.Errorf("got %+v, want two calls", calls)
	}
	logged := start(t, codemode.Options{Observer: codemode.NewSlogObserver(slog.New(slog.NewTextHandler(&text, nil)), codemode.SlogOptions{})},
		offer("x.y", func(context.Context, empty) (empty, error) { return empty{}, (*treacherous)(nil) }))
	_, err := do(t, logged, body("x.y()"))
	wantClass(t, err, codemode.ErrCapabilityFailure)
	if lines := strings.Count(text.String(), "\n"); lines != 2 {
		t.Errorf("got %d lines, want one for the call and one for the execution: %s", lines, &text)
	}
}

// TestDetailOfAWorkerIsOneLine that shows as it is, whatever a worker that is
// no longer ours put into it.
func TestDetailOfAWorkerIsOneLine(t *testing.T) {
	for detail, want := range map[string]string{
		"a\r\n\tb\x1b[2J\x00c\x7fd":       "a   b [2J c d",
		"a\u0085b\u009b31mc\u2028\u2029d": "a b 31mc  d",
		"a\u202eb\u2066c\u200fd":          "abcd",
		"a\xffb":                          "ab",
		strings.Repeat("é", 3000):         strings.Repeat("é", 2048),
	} {
		if got := codemode.CleanDetail(detail); got != want {
			t.Errorf("%.40q: got %.40q, want %.40q", detail, got, want)
		}
	}
}
