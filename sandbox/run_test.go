package sandbox_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

func TestJobsHaveOneOutcome(t *testing.T) {
	refuse := func(context.Context, sandbox.Call) (sandbox.Reply, error) { return sandbox.Reply{Class: 5}, nil }
	unhappy := errors.New("the dispatch's own")
	broken := func(context.Context, sandbox.Call) (sandbox.Reply, error) { return sandbox.Reply{}, unhappy }
	large := func(context.Context, sandbox.Call) (sandbox.Reply, error) {
		return sandbox.Reply{Value: make([]byte, 1<<20+1)}, nil
	}
	cases := []struct {
		name, job string
		dispatch  sandbox.Dispatch
		value     string
		fault     *sandbox.Fault
		err       error
	}{
		{name: "a value", job: "echo hello", value: "hello"},
		{name: "an empty value", job: "echo ", value: ""},
		{name: "setup reaches the engine", job: "setup", value: "the setup"},
		{name: "a fault is no error", job: "fault because", fault: &sandbox.Fault{Class: 9, Detail: "because"}},
		{name: "calls are answered", job: "calls 100", dispatch: echoCall, value: "190"},
		{name: "one call", job: "one abc", dispatch: echoCall, value: "abc"},
		{name: "a refused call", job: "one abc", dispatch: refuse, fault: &sandbox.Fault{Class: 5, Detail: "refused"}},
		{name: "an error of the dispatch ends the run", job: "one abc", dispatch: broken, err: unhappy},
		{name: "a reply over its cap", job: "one abc", dispatch: large, err: sandbox.ErrReplySize},
		{name: "a call where none is expected", job: "one abc", err: sandbox.ErrProtocol},
		{name: "a job over its cap", job: "echo " + strings.Repeat("x", 1<<20), err: sandbox.ErrJobSize},
		{name: "a job at its cap", job: "echo " + strings.Repeat("x", 1<<20-5), value: strings.Repeat("x", 1<<20-5)},
		{name: "a value at its cap", job: "value 1048576", value: strings.Repeat("v", 1<<20)},
		{name: "a value over its cap", job: "value 1048577", err: sandbox.ErrProtocol},
		{name: "a detail over its cap", job: "detail 4097", err: sandbox.ErrProtocol},
		{name: "a panic", job: "panic oh", err: sandbox.ErrCrashed},
		{name: "an exit", job: "exit 0", err: sandbox.ErrCrashed},
		{name: "an exit with a status", job: "exit 2", err: sandbox.ErrCrashed},
		{name: "too deep a stack", job: "stack", err: sandbox.ErrLimit},
		{name: "too much memory", job: "memory 2000", err: sandbox.ErrLimit},
	}
	p := newPool(t, sandbox.Options{Setup: []byte("the setup")})
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			outcome, _, err := p.Run(within(t, 30*time.Second), []byte(c.job), c.dispatch)
			if !errors.Is(err, c.err) || (c.err == nil) != (err == nil) {
				t.Fatalf("error: got %v, want %v", err, c.err)
			}
			if c.err == unhappy && err != unhappy {
				t.Errorf("error: got %v, want the dispatch's error itself", err)
			}
			if failure := new(sandbox.WorkerError); c.err == sandbox.ErrLimit && (!errors.As(err, &failure) || !strings.Contains(failure.Detail, "memory")) {
				t.Errorf("error: got %v, want what it ran out of", err)
			}
			if string(outcome.Value) != c.value {
				t.Errorf("value: got %.40q, want %.40q", outcome.Value, c.value)
			}
			if (outcome.Fault == nil) != (c.fault == nil) || (c.fault != nil && *outcome.Fault != *c.fault) {
				t.Errorf("fault: got %v, want %v", outcome.Fault, c.fault)
			}
		})
	}
	expectEcho(t, p)
}

func TestLargeSetup(t *testing.T) {
	setup := strings.Repeat("0123456789", 60_000) // many times what a pipe holds
	p := newPool(t, sandbox.Options{Setup: []byte(setup), Idle: 1})
	for range 5 { // cold ones and warm ones
		outcome, _, err := p.Run(within(t, 20*time.Second), []byte("setup"), nil)
		if err != nil || string(outcome.Value) != setup {
			t.Fatalf("got %d bytes, %v, want the setup's %d", len(outcome.Value), err, len(setup))
		}
	}
}
