package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

func TestMaxSourceBytes(t *testing.T) {
	pad := func(n int) codemode.Program {
		const head = "def main(): return 1 #"
		return codemode.Program(head + strings.Repeat("é", (n-len(head))/2) + strings.Repeat("x", (n-len(head))%2))
	}
	server := start(t, codemode.Options{})
	wantValue(t, server, pad(65535), "1")
	wantValue(t, server, pad(65536), "1")
	wantFault(t, server, pad(65537), codemode.ErrResourceLimit)
	wantFault(t, server, codemode.Program(strings.Repeat("\xff", 65537)), codemode.ErrResourceLimit) // before anything else is looked at
	wantFault(t, server, codemode.Program(strings.Repeat("\xff", 65536)), codemode.ErrInvalidProgram)
	one := start(t, codemode.Options{Limits: codemode.Limits{MaxSourceBytes: 1}})
	wantFault(t, one, "", codemode.ErrInvalidProgram)
	wantFault(t, one, "x", codemode.ErrInvalidProgram)
	wantFault(t, one, "xy", codemode.ErrResourceLimit)
}

// TestMaxNativeCallsCountsAttempts: successful, refused and denied ones.
func TestMaxNativeCallsCountsAttempts(t *testing.T) {
	var handled atomic.Int64
	counted := offer("x.y", func(context.Context, empty) (empty, error) { handled.Add(1); return empty{}, nil })
	for _, limit := range []uint64{1, 2, 100} {
		server := start(t, codemode.Options{Limits: codemode.Limits{MaxNativeCalls: limit}}, counted)
		times := func(n uint64) codemode.Program { return body(fmt.Sprintf("for _ in range(%d): x.y()\nreturn 1", n)) }
		for range 2 {
			handled.Store(0)
			wantValue(t, server, times(limit), "1")
			if got := handled.Load(); got != int64(limit) {
				t.Errorf("%d handler calls, want %d", got, limit)
			}
		}
		handled.Store(0)
		wantFault(t, server, times(limit+1), codemode.ErrResourceLimit)
		if got := handled.Load(); got != int64(limit) {
			t.Errorf("%d handler calls of a program past the limit, want %d", got, limit)
		}
		// The attempt that is one too many is counted before it is bound.
		wantFault(t, server, body(fmt.Sprintf("for _ in range(%d): x.y()\nx.y(1)", limit)), codemode.ErrResourceLimit)
		wantFault(t, server, body(fmt.Sprintf("for _ in range(%d): x.y()\nx.y(1)", limit-1)), codemode.ErrInvalidArguments)
	}
}

// TestMaxExecutionSteps: inclusive, the load phase included, fresh each time.
func TestMaxExecutionSteps(t *testing.T) {
	const program = "N = [i for i in range(50)]\ndef main():\n    n = 0\n    for i in range(200): n += i\n    return n\n"
	var steps uint64
	observer := observerFuncs{execution: func(e codemode.ExecutionEvent) { steps = e.Usage.Steps }}
	wantValue(t, start(t, codemode.Options{Observer: observer}), program, "19900")
	used := steps
	exact := start(t, codemode.Options{Limits: codemode.Limits{MaxExecutionSteps: used}, Observer: observer})
	for range 3 {
		wantValue(t, exact, program, "19900")
		if steps != used {
			t.Errorf("got %d steps, then %d", used, steps)
		}
	}
	wantFault(t, start(t, codemode.Options{Limits: codemode.Limits{MaxExecutionSteps: used - 1}}), program, codemode.ErrResourceLimit)
	one := start(t, codemode.Options{Limits: codemode.Limits{MaxExecutionSteps: 1}}, returning("x.y", empty{}))
	wantFault(t, one, body("return 1"), codemode.ErrResourceLimit)
	wantFault(t, one, "X = [i for i in range(1000)]\ndef main(): return 1\n", codemode.ErrResourceLimit)
	for _, text := range []string{
		"for _ in range(1 << 40): pass", "return sorted(range(10), key=lambda x: [y for y in range(1 << 30)])", "return [x for x in range(1 << 30)]",
		"def f():\n    for _ in range(1 << 30): pass\nreturn f()", "return max([1, 2], key=lambda x: [0 for _ in range(1 << 30)])",
	} {
		wantFault(t, exact, body(text), codemode.ErrResourceLimit)
	}
	t.Run("a step limit is no deadline", func(t *testing.T) {
		if _, err := do(t, one, body("return 1")); errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}

// gate is a capability whose handler waits, and ignores its context.
type gate struct {
	entered chan struct{}
	release chan struct{}
	once    sync.Once
}

func newGate(t *testing.T) *gate {
	g := &gate{entered: make(chan struct{}, 100), release: make(chan struct{})}
	t.Cleanup(g.open)
	return g
}

func (g *gate) open() { g.once.Do(func() { close(g.release) }) }

func (g *gate) add(name string) add {
	return offer(name, func(context.Context, empty) (empty, error) {
		g.entered <- struct{}{}
		<-g.release
		return empty{}, nil
	})
}

func (g *gate) wait(t *testing.T) {
	t.Helper()
	select {
	case <-g.entered:
	case <-time.After(20 * time.Second):
		t.Fatal("no handler was entered")
	}
}

// TestMaxConcurrentExecutions: no more run at once, the others wait for a slot,
// and the wait counts.
func TestMaxConcurrentExecutions(t *testing.T) {
	g := newGate(t)
	var running, most atomic.Int64
	busy := offer("x.busy", func(context.Context, empty) (empty, error) {
		n := running.Add(1)
		defer running.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		return empty{}, nil
	})
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxConcurrentExecutions: 2, MaxExecutionTime: 30 * time.Second}}, g.add("x.gate"), busy)
	results := make(chan error, 20)
	for range 2 {
		go func() { _, err := server.Execute(t.Context(), alice, body("return x.gate()")); results <- err }()
	}
	g.wait(t)
	g.wait(t)
	t.Run("a deadline of the caller ends the wait", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := server.Execute(ctx, alice, body("return 1"))
		wantClass(t, err, codemode.ErrResourceLimit)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a cancellation ends the wait", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		_, err := server.Execute(ctx, alice, body("return 1"))
		wantClass(t, err, context.Canceled)
	})
	t.Run("discovery needs no slot", func(t *testing.T) {
		if _, err := server.Search("busy"); err != nil {
			t.Error(err)
		}
		if _, err := server.Describe("x.busy"); err != nil {
			t.Error(err)
		}
	})
	t.Run("those who wait get their turn", func(t *testing.T) {
		for range 10 {
			go func() { _, err := server.Execute(t.Context(), alice, body("return x.busy()")); results <- err }()
		}
		g.open()
		for range 12 {
			wantClass(t, <-results, nil)
		}
		if most.Load() > 2 {
			t.Errorf("%d ran at once, want at most 2", most.Load())
		}
	})
}

// TestMaxExecutionTimeCoversTheWaitForASlot and everything after it.
func TestMaxExecutionTimeCoversTheWaitForASlot(t *testing.T) {
	g := newGate(t)
	limits := codemode.Limits{MaxConcurrentExecutions: 1, MaxExecutionTime: time.Second}
	server := start(t, codemode.Options{Limits: limits}, g.add("x.gate"))
	results := make(chan error, 3)
	for range 3 {
		go func() { _, err := server.Execute(t.Context(), alice, body("return x.gate()")); results <- err }()
	}
	for range 3 {
		err := <-results
		wantClass(t, err, codemode.ErrResourceLimit)
		if !errors.Is(err, context.DeadlineExceeded) || err.Error() != "resource limit exceeded" {
			t.Errorf("got %v", err)
		}
	}
	g.open()
	wantValue(t, server, body("return 1"), "1")
}

// TestElapsedTimeIncludesHandlers: each call is short, all together are not.
func TestElapsedTimeIncludesHandlers(t *testing.T) {
	var started atomic.Int64
	slow := offer("x.slow", func(ctx context.Context, _ empty) (empty, error) {
		started.Add(1)
		timer := time.NewTimer(600 * time.Millisecond)
		defer timer.Stop()
		<-timer.C
		return empty{}, nil
	})
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxExecutionTime: time.Second}}, slow)
	_, err := do(t, server, body("x.slow()\nx.slow()\nreturn 1"))
	wantClass(t, err, codemode.ErrResourceLimit)
	if n := started.Load(); n > 2 || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v after %d calls", err, n)
	}
}

func TestMaxSearchResultsAndQuery(t *testing.T) {
	var adds []add
	for i := range 25 {
		adds = append(adds, named(fmt.Sprintf("zebra.c%02d", i)))
	}
	for _, c := range []struct {
		limit, want int
		truncated   bool
	}{{0, 20, true}, {1, 1, true}, {24, 24, true}, {25, 25, false}, {26, 25, false}} {
		server := start(t, codemode.Options{Authorizer: authz.AllowAll(), Limits: codemode.Limits{MaxSearchResults: c.limit}}, adds...)
		response, err := server.Search("zebra")
		if err != nil || len(response.Results) != c.want || response.Truncated != c.truncated {
			t.Errorf("limit %d: got %d, %t, %v", c.limit, len(response.Results), response.Truncated, err)
		}
		for i, r := range response.Results {
			if want := fmt.Sprintf("zebra.c%02d", i); r.Name != want {
				t.Errorf("result %d is %s, want %s", i, r.Name, want)
			}
		}
	}
}
