package sandbox

import (
	"errors"
	"fmt"
	"strings"
)

// The decisions that a caller of [Pool.Run] can make. Where a worker is to blame they come in a [*WorkerError].
var (
	// ErrLimit: the worker ran out of memory, stack or CPU time, or the system took it down to save memory.
	ErrLimit = errors.New("sandbox: worker passed a resource limit")

	// ErrCrashed: the worker ended by itself without an outcome.
	ErrCrashed = errors.New("sandbox: worker crashed")

	// ErrProtocol: the worker sent what it must not send, or closed its pipes.
	ErrProtocol = errors.New("sandbox: worker broke the protocol")

	// ErrForbidden: the worker was killed by the system for a system call that no job needs. Worth an alarm.
	ErrForbidden = errors.New("sandbox: worker attempted a forbidden system call")

	// ErrStart: no worker could be started or made ready.
	ErrStart = errors.New("sandbox: worker did not start")

	// ErrClosed: the pool is closed.
	ErrClosed = errors.New("sandbox: pool is closed")

	// ErrJobSize: the job is larger than Options.MaxJobBytes. No worker has seen it.
	ErrJobSize = errors.New("sandbox: job is too large")

	// ErrReplySize: a dispatch returned a reply larger than Options.MaxReplyBytes.
	ErrReplySize = errors.New("sandbox: reply is too large")

	// ErrNested: New was called in a process that is itself a worker. Its main does not start with the worker entry.
	ErrNested = errors.New("sandbox: this process is a worker and starts no workers")

	// ErrGoexit: a dispatch ended its goroutine with runtime.Goexit instead of returning.
	ErrGoexit = errors.New("sandbox: dispatch called runtime.Goexit")
)

// A WorkerError says how a worker ended. It unwraps to one of the sentinels. Everything in it beside Err may have been chosen by the
// worker: it is for the host's log, not for whoever sent the job.
type WorkerError struct {
	Err    error  // ErrLimit, ErrCrashed, ErrProtocol, ErrForbidden or ErrStart
	Detail string // what the parent saw, one line; "" if there is nothing to add
	Exit   string // "exit status 2", "signal: killed", …; "" if the worker did not end by itself
	Stderr string // the beginning and the end of what it wrote to standard error
}

// Error returns one line without the captured output.
func (e *WorkerError) Error() string {
	text := e.Err.Error()
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if e.Exit != "" {
		text += " (" + e.Exit + ")"
	}
	return text
}

// Unwrap returns Err.
func (e *WorkerError) Unwrap() error { return e.Err }

// A ProbeError is why [New] could not bring a worker of this binary to Ready.
type ProbeError struct {
	Entry    string // what the host's main has to call first; "" where main is not to blame: no process came to be, or it did call that
	Err      error  // what happened
	Exit     string // how the worker ended; "" if it had to be killed
	Captured string // what it wrote to standard output and standard error, bounded
}

// Error names what happened, the likely reason where it is known, and shows the captured output.
func (e *ProbeError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "sandbox: no worker could be started from this binary: %v", e.Err)
	if e.Exit != "" {
		fmt.Fprintf(&text, " (%s)", e.Exit)
	}
	if e.Entry != "" {
		fmt.Fprintf(&text, "; is %s the first statement of main (of TestMain in a test binary), before anything is printed or started?", e.Entry)
	}
	if e.Captured != "" {
		fmt.Fprintf(&text, "\nthe worker wrote:\n%s", e.Captured)
	}
	return text.String()
}

// Unwrap returns Err.
func (e *ProbeError) Unwrap() error { return e.Err }

// A RequireError lists the required layers that cannot be had on this system.
type RequireError struct {
	Missing Layers
	Report  Report
}

func (e *RequireError) Error() string {
	return fmt.Sprintf("sandbox: required layers are not enforced here: %v (%v)", e.Missing, e.Report)
}
