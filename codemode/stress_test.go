package codemode_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/codemode-go/codemode/codemode"
)

// TestMixedLoad runs good, faulty, denied, cancelled and over-limit executions
// from eight goroutines and expects exactly the outcomes that it asked for.
func TestMixedLoad(t *testing.T) {
	each := 100
	if testing.Short() || raceEnabled {
		each = 40
	}
	if *long {
		each = 500
	}
	before := runtime.NumGoroutine()
	w := newWorld(t, codemode.Options{Limits: codemode.Limits{MaxNativeCalls: 3}})
	programs := []struct {
		source codemode.Program
		class  error
	}{
		{"def main(): return records.lookup(key='a')['count']", nil},
		{"def main(): return 1 // 0", codemode.ErrInvalidProgram},
		{"def main(): return admin.purge(key='a')", codemode.ErrPermissionDenied},
		{"def main(): return records.broken()", codemode.ErrCapabilityFailure},
		{"def main():\n    for _ in range(4): records.ids()\n", codemode.ErrResourceLimit},
		{"def main(): return records.lookup(key=1)", codemode.ErrInvalidArguments},
		{"def main():\n    for _ in range(1<<40): pass\n", codemode.ErrResourceLimit},
		{"def main(): return slow.wait(ms=600000)", context.Canceled},
	}
	var outcomes [8]atomic.Int64
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range each {
				kind := (worker + i) % len(programs)
				p := programs[kind]
				ctx, cancel := context.WithCancel(t.Context())
				if p.class == context.Canceled {
					time.AfterFunc(time.Millisecond, cancel)
				}
				_, err := w.Execute(ctx, alice, p.source)
				cancel()
				if errors.Is(err, p.class) || p.class == nil && err == nil {
					outcomes[kind].Add(1)
				} else {
					t.Errorf("program %d: got %v, want %v", kind, err, p.class)
				}
			}
		})
	}
	group.Wait()
	for kind := range outcomes {
		if got := outcomes[kind].Load(); got != int64(each) {
			t.Errorf("program %d ended as expected %d times, want %d", kind, got, each)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	expectNoChildren(t)
	w.releaseAll()
	waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= before+2 })
}

// waitFor yields until the condition holds.
func waitFor(t *testing.T, what string, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("waited ten seconds for %s", what)
		}
		runtime.Gosched()
	}
}
