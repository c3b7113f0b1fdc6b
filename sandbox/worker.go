package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/codemode-go/codemode/wire"
)

const (
	startTimeout = 10 * time.Second       // from the start to Ready, where the caller's context allows more
	exitGrace    = 250 * time.Millisecond // between the end of a pipe and the end of the process behind it
	stderrGrace  = 200 * time.Millisecond // for what still lies in the pipe after a kill
)

// A cause is why the parent ended a worker.
type cause int32

const (
	causeNone     cause = iota // not ended by the parent
	causeFinished              // its job has an outcome, or it never got one
	causeContext               // the caller's context
	causeMemory                // the memory watch
	causeProtocol
	causeDispatch
	causeClosed // the pool
)

// An ending is what an exit status alone tells.
type ending int

const (
	endedOtherwise ending = iota
	endedByRuntime        // exit 2: a fatal error or panic of the Go runtime
	endedBySystem         // killed by a signal that nobody sent
	endedForbidden        // killed by the system-call filter
)

// A worker is the parent's side of one process. One goroutine, attend, owns its standard error and its exit; whoever holds the
// worker owns the pipes and calls end.
type worker struct {
	process *process
	frames  *wire.Reader
	sink    *wire.Writer
	report  Report
	stderr  capture
	stdout  record
	meter   meter
	why     atomic.Int32 // cause
	ending  sync.Once
	exited  chan struct{} // closed when the process is reaped
	state   *os.ProcessState
	warm    bool // was idle
}

// newWorker takes over a started process. onExit is called when it is reaped.
func newWorker(p *process, onExit func(*worker)) *worker {
	w := &worker{process: p, sink: wire.NewWriter(p.in), exited: make(chan struct{})}
	w.stdout.source = p.out
	w.frames = wire.NewReader(&w.stdout)
	w.meter.open(p.handle.Pid)
	go w.attend(onExit)
	return w
}

// attend outlives whatever else happens to the worker. The end of standard error is how it learns of a death without a thread that waits.
func (w *worker) attend(onExit func(*worker)) {
	w.stderr.drain(w.process.errs)
	w.state, _ = w.process.handle.Wait()
	w.process.errs.Close()
	w.meter.close()
	w.process.disown()
	close(w.exited)
	onExit(w)
}

// end kills the worker, now, and closes the pipes, which ends every read and write on them. The first cause stays.
func (w *worker) end(why cause) {
	w.why.CompareAndSwap(int32(causeNone), int32(why))
	w.ending.Do(func() {
		w.process.handle.Kill() // an error means that it is dead
		w.process.in.Close()
		w.process.out.Close()
		// A descendant of the worker may hold standard error open.
		w.process.errs.SetReadDeadline(time.Now().Add(stderrGrace))
	})
}

func (w *worker) cause() cause { return cause(w.why.Load()) }

func (w *worker) dead() bool {
	select {
	case <-w.exited:
		return true
	default:
		return false
	}
}

// awaitExit waits until the process is reaped, not longer than a dying process takes, and reports whether it is.
func (w *worker) awaitExit(ctx context.Context) bool {
	timer := time.NewTimer(exitGrace)
	defer timer.Stop()
	select {
	case <-w.exited:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return w.dead()
}

// A startError says why a worker did not become ready.
type startError struct {
	err            error
	exit           string
	stdout, stderr string
}

func (e *startError) Error() string { return e.err.Error() }

// prepare leads the worker from its start to Ready. setup is the whole Setup frame, want is what the worker's report must cover.
func (w *worker) prepare(ctx context.Context, setup []byte, want Report) error {
	stop := context.AfterFunc(ctx, func() { w.end(causeContext) })
	err := w.handshake(setup, want)
	if stop() && err == nil {
		if w.report.Layers.Has(Processes) {
			block(w.process.out) // not earlier: nobody else may be about to close it
		}
		return nil
	}
	if err == nil || ctx.Err() != nil {
		err = fmt.Errorf("not ready in time: %w", ctx.Err())
	}
	exit := ""
	if w.cause() == causeNone && w.awaitExit(ctx) {
		exit = w.state.String()
	}
	w.end(causeFinished)
	<-w.exited // killed: the end is near, and its last words are wanted
	return &startError{err: err, exit: exit, stdout: w.stdout.String(), stderr: w.stderr.String()}
}

// handshake sends the setup at once to workers of a binary that has been probed: it waits in the pipe until they want it, and they do not have to
// wait for a parent that wakes up to their Hello. There is nothing in it that must not reach a worker that then says too little.
func (w *worker) handshake(setup []byte, want Report) error {
	widen(w.process.in, len(setup))
	probed := want != Report{}
	var unsent error
	if probed {
		_, unsent = w.process.in.Write(setup)
	}
	if err := w.greet(want); err != nil {
		return err
	}
	if !probed {
		_, unsent = w.process.in.Write(setup)
	}
	if unsent != nil {
		return fmt.Errorf("setup was not taken: %w", unsent)
	}
	if _, err := w.frames.Next(wire.Caps{wire.KindReady: wire.Empty}); err != nil {
		return expected("Ready", err)
	}
	if w.frames.Buffered() > 0 {
		return errors.New("worker sent more after Ready")
	}
	w.meter.base()
	return nil
}

// greet reads Hello and learns what holds.
func (w *worker) greet(want Report) error {
	frame, err := w.frames.Next(wire.Caps{wire.KindHello: wire.MaxHelloEnvelope + reportSize})
	if err != nil {
		return expected("Hello", err)
	}
	hello, err := wire.ParseHello(frame.Payload)
	if err != nil {
		return expected("Hello", err)
	}
	if hello.Version != wire.Version {
		return fmt.Errorf("worker speaks version %d of the protocol, want %d", hello.Version, wire.Version)
	}
	report, ok := parseReport(hello.Report)
	if !ok {
		return errors.New("worker sent a report that this version does not know")
	}
	report.Layers |= w.process.layers
	if report.Memory < MemoryWatched && w.meter.works() {
		report.Memory = MemoryWatched
	}
	if w.report = report; !report.covers(want) {
		return fmt.Errorf("worker enforces less than the first one did: got %v, want %v", report, want)
	}
	w.stdout.stop()
	return nil
}

func expected(what string, err error) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("worker ended before %s", what)
	}
	return fmt.Errorf("worker did not send %s: %w", what, err)
}

// A record is standard output as the worker's frames come in. Until stop it keeps the beginning: what a host prints that never
// reaches the worker entry is no frame, but is what its author wants to see.
type record struct {
	source  io.Reader
	kept    []byte
	stopped bool
}

func (r *record) Read(p []byte) (int, error) {
	n, err := r.source.Read(p)
	if !r.stopped && n > 0 {
		r.kept = append(r.kept, p[:min(n, stderrHead-len(r.kept))]...)
	}
	return n, err
}

func (r *record) stop() { r.kept, r.stopped = nil, true }

func (r *record) String() string { return string(r.kept) }
