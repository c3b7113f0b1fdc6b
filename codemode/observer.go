package codemode

import (
	"context"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/sandbox"
)

// An Observer is told what a server did, with the causes that no client sees.
// Its methods are called when the execution is over and its worker gone, on
// one goroutine per execution: first ObserveCall for every call in order, then
// ObserveExecution. Execute returns after them, so a slow observer delays the
// caller but holds no worker. A panic of a method is recovered and costs that
// event alone. Executions run concurrently, and so do their observations.
//
// A call that did not bind in the worker never reached the host: it is seen as
// the class and detail of its execution.
type Observer interface {
	ObserveCall(ctx context.Context, event CallEvent)
	ObserveExecution(ctx context.Context, event ExecutionEvent)
}

// A CallEvent is one native call that reached the host.
type CallEvent struct {
	// Call names the execution, the number of the call and the capability.
	Call
	// Subject is who called.
	Subject authz.Subject
	// Arguments are the canonical arguments; nil when they did not bind.
	Arguments map[string]any
	// Err is the class of the failure, nil for success.
	Err error
	// Cause is the trusted cause behind Err, where there is one: the error or
	// panic of the authorizer or handler, or the field of [Limits] that was
	// reached. It must not reach a client.
	Cause error
	// Start is when the call arrived, Duration how long it took;
	// Authorizing and Handling are the parts of host code in it. What had not
	// returned when the execution ended counts up to then.
	Start                           time.Time
	Duration, Authorizing, Handling time.Duration
	// ArgumentBytes and ResultBytes are the encoded bodies.
	ArgumentBytes, ResultBytes int
}

// An ExecutionEvent is one call of [Server.Execute], refused ones included.
type ExecutionEvent struct {
	// ExecutionID is that of the execution's calls.
	ExecutionID string
	Subject     authz.Subject
	Program     Program
	// Err is what Execute returned, Cause the trusted cause behind it, where
	// there is one. Cause must not reach a client.
	Err, Cause error
	// Start is when Execute was called, Duration how long it took.
	Start    time.Time
	Duration time.Duration
	Usage    Usage
}

// Usage is what one execution used. It is zero where no worker was involved.
type Usage struct {
	// Steps is the worker's own count of bytecode steps. All else is the
	// parent's.
	Steps uint64
	// Calls is the number of native calls that reached the host.
	Calls uint64
	// Waited is the time before a worker was free.
	Waited time.Duration
	// InHandlers is the time in authorizers and handlers.
	InHandlers time.Duration
	// CPU and PeakMemoryBytes are the worker's, where the platform tells.
	CPU             time.Duration
	PeakMemoryBytes int64
	// Cold reports that the execution had to wait for a process to start.
	Cold bool
	// BytesToWorker and BytesFromWorker count the payloads of frames.
	BytesToWorker, BytesFromWorker int64
}

func newUsage(u sandbox.Usage, steps uint64) Usage {
	return Usage{
		Steps:           steps,
		Calls:           u.Calls,
		Waited:          u.Wait,
		InHandlers:      u.InCalls,
		CPU:             u.CPU,
		PeakMemoryBytes: u.PeakBytes,
		Cold:            u.Cold,
		BytesToWorker:   u.BytesOut,
		BytesFromWorker: u.BytesIn,
	}
}

// observe delivers the events of an execution that is over.
func (x *execution) observe(ctx context.Context, class, cause error) {
	observer := x.server.observer
	if observer == nil {
		return
	}
	for _, event := range x.calls.events {
		_ = fence(func() { observer.ObserveCall(ctx, event) })
	}
	_ = fence(func() {
		observer.ObserveExecution(ctx, ExecutionEvent{
			ExecutionID: x.id,
			Subject:     x.subject,
			Program:     x.program,
			Err:         class,
			Cause:       cause,
			Start:       x.start,
			Duration:    time.Since(x.start),
			Usage:       x.usage,
		})
	})
}
