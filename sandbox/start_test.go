package sandbox_test

import (
	"context"
	"errors"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

func TestStartsThatFailForAMomentAreRetried(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such errors there")
	}
	for _, passing := range []error{syscall.EAGAIN, syscall.ETXTBSY} {
		p := newPool(t, sandbox.Options{Idle: -1})
		restore := sandbox.FailStarts(3, passing)
		_, usage, err := p.Run(within(t, 20*time.Second), []byte("echo x"), nil)
		restore()
		if err != nil || usage.Start < 3*time.Millisecond {
			t.Errorf("%v three times: got %v after %v, want none after some waiting", passing, err, usage.Start)
		}
		restore = sandbox.FailStarts(1<<30, passing)
		_, _, err = p.Run(within(t, 50*time.Millisecond), []byte("echo x"), nil)
		restore()
		if err != context.DeadlineExceeded {
			t.Errorf("%v for ever: got %v, want %v", passing, err, context.DeadlineExceeded)
		}
		expectEcho(t, p)
	}
}

func TestStartsThatFailAreTheCallersErrors(t *testing.T) {
	p := newPool(t, sandbox.Options{Idle: -1, MaxWorkers: 1})
	restore := sandbox.FailStarts(1<<30, syscall.ENOENT)
	for range 3 {
		if _, _, err := p.Run(within(t, 20*time.Second), []byte("echo x"), nil); !errors.Is(err, sandbox.ErrStart) {
			t.Errorf("got %v, want %v", err, sandbox.ErrStart)
		}
	}
	restore()
	expectEcho(t, p) // the slot is not lost
}

func TestRefillingBacksOff(t *testing.T) {
	p := newPool(t, sandbox.Options{Idle: 1, MaxWorkers: 2})
	// The job's own start comes first, the refill's is the second.
	g := newGate()
	done := make(chan error)
	go func() {
		_, _, err := p.Run(within(t, 30*time.Second), []byte("one x"), g.dispatch)
		done <- err
	}()
	<-g.entered
	eventually(t, func() bool { return sandbox.Idle(p) == 1 }, func() string { return "no idle worker" })
	restore := sandbox.FailStarts(1<<30, syscall.ENOENT)
	sandbox.KillIdle(p)
	eventually(t, func() bool { return sandbox.Idle(p) == 0 && sandbox.Live(p) == 1 }, func() string { return "the slot of the refill is not given back" })
	restore()
	eventually(t, func() bool { return sandbox.Idle(p) == 1 }, func() string { return "refilling has given up" })
	close(g.open)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
