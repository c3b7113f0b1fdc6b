package sandbox_test

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

func TestIdleWorkers(t *testing.T) {
	p := newPool(t, sandbox.Options{Idle: 2})
	none := func() bool { return sandbox.Live(p) == 0 }
	eventually(t, none, func() string { return "there are workers before the first job" }) // but the probe's, which is ending
	expectEcho(t, p)
	full := func() bool { return sandbox.Idle(p) == 2 && sandbox.Live(p) == 2 }
	eventually(t, full, func() string { return "idle workers do not come" })
	_, usage, err := p.Run(within(t, 20*time.Second), []byte("echo x"), nil)
	if err != nil || usage.Cold {
		t.Errorf("a job beside idle workers: got cold %v, %v, want warm", usage.Cold, err)
	}
	eventually(t, full, func() string { return "idle workers do not come back" })
	sandbox.KillIdle(p)
	expectEcho(t, p) // by another worker, whatever was noticed by now
	eventually(t, full, func() string { return "dead idle workers are not replaced" })
}

func TestIdleNoneStartsNothing(t *testing.T) {
	p := newPool(t, sandbox.Options{Idle: -1})
	expectEcho(t, p)
	eventually(t, func() bool { return sandbox.Live(p) == 0 }, func() string { return "a worker stays" })
}

func TestJobIsGivenToAnotherWorkerIfTheFirstWasStruckIdle(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("nobody tells there what a dead worker has done")
	}
	p := newPool(t, sandbox.Options{Idle: 1})
	for range 10 {
		expectEcho(t, p)
		eventually(t, func() bool { return sandbox.Idle(p) == 1 }, func() string { return "no idle worker" })
		sandbox.StopIdle(p) // it cannot read, and its death comes with the job
		done := make(chan error, 1)
		go func() {
			outcome, _, err := p.Run(within(t, 20*time.Second), []byte("echo again"), nil)
			if err == nil && string(outcome.Value) != "again" {
				err = errors.New(string(outcome.Value))
			}
			done <- err
		}()
		eventually(t, func() bool { return sandbox.Taken(p) }, func() string { return "the idle worker is not taken" })
		sandbox.KillStopped(p)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}
