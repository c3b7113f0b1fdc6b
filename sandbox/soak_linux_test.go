package sandbox_test

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

var (
	soak     = flag.Bool("sandbox.soak", false, "run 2,000 jobs in TestSoak instead of 100")
	soakSeed = flag.Uint64("sandbox.seed", 1, "what TestSoak draws its jobs from")
)

// A soakJob is a job with the ends that it may have when nobody interferes.
type soakJob struct {
	job     string
	hostile bool
	value   string
	errs    []error
	limit   time.Duration // 0: none
}

var soakJobs = []soakJob{
	{job: "echo hello", value: "hello"},
	{job: "echo hello", value: "hello"},
	{job: "echo hello", value: "hello"},
	{job: "calls 20", value: "30"},
	{job: "value 100000"},
	{job: "panic oh", errs: []error{sandbox.ErrCrashed}},
	{job: "exit 3", errs: []error{sandbox.ErrCrashed}},
	{job: "memory 400", errs: []error{sandbox.ErrLimit}},
	{job: "spin", errs: []error{context.DeadlineExceeded}, limit: 20 * time.Millisecond},
	{job: "attempt fork on main ", errs: []error{sandbox.ErrForbidden}},
	{job: "echo hello", hostile: true, value: "hello"},
	{job: "garbage", hostile: true, errs: []error{sandbox.ErrProtocol}},
	{job: "two calls at once", hostile: true, errs: []error{sandbox.ErrProtocol}},
	{job: "half a frame, exit", hostile: true, errs: []error{sandbox.ErrCrashed}},
	{job: "a child that stays", hostile: true, errs: []error{context.DeadlineExceeded}, limit: 20 * time.Millisecond},
	{job: "a flood on standard error", hostile: true, errs: []error{context.DeadlineExceeded}, limit: 20 * time.Millisecond},
	{job: "deaf to a reply", hostile: true, errs: []error{context.DeadlineExceeded}, limit: 20 * time.Millisecond},
	{job: "stopped", hostile: true, errs: []error{context.DeadlineExceeded}, limit: 20 * time.Millisecond},
}

// allowed reports whether a job may end so. canceled says that its context was ended at a random moment, killing that workers are killed at random.
func (j *soakJob) allowed(outcome sandbox.Outcome, err error, canceled, killing bool) bool {
	may := append([]error(nil), j.errs...)
	if canceled {
		may = append(may, context.Canceled)
	}
	if j.limit > 0 {
		may = append(may, context.DeadlineExceeded) // also while it waits
	}
	if killing {
		may = append(may, sandbox.ErrLimit, sandbox.ErrStart)
	}
	if err == nil {
		return len(j.errs) == 0 && (j.value == "" || string(outcome.Value) == j.value)
	}
	for _, e := range may {
		if errors.Is(err, e) {
			return outcome.Value == nil && outcome.Fault == nil
		}
	}
	return false
}

// TestSoak runs jobs of all kinds at once, with cancellations and kills at random. Every job has exactly one end, one that it may have, and afterwards
// nothing is left.
func TestSoak(t *testing.T) {
	jobs := 100
	if *soak {
		jobs = 2000
	}
	before := take(t)
	honest := newPool(t, sandbox.Options{Idle: 2})
	hostile := newPool(t, sandbox.WithArguments(sandbox.Options{}, hostileArgument))
	if !honest.Report().Layers.Has(sandbox.Processes) {
		t.Skipf("jobs expect more than is enforced here: %v", honest.Report())
	}
	var next, ended atomic.Int64
	var all sync.WaitGroup
	for caller := range 8 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(*soakSeed, uint64(caller)))
			for next.Add(1) <= int64(jobs) {
				soakOne(t, random, honest, hostile)
				ended.Add(1)
			}
		})
	}
	stop := killAtRandom(t)
	all.Wait()
	stop()
	if ended.Load() != int64(jobs) {
		t.Errorf("ends: got %d, want %d", ended.Load(), jobs)
	}
	honest.Close()
	hostile.Close()
	before.expectNoMore(t)
}

func soakOne(t *testing.T, random *rand.Rand, honest, hostile *sandbox.Pool) {
	j := &soakJobs[random.IntN(len(soakJobs))]
	p := honest
	if j.hostile {
		p = hostile
	}
	ctx := context.Background()
	limit := j.limit
	if limit == 0 {
		limit = time.Minute // a hang is a failure, not a wait
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	canceled := random.IntN(5) == 0
	if canceled {
		timer := time.AfterFunc(time.Duration(random.IntN(10_000))*time.Microsecond, cancel)
		defer timer.Stop()
	}
	dispatch := echoCall
	if j.job == "deaf to a reply" {
		dispatch = func(context.Context, sandbox.Call) (sandbox.Reply, error) {
			return sandbox.Reply{Value: make([]byte, 1<<20)}, nil
		}
	}
	outcome, _, err := p.Run(ctx, []byte(j.job), dispatch)
	if !j.allowed(outcome, err, canceled, true) {
		t.Errorf("%s (canceled: %v): got %.40q, %v, %v", j.job, canceled, outcome.Value, outcome.Fault, err)
	}
}

// killAtRandom kills a worker every few milliseconds until stop is called.
func killAtRandom(t *testing.T) (stop func()) {
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		random := rand.New(rand.NewPCG(*soakSeed, 99))
		tick := time.NewTicker(15 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if pids := children(t); len(pids) > 0 {
					// A child of this process is no other's until this process reaps it; a kill that comes too late for that
					// would need its number to come round within microseconds.
					syscall.Kill(pids[random.IntN(len(pids))], syscall.SIGKILL)
				}
			case <-done:
				return
			}
		}
	}()
	return func() { close(done); <-stopped }
}

// TestDroppedPoolLeavesNothing drops a pool with idle workers, without Close.
func TestDroppedPoolLeavesNothing(t *testing.T) {
	before := take(t)
	func() {
		p, err := sandbox.New(t.Context(), sandbox.Options{Idle: 2})
		if err != nil {
			t.Fatal(err)
		}
		expectEcho(t, p)
		eventually(t, func() bool { return sandbox.Idle(p) == 2 }, func() string { return "no idle workers" })
	}()
	eventually(t, func() bool {
		runtime.GC()
		return len(children(t)) <= before.children
	}, func() string { return "workers of a dropped pool live on" })
	before.expectNoMore(t)
}

func TestClosedPoolLeavesNothing(t *testing.T) {
	before := take(t)
	p, err := sandbox.New(t.Context(), sandbox.Options{Idle: 3})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		expectEcho(t, p)
	}
	p.Close()
	if n := len(children(t)); n > before.children {
		t.Errorf("right after Close: got %d children, want %d", n, before.children)
	}
	before.expectNoMore(t)
}
