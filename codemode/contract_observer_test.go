package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// A log keeps events as short lines.
type eventLog struct {
	mu    sync.Mutex
	lines []string
	calls []codemode.CallEvent
	runs  []codemode.ExecutionEvent
}

func (l *eventLog) ObserveCall(_ context.Context, e codemode.CallEvent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, e)
	l.lines = append(l.lines, fmt.Sprintf("call %d %s %v", e.Number, e.CapabilityName, e.Err))
}

func (l *eventLog) ObserveExecution(_ context.Context, e codemode.ExecutionEvent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.runs = append(l.runs, e)
	l.lines = append(l.lines, fmt.Sprintf("execution %v", e.Err))
}

func (l *eventLog) take() (lines string, calls []codemode.CallEvent, runs []codemode.ExecutionEvent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines, calls, runs = strings.Join(l.lines, "; "), l.calls, l.runs
	l.lines, l.calls, l.runs = nil, nil, nil
	return lines, calls, runs
}

// TestObserverSeesEveryExecution and every call that reached the host, calls
// first and in order, whatever the end.
func TestObserverSeesEveryExecution(t *testing.T) {
	log := new(eventLog)
	g := newGate(t)
	server := start(t, codemode.Options{Observer: log, Limits: codemode.Limits{MaxNativeCalls: 2, MaxSourceBytes: 200, MaxExecutionTime: 1500 * time.Millisecond}, Authorizer: authorizerFunc(func(_ context.Context, in authz.AuthorizationInput) error {
		in.Arguments["key"] = "changed by the authorizer"
		if in.CapabilityName == "x.denied" {
			return fmt.Errorf("rule 7: %w", authz.ErrDenied)
		}
		return nil
	})}, named("x.y"), named("x.denied"), g.add("x.gate"), offer("x.fails", func(context.Context, empty) (empty, error) { return empty{}, &secretError{"t"} }))
	for _, c := range []struct{ rule, text, want, cause string }{
		{"no call", "return 1", "execution <nil>", ""},
		{"calls", "x.y(key='a')\nx.y(key='b')", "call 1 x.y <nil>; call 2 x.y <nil>; execution <nil>", ""},
		{"denied", "x.y(key='a')\nx.denied(key='b')", "call 1 x.y <nil>; call 2 x.denied permission denied; execution permission denied", "rule 7"},
		{"failed", "x.fails()", "call 1 x.fails capability failed; execution capability failed", "secret: t"},
		{"fault of the program", "x.y(key='a')\n1 // 0", "call 1 x.y <nil>; execution invalid program: <codemode>:3:7: floored division by zero", ""},
		{"deadline in a handler", "x.gate()", "call 1 x.gate resource limit exceeded; execution resource limit exceeded", "MaxExecutionTime"},
		{"source too long", strings.Repeat("#", 300), "execution resource limit exceeded", "MaxSourceBytes"},
		{"too many calls", "x.y(key='a')\nx.y(key='b')\nx.y(key='c')", "call 1 x.y <nil>; call 2 x.y <nil>; execution resource limit exceeded", "MaxNativeCalls"},
		{"too many steps", "for i in range(10000000): pass", "execution resource limit exceeded", "MaxExecutionSteps"},
		{"too deep", "x = []\nfor i in range(40): x = [x]\nreturn x", "execution resource limit exceeded", "MaxValueDepth"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			program := body(c.text)
			_, err := do(t, server, program)
			lines, calls, runs := log.take()
			if lines != c.want {
				t.Fatalf("got %q, want %q", lines, c.want)
			}
			run := runs[0]
			if run.Err != err || run.Subject != alice || run.Program != program || run.ExecutionID == "" || run.Duration <= 0 {
				t.Errorf("got %+v beside %v", run, err)
			}
			if c.cause != "" && (run.Cause == nil || !strings.Contains(run.Cause.Error(), c.cause)) || c.cause == "" && run.Cause != nil {
				t.Errorf("got cause %v, want %q", run.Cause, c.cause)
			}
			for i, call := range calls {
				if call.ExecutionID != run.ExecutionID || call.Number != uint64(i+1) || call.Subject != alice || call.Duration < call.Handling+call.Authorizing || fmt.Sprint(call.Arguments) == "map[key:changed by the authorizer]" {
					t.Errorf("got %+v", call)
				}
			}
		})
	}
	t.Run("unauthenticated, nil context, cancelled", func(t *testing.T) {
		_, _ = server.Execute(t.Context(), authz.Subject{}, body("return 1"))
		//lint:ignore SA1012 a nil context is the case
		_, _ = server.Execute(nil, alice, body("return 1"))
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(&secretError{"why"})
		_, _ = server.Execute(ctx, alice, body("return 1"))
		lines, _, runs := log.take()
		if want := "execution unauthenticated; execution internal failure; execution context canceled"; lines != want {
			t.Errorf("got %q, want %q", lines, want)
		}
		if cause := runs[2].Cause; cause == nil || cause.Error() != "secret: why" {
			t.Errorf("got cause %v", cause)
		}
	})
	t.Run("a handler that comes back late is told of no more", func(t *testing.T) {
		_, err := do(t, server, body("x.gate()"))
		wantClass(t, err, codemode.ErrResourceLimit)
		log.take()
		g.open()
		wantValue(t, server, body("return 1"), "1")
		if lines, _, _ := log.take(); lines != "execution <nil>" {
			t.Errorf("got %q", lines)
		}
	})
}

// TestObserverIsBounded: it delays its own caller alone, holds no worker, and
// can neither change nor break an execution.
func TestObserverIsBounded(t *testing.T) {
	t.Run("a slow observer holds no slot", func(t *testing.T) {
		release := make(chan struct{})
		entered := make(chan struct{}, 2)
		observer := observerFuncs{execution: func(e codemode.ExecutionEvent) {
			if strings.Contains(string(e.Program), "slow") {
				entered <- struct{}{}
				<-release
			}
		}}
		server := start(t, codemode.Options{Observer: observer, Limits: codemode.Limits{MaxConcurrentExecutions: 1}})
		done := make(chan error, 1)
		go func() { _, err := server.Execute(t.Context(), alice, body("return 'slow'")); done <- err }()
		<-entered
		wantValue(t, server, body("return 1"), "1")
		select {
		case err := <-done:
			t.Errorf("Execute returned before its observer: %v", err)
		default:
		}
		close(release)
		wantClass(t, <-done, nil)
	})
	for rule, harm := range map[string]func(){
		"panics": func() { panic("observer") }, "ends its goroutine": runtime.Goexit, "panics with an error": func() { panic(errors.New("observer")) },
	} {
		t.Run("an observer that "+rule, func(t *testing.T) {
			executions := 0
			server := start(t, codemode.Options{Observer: observerFuncs{call: func(codemode.CallEvent) { harm() }, execution: func(codemode.ExecutionEvent) { executions++; harm() }}}, returning("x.y", empty{}))
			for range 2 {
				wantValue(t, server, body("return x.y()"), "{}")
				wantFault(t, server, body("x.y()\nfail('x')"), codemode.ErrInvalidProgram)
			}
			if executions != 4 {
				t.Errorf("%d executions were seen, want 4", executions)
			}
		})
	}
	t.Run("typed nil", func(t *testing.T) {
		refused(t, codemode.Options{Observer: (*eventLog)(nil)}, []string{"Observer"})
	})
	t.Run("the observer may use the server", func(t *testing.T) {
		var server *codemode.Server
		inner := 0
		observer := observerFuncs{execution: func(e codemode.ExecutionEvent) {
			if strings.Contains(string(e.Program), "outer") {
				_, err := server.Execute(context.Background(), alice, body("return 'inner'"))
				wantClass(t, err, nil)
				inner++
			}
		}}
		server = start(t, codemode.Options{Observer: observer, Limits: codemode.Limits{MaxConcurrentExecutions: 1}})
		wantValue(t, server, body("return 'outer'"), `"outer"`)
		if inner != 1 {
			t.Errorf("got %d inner executions", inner)
		}
	})
}
