package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

// serveForgetful are hosts that do something wrong before or instead of Serve, chosen by an argument of their workers.
func serveForgetful(m *testing.M) {
	if !sandbox.IsWorker() {
		return
	}
	has := func(argument string) bool { return slices.Contains(os.Args, argument) }
	switch {
	case has("prints a banner"):
		fmt.Println("Welcome to the host, version 1")
	case has("forgets the entry"):
		os.Exit(m.Run())
	case has("starts its service"):
		fmt.Fprintln(os.Stderr, "listening")
		_, err := sandbox.New(context.Background(), sandbox.Options{})
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case has("waits"):
		time.Sleep(time.Hour)
	case has("exits"):
		os.Exit(0)
	}
}

func TestProbeNamesWhatIsWrong(t *testing.T) {
	cases := []struct {
		host  string // an argument of the worker
		setup string
		parts []string
		not   string
	}{
		{host: "prints a banner", parts: []string{"Welcome to the host, version 1", "host.WorkerEntry"}},
		{host: "forgets the entry", parts: []string{"flag provided but not defined", "host.WorkerEntry", "first statement"}},
		{host: "starts its service", parts: []string{"listening", sandbox.ErrNested.Error()}},
		{host: "exits", parts: []string{"exit status 0", "host.WorkerEntry"}},
		{host: "waits", parts: []string{"not ready in time", "host.WorkerEntry"}},
		{setup: "refuse the setup is odd", parts: []string{"the setup is odd", "exit status 1"}, not: "first statement"},
	}
	for _, c := range cases {
		t.Run(c.host+c.setup, func(t *testing.T) {
			t.Parallel()
			options := sandbox.WithArguments(sandbox.Options{Setup: []byte(c.setup), Entry: "host.WorkerEntry"}, c.host)
			p, err := sandbox.New(t.Context(), options)
			if err == nil {
				p.Close()
				t.Fatal("got a pool")
			}
			var probe *sandbox.ProbeError
			if !errors.As(err, &probe) {
				t.Fatalf("got %v, want a ProbeError", err)
			}
			if c.not != "" && strings.Contains(err.Error(), c.not) {
				t.Errorf("text: got %q, want no %q in it", err, c.not)
			}
			for _, part := range c.parts {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("text: got %q, want %q in it", err, part)
				}
			}
		})
	}
}

// TestProbeBlamesMainForNoMoreThanItDid: where no process came to be, main never ran.
func TestProbeBlamesMainForNoMoreThanItDid(t *testing.T) {
	restore := sandbox.FailStarts(1, syscall.EMFILE)
	defer restore()
	_, err := sandbox.New(t.Context(), sandbox.Options{Entry: "host.WorkerEntry"})
	var probe *sandbox.ProbeError
	if !errors.As(err, &probe) || !errors.Is(err, syscall.EMFILE) || strings.Contains(err.Error(), "first statement") {
		t.Errorf("got %v, want a ProbeError with the system's error and nothing about main", err)
	}
}

func TestProbeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := sandbox.New(ctx, sandbox.WithArguments(sandbox.Options{}, "waits"))
	if err != context.DeadlineExceeded {
		t.Errorf("got %v, want %v", err, context.DeadlineExceeded)
	}
}

func TestRequire(t *testing.T) {
	report := newPool(t, sandbox.Options{}).Report()
	newPool(t, sandbox.Options{Require: report.Layers})                             // what is there can be required
	_, err := sandbox.New(t.Context(), sandbox.Options{Require: sandbox.AllLayers}) // without CPUTime, CPU cannot be there
	var missing *sandbox.RequireError
	if !errors.As(err, &missing) || missing.Missing != sandbox.AllLayers&^report.Layers || missing.Report != report {
		t.Fatalf("got %v, want a RequireError for what %v lacks", err, report)
	}
	if !strings.Contains(err.Error(), "CPU time") {
		t.Errorf("text: got %q, want the layer's name in it", err)
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	for _, o := range []sandbox.Options{
		{MaxWorkers: -1}, {MemoryBytes: -1}, {MaxJobBytes: -1}, {MaxValueBytes: 1 << 30}, {Require: 1 << 20},
	} {
		if p, err := sandbox.New(t.Context(), o); err == nil {
			p.Close()
			t.Errorf("%+v: got a pool", o)
		}
	}
}

func TestTooLittleMemoryIsFoundByTheProbe(t *testing.T) {
	p, err := sandbox.New(t.Context(), sandbox.Options{MemoryBytes: 1 << 10})
	if err == nil {
		defer p.Close()
		if p.Report().Memory == sandbox.MemoryHard {
			t.Error("got a pool with a kilobyte of memory")
		}
	}
}
