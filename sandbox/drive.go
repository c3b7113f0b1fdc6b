package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/codemode-go/codemode/wire"
)

// attempts is how many workers a job is given to, while each of them was struck before it did any of it.
const attempts = 3

// drive is the goroutine that leads the job to its end.
func (r *run) drive(w *worker) {
	returned := false
	defer func() {
		if !returned {
			// The recovered value of a runtime.Goexit is nil.
			if r.panicked = recover(); r.panicked == nil {
				r.err = ErrGoexit
			}
		}
		r.drop(causeDispatch)
		close(r.done)
	}()
	r.outcome, r.err = r.serve(w)
	returned = true
}

// serve finds a worker that takes the job. w is ready, or nil for a slot to start one in.
func (r *run) serve(w *worker) (Outcome, error) {
	for attempt := 1; ; attempt++ {
		if w == nil {
			var err error
			if w, err = r.startWorker(); err != nil {
				return Outcome{}, err
			}
		}
		if !r.hold(w) {
			return Outcome{}, context.Canceled // nobody listens
		}
		outcome, err := r.converse(w)
		if err == nil || attempt == attempts || r.bytesIn.Load() > 0 || !w.struckIdle() {
			return outcome, err
		}
		r.drop(causeFinished)
		if w, err = r.pool.acquire(r.ctx); err != nil {
			return Outcome{}, err
		}
	}
}

// struckIdle reports whether the worker was killed by the system after it had waited for a job and before it did any of it: the job is
// not what killed it, and as it has called nothing, it may be given to another. Whether it had read the job cannot be told: the kernel
// may have copied it for a process that was dying already.
func (w *worker) struckIdle() bool {
	const reading = 10 * time.Millisecond // of CPU time, dying included
	return w.warm && w.dead() && w.cause() == causeFinished && w.state != nil && verdict(w.state) == endedBySystem &&
		w.meter.readyCPU() > 0 && w.state.UserTime()+w.state.SystemTime() < w.meter.readyCPU()+reading
}

func (r *run) startWorker() (*worker, error) {
	r.cold.Store(true)
	begin := time.Now()
	w, err := r.pool.start(r.ctx)
	r.start.Add(int64(time.Since(begin)))
	switch {
	case err == nil:
		return w, nil
	case r.pool.isClosed():
		return nil, ErrClosed
	default:
		return nil, startFailure(err)
	}
}

// converse is the protocol of one job. The worker is held to: calls one at a time and in sequence, everything within its cap, then Done
// or Fault and nothing more.
func (r *run) converse(w *worker) (Outcome, error) {
	r.began.Store(time.Now().UnixNano())
	if w.early() {
		return Outcome{}, r.breach(w, "something came before the job was sent")
	}
	if _, err := w.process.in.Write(r.job); err != nil {
		return Outcome{}, r.failure(w, err)
	}
	r.bytesOut.Store(int64(len(r.job) - wire.HeaderSize))
	caps := r.pool.caps()
	for seq := uint64(1); ; seq++ {
		frame, err := w.frames.Next(caps)
		if err != nil {
			return Outcome{}, r.failure(w, err)
		}
		if w.frames.Buffered() > 0 {
			return Outcome{}, r.breach(w, fmt.Sprintf("more came behind %v", frame.Kind))
		}
		r.bytesIn.Add(int64(len(frame.Payload)))
		if frame.Kind != wire.KindCall {
			return r.finish(w, frame)
		}
		if err := r.answer(w, seq, frame.Payload); err != nil {
			return Outcome{}, err
		}
	}
}

// caps returns what a worker may send while a job runs.
func (p *pool) caps() wire.Caps {
	o := &p.options
	return wire.Caps{
		wire.KindCall:  wire.MaxCallEnvelope + o.MaxTargetBytes + o.MaxArgumentBytes,
		wire.KindDone:  wire.MaxDoneEnvelope + o.MaxValueBytes,
		wire.KindFault: wire.MaxFaultEnvelope + o.MaxDetailBytes,
	}
}

// answer dispatches one call and sends the reply.
func (r *run) answer(w *worker, seq uint64, payload []byte) error {
	call, err := wire.ParseCall(payload)
	o := &r.pool.options
	switch {
	case err != nil:
		return r.breach(w, err.Error())
	case call.Seq != seq:
		return r.breach(w, fmt.Sprintf("call %d came, want %d", call.Seq, seq))
	case len(call.Target) > o.MaxTargetBytes || len(call.Arguments) > o.MaxArgumentBytes:
		return r.breach(w, fmt.Sprintf("target of %d and arguments of %d bytes, want at most %d and %d",
			len(call.Target), len(call.Arguments), o.MaxTargetBytes, o.MaxArgumentBytes))
	case r.dispatch == nil:
		return r.breach(w, "a call came, want none")
	}
	r.calls.Add(1)
	r.inCalls.Add(-int64(time.Since(epoch)))
	reply, err := r.dispatch(r.ctx, Call{Seq: seq, Target: call.Target, Arguments: call.Arguments})
	r.inCalls.Add(int64(time.Since(epoch)))
	if err == nil && len(reply.Value) > o.MaxReplyBytes {
		err = fmt.Errorf("%w: got %d bytes, want at most %d", ErrReplySize, len(reply.Value), o.MaxReplyBytes)
	}
	if err != nil {
		r.observe(w)
		r.drop(causeDispatch)
		return err
	}
	var envelope [wire.MaxResultEnvelope]byte
	if err := w.sink.Write(wire.KindResult, wire.AppendResult(envelope[:0], wire.Result{Seq: seq, Class: reply.Class}), reply.Value); err != nil {
		return r.failure(w, err)
	}
	r.bytesOut.Add(int64(len(reply.Value)))
	return nil
}

// finish reads the frame that ends the job, and ends the worker.
func (r *run) finish(w *worker, frame wire.Frame) (Outcome, error) {
	o := &r.pool.options
	var outcome Outcome
	if frame.Kind == wire.KindDone {
		done, err := wire.ParseDone(frame.Payload)
		if err == nil && len(done.Value) > o.MaxValueBytes {
			err = fmt.Errorf("value of %d bytes, want at most %d", len(done.Value), o.MaxValueBytes)
		}
		if err != nil {
			return Outcome{}, r.breach(w, err.Error())
		}
		// The frame's buffer was this worker's alone: no copy.
		outcome = Outcome{Value: done.Value, Units: done.Units}
	} else {
		fault, err := wire.ParseFault(frame.Payload)
		if err == nil && len(fault.Detail) > o.MaxDetailBytes {
			err = fmt.Errorf("detail of %d bytes, want at most %d", len(fault.Detail), o.MaxDetailBytes)
		}
		if err != nil {
			return Outcome{}, r.breach(w, err.Error())
		}
		outcome = Outcome{Units: fault.Units, Fault: &Fault{Class: fault.Class, Detail: fault.Detail}}
	}
	r.observe(w)
	r.retire()
	return outcome, nil
}

// breach ends a worker that broke the protocol.
func (r *run) breach(w *worker, detail string) error {
	r.observe(w)
	w.end(causeProtocol)
	<-w.exited
	return r.classify(w, detail)
}

// failure finds out what a broken conversation means, and ends the worker.
func (r *run) failure(w *worker, err error) error {
	detail := ""
	var frame *wire.FrameError
	switch {
	case errors.As(err, &frame):
		return r.breach(w, err.Error())
	case w.cause() == causeNone && !w.awaitExit(r.ctx):
		return r.breach(w, pipesClosed)
	case errors.Is(err, io.ErrUnexpectedEOF):
		detail = "it ended inside a frame"
	}
	w.end(causeFinished)
	<-w.exited
	return r.classify(w, detail)
}

// pipesClosed is said of a worker that let go of its pipes and was not seen to end. On a busy system the news of its end can be later than that.
const pipesClosed = "worker closed its pipes"

// classify tells how a reaped worker died. Whom the parent killed is judged by why.
func (r *run) classify(w *worker, detail string) error {
	failure := &WorkerError{Err: ErrCrashed, Detail: detail, Stderr: w.stderr.String()}
	r.peak.Store(max(r.peak.Load(), w.meter.highest()))
	switch w.cause() {
	case causeContext:
		return context.Canceled // nobody listens
	case causeClosed:
		return ErrClosed
	case causeMemory:
		failure.Err, failure.Detail = ErrLimit, "it used more memory than its budget"
		return failure
	case causeProtocol:
		if failure.Err = ErrProtocol; detail != pipesClosed || w.state == nil || verdict(w.state) != endedByRuntime {
			return failure
		}
		failure.Err, failure.Detail = ErrCrashed, "" // the kill came too late to be its end
	}
	if w.state == nil {
		failure.Detail = "its exit could not be observed"
		return failure
	}
	failure.Exit = w.state.String()
	r.cpu.Store(max(r.cpu.Load(), int64(w.state.UserTime()+w.state.SystemTime())))
	switch verdict(w.state) {
	case endedBySystem:
		failure.Err, failure.Detail = ErrLimit, "the system ended it, for its CPU time or to save memory"
	case endedForbidden:
		failure.Err = ErrForbidden
	case endedByRuntime:
		if w.stderr.hitLimit() {
			failure.Err, failure.Detail = ErrLimit, "its memory or stack ran out"
		}
	}
	return failure
}
