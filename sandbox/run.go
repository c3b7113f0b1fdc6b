package sandbox

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/codemode-go/codemode/wire"
)

// watchInterval is how often the parent looks at a busy worker's memory.
const watchInterval = 2 * time.Millisecond

// A Call is what a worker asks for while its job runs.
type Call struct {
	Seq       uint64 // 1, 2, 3, … within the job
	Target    string
	Arguments []byte // valid until the dispatch returns
}

// A Reply answers a [Call]. A Class other than 0 says that there is no value and why; its meaning is between dispatch and engine.
type Reply struct {
	Value []byte // not kept
	Class byte
}

// A Dispatch answers the calls of one job, one at a time. Its context ends with the run, whatever ends that. An error ends the run: the
// worker is killed and [Pool.Run] returns the error unchanged.
//
// Dispatch runs on a goroutine of its own, which Run does not wait for when ctx ends or the pool is closed: what is returned later is dropped. A
// panic that Run does wait for is raised again in Run's goroutine.
type Dispatch func(ctx context.Context, call Call) (Reply, error)

// An Outcome is how a job ended: with a value, or with a fault.
type Outcome struct {
	Value []byte // belongs to whoever gets the Outcome
	Units uint64 // the work that the engine counted
	Fault *Fault // nil if there is a value
}

// A Fault says why a job has no value.
type Fault struct {
	Class  byte
	Detail string // UTF-8
}

// Usage is what a run took. It is filled in as far as the run came, also beside an error.
type Usage struct {
	Wait      time.Duration // for a worker or a slot
	Start     time.Duration // for a worker's start, where none was ready
	Run       time.Duration // from the job's departure to its outcome
	CPU       time.Duration // of the worker, its start included; 0 where the system does not tell
	InCalls   time.Duration // inside dispatch, up to the end of the run where that did not wait for one
	PeakBytes int64         // the worker's largest resident memory, its share of the binary included; 0 where the system does not tell
	Calls     uint64        // that were dispatched
	BytesIn   int64         // from the worker: payloads of the frames of the job
	BytesOut  int64         // to the worker, likewise
	Cold      bool          // no worker was ready
}

// Run gives job to a worker and answers its calls with dispatch, which may be nil for jobs that make none. The worker serves this job only and
// is gone afterwards, killed and reaped, whatever happens.
//
// If ctx ends before there is an outcome, the error is ctx.Err(), whatever else went wrong; waiting for a slot is part of the run.
// Otherwise it is the dispatch's error, [ErrClosed], [ErrJobSize], [ErrReplySize] or a [*WorkerError]. A [Fault] is not an error.
func (p *Pool) Run(ctx context.Context, job []byte, dispatch Dispatch) (Outcome, Usage, error) {
	defer runtime.KeepAlive(p) // a pool is not dropped while it runs something
	return p.run(ctx, job, dispatch)
}

func (p *pool) run(ctx context.Context, job []byte, dispatch Dispatch) (Outcome, Usage, error) {
	if err := ctx.Err(); err != nil {
		return Outcome{}, Usage{}, err
	}
	if len(job) > p.options.MaxJobBytes {
		return Outcome{}, Usage{}, fmt.Errorf("%w: got %d bytes, want at most %d", ErrJobSize, len(job), p.options.MaxJobBytes)
	}
	begin := time.Now()
	w, err := p.acquire(ctx)
	wait := time.Since(begin)
	if err != nil {
		return Outcome{}, Usage{Wait: wait}, err
	}
	// The job is copied here: Run may return while drive is still about to send it.
	r := &run{pool: p, job: frame(wire.KindRun, job), dispatch: dispatch, done: make(chan struct{})}
	r.ctx, r.cancel = context.WithCancel(ctx)
	go r.drive(w)
	outcome, err := r.await(ctx)
	usage := r.usage()
	usage.Wait = wait
	return outcome, usage, err
}

// A run is one job on its way. Two goroutines share it: the caller's, which waits, watches and may leave, and drive's, which talks with the worker
// and may be stuck in a dispatch.
type run struct {
	pool     *pool
	job      []byte // the whole Run frame
	dispatch Dispatch
	ctx      context.Context // for dispatch and starts; ends with the run
	cancel   context.CancelFunc

	mu      sync.Mutex
	worker  *worker // whom the run holds at the moment
	aborted cause   // why the caller has left

	calls, bytesIn, bytesOut, inCalls, start, began, cpu, peak atomic.Int64
	cold                                                       atomic.Bool

	done     chan struct{} // closed when what follows is final
	outcome  Outcome
	err      error
	panicked any
}

// await returns when the run is over for its caller.
func (r *run) await(ctx context.Context) (Outcome, error) {
	defer r.cancel()
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for first := true; ; {
		select {
		case <-r.done:
			return r.result(ctx)
		case <-ctx.Done():
			return r.leave(causeContext, ctx.Err())
		case <-r.pool.closing:
			if ctx.Err() != nil {
				return r.leave(causeContext, ctx.Err())
			}
			return r.leave(causeClosed, ErrClosed)
		case <-tick.C:
			if first {
				// The job is not a short one: now a start does not compete with it.
				r.pool.mu.Lock()
				r.pool.wantIdle()
				r.pool.mu.Unlock()
				first = false
			}
			r.watch()
		}
	}
}

// leave ends the worker and the run without waiting for anything, except that an outcome that is there counts.
func (r *run) leave(why cause, err error) (Outcome, error) {
	select {
	case <-r.done:
		if r.err == nil && r.panicked == nil {
			return r.outcome, nil
		}
	default:
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.aborted = why
	if r.worker != nil {
		r.observe(r.worker)
		r.worker.end(why)
	}
	return Outcome{}, err
}

// result returns what drive has left.
func (r *run) result(ctx context.Context) (Outcome, error) {
	if r.panicked != nil {
		panic(r.panicked)
	}
	if r.err != nil && ctx.Err() != nil {
		return Outcome{}, ctx.Err()
	}
	return r.outcome, r.err
}

// watch kills a worker that has passed its memory budget.
func (r *run) watch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.worker != nil && r.worker.meter.used() > r.pool.options.MemoryBytes {
		r.worker.end(causeMemory)
	}
}

// hold makes w the run's worker. If the caller has left meanwhile it ends w and reports false.
func (r *run) hold(w *worker) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.aborted != causeNone {
		w.end(r.aborted)
		return false
	}
	r.worker = w
	return true
}

// drop ends the run's worker.
func (r *run) drop(why cause) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.worker != nil {
		r.worker.end(why)
		r.worker = nil
	}
}

// retire ends the worker of a job that has its outcome, beside the way of that outcome to the caller: a kill takes longer than a short job.
func (r *run) retire() {
	r.mu.Lock()
	defer r.mu.Unlock()
	go r.worker.end(causeFinished)
	r.worker = nil
}

// observe reads the meters of a worker that is about to end.
func (r *run) observe(w *worker) {
	began := r.began.Load()
	if began == 0 {
		return
	}
	r.peak.Store(max(r.peak.Load(), w.meter.final(time.Duration(time.Now().UnixNano()-began))))
	r.cpu.Store(max(r.cpu.Load(), int64(w.meter.cpu())))
}

// epoch is before every run. A run's inCalls is short of the time since then while a dispatch is running, and so below zero: one number
// tells both what is over and what the caller did not wait for.
var epoch = time.Now()

func (r *run) usage() Usage {
	inCalls := time.Duration(r.inCalls.Load())
	if inCalls < 0 {
		inCalls += time.Since(epoch)
	}
	u := Usage{
		Start: time.Duration(r.start.Load()), CPU: time.Duration(r.cpu.Load()), InCalls: inCalls,
		PeakBytes: r.peak.Load(), Calls: uint64(r.calls.Load()), BytesIn: r.bytesIn.Load(), BytesOut: r.bytesOut.Load(), Cold: r.cold.Load(),
	}
	if began := r.began.Load(); began != 0 {
		u.Run = time.Duration(time.Now().UnixNano() - began)
	}
	return u
}
