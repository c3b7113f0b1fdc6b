package codemode_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

type observerFuncs struct {
	call      func(codemode.CallEvent)
	execution func(codemode.ExecutionEvent)
}

func (o observerFuncs) ObserveCall(_ context.Context, e codemode.CallEvent) {
	if o.call != nil {
		o.call(e)
	}
}

func (o observerFuncs) ObserveExecution(_ context.Context, e codemode.ExecutionEvent) {
	if o.execution != nil {
		o.execution(e)
	}
}

// collect returns an observer that keeps every event.
func collect(calls *[]codemode.CallEvent, executions *[]codemode.ExecutionEvent) codemode.Observer {
	return observerFuncs{
		call:      func(e codemode.CallEvent) { *calls = append(*calls, e) },
		execution: func(e codemode.ExecutionEvent) { *executions = append(*executions, e) },
	}
}

func TestObserverSeesWhatClientsDoNot(t *testing.T) {
	for _, c := range []struct {
		name, body     string
		calls          int
		class          error
		cause          string
		argumentsShown string
	}{
		{"success", "records.lookup(key='a')", 1, nil, "", "map[key:a]"},
		{"denied", "admin.purge(key='b')", 1, codemode.ErrPermissionDenied, "secret-policy-detail", "map[key:b]"},
		{"failed", "records.broken()", 1, codemode.ErrCapabilityFailure, "secret-host-detail", "map[]"},
		{"panicked", "bad.panics()", 1, codemode.ErrInternal, "nil map", "map[]"},
		{"refused in the worker", "records.lookup()", 0, codemode.ErrInvalidArguments, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls []codemode.CallEvent
			var executions []codemode.ExecutionEvent
			_, err := run(t, codemode.Options{Observer: collect(&calls, &executions)}, "def main():\n    "+c.body+"\n")
			wantClass(t, err, c.class)
			if len(calls) != c.calls || len(executions) != 1 {
				t.Fatalf("got %d calls, %d executions, want %d and 1", len(calls), len(executions), c.calls)
			}
			e := executions[0]
			wantClass(t, e.Err, c.class)
			if e.Subject != alice || e.ExecutionID == "" || e.Start.IsZero() || e.Duration <= 0 || e.Usage.Calls != uint64(c.calls) || e.Usage.Steps == 0 {
				t.Errorf("got %+v", e)
			}
			if c.cause != "" && !strings.Contains(e.Cause.Error(), c.cause) {
				t.Errorf("got cause %v, want it to contain %s", e.Cause, c.cause)
			}
			for _, call := range calls {
				wantClass(t, call.Err, c.class)
				if call.ExecutionID != e.ExecutionID || call.Number != 1 || call.Subject != alice {
					t.Errorf("got %+v", call)
				}
			}
		})
	}
}

func TestObserverSeesRefusedExecutions(t *testing.T) {
	var calls []codemode.CallEvent
	var executions []codemode.ExecutionEvent
	w := newWorld(t, codemode.Options{Observer: collect(&calls, &executions), Limits: codemode.Limits{MaxSourceBytes: 40}})
	_, _ = w.Execute(t.Context(), authz.Subject{}, "def main(): return 1")
	_, _ = w.Execute(t.Context(), alice, codemode.Program(strings.Repeat("#", 41)))
	if len(executions) != 2 || executions[0].Err != codemode.ErrUnauthenticated || executions[1].Err != codemode.ErrResourceLimit {
		t.Errorf("got %+v", executions)
	}
}

func TestObserverPanicsAreRecovered(t *testing.T) {
	observer := observerFuncs{
		call:      func(codemode.CallEvent) { panic("observer") },
		execution: func(codemode.ExecutionEvent) { panic("observer") },
	}
	value, err := run(t, codemode.Options{Observer: observer}, "def main(): return records.lookup(key='a')['key']")
	if value != "a" || err != nil {
		t.Errorf("got %v, %v", value, err)
	}
}

func TestSlogObserverRedacts(t *testing.T) {
	const program = "def main():\n    records.lookup(key='pass-word', limit=770077)\n    records.broken()\n"
	log := func(options codemode.SlogOptions) string {
		var text bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&text, nil))
		_, err := run(t, codemode.Options{Observer: codemode.NewSlogObserver(logger, options)}, program)
		wantClass(t, err, codemode.ErrCapabilityFailure)
		return text.String()
	}
	redacted := log(codemode.SlogOptions{})
	for _, want := range []string{"arguments.key.bytes=9", "arguments.limit.kind=int", "cause=secret-host-detail", "level=ERROR", "subject=alice", "capability=records.entry.lookup"} {
		if !strings.Contains(redacted, want) {
			t.Errorf("got %s, want it to contain %s", redacted, want)
		}
	}
	for _, secret := range []string{"pass-word", "770077"} {
		if strings.Contains(redacted, "="+secret) {
			t.Errorf("got %s, which contains %s", redacted, secret)
		}
	}
	if full := log(codemode.SlogOptions{ArgumentValues: true, Programs: true}); !strings.Contains(full, "arguments.key=pass-word") || !strings.Contains(full, "program=") {
		t.Errorf("got %s, want the values", full)
	}
}

func TestSlogObserverKeepsDetailToPrograms(t *testing.T) {
	log := func(options codemode.SlogOptions) string {
		var text bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&text, nil))
		_, err := run(t, codemode.Options{Observer: codemode.NewSlogObserver(logger, options)}, "def main():\n    fail('pass-word')\n")
		wantClass(t, err, codemode.ErrInvalidProgram)
		return text.String()
	}
	if got := log(codemode.SlogOptions{}); !strings.Contains(got, `error="invalid program"`) || strings.Contains(got, "pass-word") {
		t.Errorf("got %s, want the class alone", got)
	}
	if got := log(codemode.SlogOptions{Programs: true}); !strings.Contains(got, "fail: pass-word") {
		t.Errorf("got %s, want the detail", got)
	}
}
