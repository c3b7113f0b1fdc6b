package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

// A gate is a dispatch that holds a job until it is opened.
type gate struct {
	entered chan string
	open    chan struct{}
}

func newGate() *gate { return &gate{make(chan string, 100), make(chan struct{})} }

func (g *gate) dispatch(ctx context.Context, call sandbox.Call) (sandbox.Reply, error) {
	g.entered <- string(call.Arguments)
	select {
	case <-g.open:
		return sandbox.Reply{Value: call.Arguments}, nil
	case <-ctx.Done():
		return sandbox.Reply{}, ctx.Err()
	}
}

func TestWorkersServeOneJob(t *testing.T) {
	p := newPool(t, sandbox.Options{})
	seen := map[string]bool{}
	for range 20 {
		outcome, _, err := p.Run(within(t, 20*time.Second), []byte("pid"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if seen[string(outcome.Value)] {
			t.Fatalf("process %s served two jobs", outcome.Value)
		}
		seen[string(outcome.Value)] = true
	}
}

func TestCallersAreServedInOrder(t *testing.T) {
	p := newPool(t, sandbox.Options{MaxWorkers: 1, Idle: -1})
	g := newGate()
	var order []string
	var all sync.WaitGroup
	for i := range 6 {
		job := []byte("one " + strconv.Itoa(i))
		all.Go(func() {
			if _, _, err := p.Run(within(t, 30*time.Second), job, g.dispatch); err != nil {
				t.Error(err)
			}
		})
		if i == 0 {
			order = append(order, <-g.entered) // holds the only slot
		} else {
			eventually(t, func() bool { return sandbox.Waiting(p) == i }, func() string { return "the caller does not wait" })
		}
	}
	for range 5 {
		g.open <- struct{}{}
		order = append(order, <-g.entered)
	}
	g.open <- struct{}{}
	all.Wait()
	if got, want := fmt.Sprint(order), "[0 1 2 3 4 5]"; got != want {
		t.Errorf("order: got %s, want %s", got, want)
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	p := newPool(t, sandbox.Options{MaxWorkers: 1})
	g := newGate()
	done := make(chan error)
	go func() {
		_, _, err := p.Run(within(t, 30*time.Second), []byte("one x"), g.dispatch)
		done <- err
	}()
	<-g.entered
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(5*time.Millisecond, cancel)
	if _, usage, err := p.Run(ctx, []byte("echo x"), nil); err != context.Canceled || usage.Wait == 0 {
		t.Errorf("got %v after %v, want %v", err, usage.Wait, context.Canceled)
	}
	close(g.open)
	if err := <-done; err != nil {
		t.Error(err)
	}
	expectEcho(t, p)
}

func TestWorkersNeverExceedTheCap(t *testing.T) {
	p := newPool(t, sandbox.Options{MaxWorkers: 3, Idle: 3})
	var most atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10 {
				expectEcho(t, p)
				if live := int64(sandbox.Live(p)); live > most.Load() {
					most.Store(live)
				}
			}
		})
	}
	all.Wait()
	if most.Load() > 3 {
		t.Errorf("got %d workers at once, want at most 3", most.Load())
	}
}

func TestRunDoesNotWaitForADispatchThatIgnoresItsContext(t *testing.T) {
	p := newPool(t, sandbox.Options{MaxWorkers: 1})
	entered, open := make(chan struct{}), make(chan struct{})
	stubborn := func(ctx context.Context, _ sandbox.Call) (sandbox.Reply, error) {
		close(entered)
		<-ctx.Done()
		<-open
		return sandbox.Reply{Value: []byte("late")}, nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-entered; cancel() }()
	outcome, usage, err := p.Run(ctx, []byte("one x"), stubborn)
	if err != context.Canceled || outcome.Value != nil || usage.Calls != 1 {
		t.Errorf("got %q, %d calls, %v, want %v", outcome.Value, usage.Calls, err, context.Canceled)
	}
	expectEcho(t, p) // its slot is free
	close(open)
}

func TestPanicOfADispatchReachesTheCaller(t *testing.T) {
	p := newPool(t, sandbox.Options{})
	func() {
		defer func() {
			if got := recover(); got != "mine" {
				t.Errorf("recovered: got %v, want mine", got)
			}
		}()
		p.Run(within(t, 20*time.Second), []byte("one x"), func(context.Context, sandbox.Call) (sandbox.Reply, error) { panic("mine") })
		t.Error("Run returned")
	}()
	_, _, err := p.Run(within(t, 20*time.Second), []byte("one x"), func(context.Context, sandbox.Call) (sandbox.Reply, error) {
		runtime.Goexit()
		return sandbox.Reply{}, nil
	})
	if err != sandbox.ErrGoexit {
		t.Errorf("got %v, want %v", err, sandbox.ErrGoexit)
	}
	expectEcho(t, p)
}

func TestContextIsFirst(t *testing.T) {
	p := newPool(t, sandbox.Options{})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := p.Run(ended, []byte("echo x"), nil); err != context.Canceled {
		t.Errorf("ended before: got %v, want %v", err, context.Canceled)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err := p.Run(ctx, []byte("one x"), func(context.Context, sandbox.Call) (sandbox.Reply, error) {
		cancel()
		return sandbox.Reply{}, errors.New("another")
	})
	if err != context.Canceled {
		t.Errorf("ended in a dispatch that fails: got %v, want %v", err, context.Canceled)
	}
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, _, err := p.Run(short, []byte("spin"), nil); err != context.DeadlineExceeded {
		t.Errorf("ended by its deadline: got %v, want %v", err, context.DeadlineExceeded)
	}
	expectEcho(t, p)
}

func TestJobMayBeReusedAfterRun(t *testing.T) {
	p := newPool(t, sandbox.Options{Idle: -1})
	job := []byte("echo " + string(make([]byte, 1<<16)))
	for i := range 20 { // the race detector sees a late reader
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*500*time.Microsecond)
		p.Run(ctx, job, nil)
		cancel()
		for j := range job {
			job[j] ^= 1
		}
	}
}

func TestClose(t *testing.T) {
	p := newPool(t, sandbox.Options{MaxWorkers: 2})
	expectEcho(t, p)
	g := newGate()
	results := make(chan error, 3)
	for range 3 { // two run, one waits
		go func() {
			_, _, err := p.Run(within(t, 30*time.Second), []byte("one x"), g.dispatch)
			results <- err
		}()
	}
	<-g.entered
	<-g.entered
	eventually(t, func() bool { return sandbox.Waiting(p) == 1 }, func() string { return "nobody waits" })
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { p.Close() })
	}
	all.Wait()
	if n := sandbox.Live(p); n != 0 {
		t.Errorf("after Close: got %d workers, want none", n)
	}
	for range 3 {
		if err := <-results; err != sandbox.ErrClosed {
			t.Errorf("a run in progress: got %v, want %v", err, sandbox.ErrClosed)
		}
	}
	if _, _, err := p.Run(t.Context(), []byte("echo x"), nil); err != sandbox.ErrClosed {
		t.Errorf("a run afterwards: got %v, want %v", err, sandbox.ErrClosed)
	}
}

func TestUsage(t *testing.T) {
	p := newPool(t, sandbox.Options{})
	slow := func(_ context.Context, call sandbox.Call) (sandbox.Reply, error) {
		spin(2 * time.Millisecond)
		return sandbox.Reply{Value: []byte("12345")}, nil
	}
	outcome, usage, err := p.Run(within(t, 20*time.Second), []byte("calls 3"), slow)
	if err != nil || string(outcome.Value) != "15" || outcome.Units != 2 {
		t.Fatalf("got %q, %d units, %v", outcome.Value, outcome.Units, err)
	}
	if !usage.Cold || usage.Start == 0 || usage.Calls != 3 || usage.BytesOut != int64(len("calls 3"))+15 {
		t.Errorf("got %+v, want a cold run of 3 calls", usage)
	}
	// Three calls: seq, length and target, one digit; the outcome: units and two digits.
	if want := int64(3*(1+1+6+1) + 1 + 2); usage.BytesIn != want {
		t.Errorf("bytes in: got %d, want %d", usage.BytesIn, want)
	}
	if usage.InCalls < 6*time.Millisecond || usage.Run < usage.InCalls {
		t.Errorf("got %v in calls of %v, want at least 6ms and no more than all", usage.InCalls, usage.Run)
	}
	if runtime.GOOS != "linux" {
		return
	}
	_, usage, err = p.Run(within(t, 20*time.Second), []byte("burn 30ms"), nil)
	if err != nil || usage.CPU <= 0 || usage.PeakBytes < 1<<20 {
		t.Errorf("got CPU %v, peak %d, %v, want both measured", usage.CPU, usage.PeakBytes, err)
	}
}

func TestUsageCountsTheCallThatTheRunDidNotWaitFor(t *testing.T) {
	p := newPool(t, sandbox.Options{})
	ctx, cancel := context.WithCancel(within(t, 20*time.Second))
	open := make(chan struct{})
	defer close(open)
	var least time.Duration
	deaf := func(context.Context, sandbox.Call) (sandbox.Reply, error) {
		entered := time.Now()
		spin(2 * time.Millisecond)
		least = time.Since(entered)
		cancel()
		<-open
		return sandbox.Reply{}, nil
	}
	_, usage, err := p.Run(ctx, []byte("one x"), deaf)
	if err != context.Canceled || usage.InCalls < least || usage.Run < usage.InCalls {
		t.Errorf("got %v in calls of %v, %v, want at least %v, no more than all, %v", usage.InCalls, usage.Run, err, least, context.Canceled)
	}
}
