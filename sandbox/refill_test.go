package sandbox_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

// occupied returns a pool with a worker that is busy until the gate opens.
func occupied(t *testing.T, maxWorkers int) (*sandbox.Pool, *gate) {
	t.Helper()
	p, g := newPool(t, sandbox.Options{Idle: 1, MaxWorkers: maxWorkers}), newGate()
	go p.Run(within(t, 60*time.Second), []byte("one x"), g.dispatch)
	<-g.entered
	return p, g
}

// refillingStuck returns such a pool, whose refill has lost its idle worker and is stuck in the start of another.
func refillingStuck(t *testing.T, maxWorkers int) (*sandbox.Pool, sandbox.Hold) {
	t.Helper()
	p, _ := occupied(t, maxWorkers)
	eventually(t, func() bool { return sandbox.Idle(p) == 1 }, func() string { return "no idle worker" })
	hold := sandbox.HoldNextStart()
	sandbox.KillIdle(p)
	<-hold.Begun
	return p, hold
}

// Refilling never delays a caller who waits for a slot.
func TestCallersGoBeforeRefilling(t *testing.T) {
	type end struct {
		usage sandbox.Usage
		err   error
	}
	run := func(p *sandbox.Pool) <-chan end {
		ended := make(chan end, 1)
		go func() {
			_, usage, err := p.Run(within(t, 20*time.Second), []byte("echo x"), nil)
			ended <- end{usage, err}
		}()
		return ended
	}
	t.Run("a free slot is that of the first who waits", func(t *testing.T) {
		p, g := occupied(t, 1)
		var callers []<-chan end
		for i := range 3 {
			callers = append(callers, run(p))
			eventually(t, func() bool { return sandbox.Waiting(p) == i+1 }, func() string { return "the caller does not wait" })
		}
		close(g.open)
		for i, caller := range callers {
			if e := <-caller; e.err != nil || !e.usage.Cold {
				t.Errorf("caller %d: got %v, cold %v, want the slot for a worker of its own", i, e.err, e.usage.Cold)
			}
		}
		eventually(t, func() bool { return sandbox.Idle(p) == 1 }, func() string { return "nothing is refilled once nobody waits" })
	})
	t.Run("a worker that was to be idle is that of the first who waits", func(t *testing.T) {
		p, hold := refillingStuck(t, 2)
		caller := run(p)
		eventually(t, func() bool { return sandbox.Waiting(p) == 1 }, func() string { return "the caller does not wait" })
		close(hold.Release)
		if e := <-caller; e.err != nil || e.usage.Cold {
			t.Errorf("got %v, cold %v, want the worker that became ready", e.err, e.usage.Cold)
		}
	})
	t.Run("a start that takes long is not waited for beside a free slot", func(t *testing.T) {
		p, hold := refillingStuck(t, 3)
		if e := <-run(p); e.err != nil || !e.usage.Cold {
			t.Errorf("got %v, cold %v, want a worker of its own", e.err, e.usage.Cold)
		}
		close(hold.Release)
	})
}

// TestCloseWaitsForStarts: a process that is being started belongs to nobody yet,
// and its run has left.
func TestCloseWaitsForStarts(t *testing.T) {
	p := newPool(t, sandbox.Options{Idle: -1})
	start := sandbox.HoldNextStart()
	left := make(chan error, 1)
	go func() {
		_, _, err := p.Run(within(t, 20*time.Second), []byte("echo x"), nil)
		left <- err
	}()
	<-start.Begun
	closed := make(chan struct{})
	go func() { p.Close(); close(closed) }()
	if err := <-left; err != sandbox.ErrClosed {
		t.Errorf("the run: got %v, want %v", err, sandbox.ErrClosed)
	}
	for range 1000 {
		runtime.Gosched()
	}
	select {
	case <-closed:
		t.Error("Close returned while a process was being started")
	default:
	}
	close(start.Release)
	<-closed
}
