package sandbox

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/codemode-go/codemode/wire"
)

const probeTimeout = 5 * time.Second

// A Pool runs jobs, each in a worker process of its own. It is safe for concurrent use. Make one with [New], end it with [Pool.Close]; one
// that is dropped without Close is cleaned up when the garbage collector finds it.
type Pool struct {
	// Goroutines refer to what is inside, never to the Pool itself, so that a dropped one can be found.
	*pool
}

// pool is the state behind a Pool: slots, idle workers and callers who wait.
type pool struct {
	options   Options
	arguments []string
	setup     []byte // the Setup frame, encoded once for all workers
	report    Report
	closing   chan struct{} // closed by shutdown
	running   sync.WaitGroup

	mu        sync.Mutex
	closed    bool
	used      bool      // a job has come
	live      int       // slots taken: busy, idle, starting and ending workers
	idle      []*worker // ready, the longest waiting first
	queue     []*waiter
	refilling bool // the refill goroutine exists
	starting  bool // it is starting a worker
}

// New returns a pool whose workers are processes of the running binary, and proves that they can be: it starts one worker, leads it to Ready
// and ends it. That takes a few milliseconds and at most five seconds, whatever other limits say; if it fails, the error is a [*ProbeError],
// or ctx.Err() if ctx ended first. If a layer of Options.Require is not enforced, it is a [*RequireError].
//
// In a process that is itself a worker New does nothing and returns [ErrNested]: a host that forgot the worker entry does not multiply.
func New(ctx context.Context, options Options) (*Pool, error) {
	if isWorker {
		return nil, ErrNested
	}
	options, err := options.resolve()
	if err != nil {
		return nil, err
	}
	inner := &pool{options: options, arguments: arguments(options), closing: make(chan struct{})}
	inner.setup, inner.options.Setup = frame(wire.KindSetup, options.Setup), nil
	if err := inner.probe(ctx); err != nil {
		inner.shutdown()
		inner.running.Wait()
		return nil, err
	}
	p := &Pool{inner}
	runtime.AddCleanup(p, (*pool).shutdown, inner)
	return p, nil
}

// Report says what is enforced on the workers of the pool.
func (p *Pool) Report() Report { return p.report }

// Close ends all workers and waits until they are reaped. Runs in progress return [ErrClosed]; a dispatch that ignores its context is
// not waited for. Close may be called again and concurrently; it always returns nil.
func (p *Pool) Close() error {
	p.shutdown()
	p.running.Wait()
	return nil
}

// shutdown starts the end of everything and waits for nothing.
func (p *pool) shutdown() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.closed = true
	close(p.closing) // runs in progress, callers who wait and the refill see it
	for _, w := range p.idle {
		w.end(causeClosed)
	}
	p.idle = nil
}

func (p *pool) isClosed() bool {
	select {
	case <-p.closing:
		return true
	default:
		return false
	}
}

// probe starts one worker, learns what it enforces and ends it.
func (p *pool) probe(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	p.live++ // nobody else is there yet
	w, err := p.start(limited)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return p.probeError(err)
	}
	w.end(causeFinished)
	<-w.exited
	if missing := p.options.Require &^ w.report.Layers; missing != 0 {
		return &RequireError{Missing: missing, Report: w.report}
	}
	p.report = w.report
	return nil
}

// start starts a worker and leads it to Ready, in a slot that the caller has taken. From then on the slot is the worker's and free when it is
// reaped; on error it is seen to, too. The error is a *startError where a process was started.
func (p *pool) start(ctx context.Context) (*worker, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if !p.beginStart() {
		p.release()
		return nil, ErrClosed
	}
	defer p.running.Done()
	proc, err := startPatiently(ctx, p.arguments)
	if err != nil {
		p.release()
		return nil, err
	}
	w := p.own(proc)
	if err := w.prepare(ctx, p.setup, p.report); err != nil {
		return nil, err
	}
	return w, nil
}

// beginStart has Close wait for a start, also where the run that wanted it has left. It reports whether the pool is open.
func (p *pool) beginStart() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.running.Add(1) // never concurrent with the Wait of Close, which comes after closed is set
	}
	return !p.closed
}

// own makes a worker of a process that a start has begun. If the pool is closed by now, the worker is ended and the caller will notice.
func (p *pool) own(proc *process) *worker {
	p.running.Add(1) // beside that of the start
	w := newWorker(proc, func(w *worker) {
		p.exited(w)
		p.running.Done()
	})
	if p.isClosed() {
		w.end(causeClosed)
	}
	return w
}

func (p *pool) probeError(err error) error {
	failure := &ProbeError{Err: err}
	if e, ok := err.(*startError); ok {
		if failure.Exit = e.exit; e.stdout != "" || !strings.Contains(e.stderr, workerSays) {
			failure.Entry = p.options.Entry
		}
		failure.Captured = e.stdout
		if e.stdout != "" && e.stderr != "" {
			failure.Captured += "\n"
		}
		failure.Captured += e.stderr
	}
	return failure
}

// startFailure is probeError's sibling for workers that fail to start later.
func startFailure(err error) error {
	failure := &WorkerError{Err: ErrStart, Detail: fmt.Sprint(err)}
	if e, ok := err.(*startError); ok {
		failure.Exit, failure.Stderr = e.exit, e.stderr
	}
	return failure
}
