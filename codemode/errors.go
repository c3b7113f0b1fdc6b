package codemode

import (
	"context"
	"errors"
	"log/slog"
)

// The classes of failure. [Server.Execute], [Server.Search], [Server.Describe]
// and [Builder.Build] return errors that match exactly one of them with
// [errors.Is], or [context.Canceled]. No other cause can be reached from a
// returned error; an [Observer] sees the trusted ones.
var (
	// ErrInvalidRegistration: a capability, an option, a limit or the wiring
	// of the host was refused.
	ErrInvalidRegistration = errors.New("invalid registration")
	// ErrUnauthenticated: the subject has no ID.
	ErrUnauthenticated = errors.New("unauthenticated")
	// ErrNotFound: no enabled capability has this exact name.
	ErrNotFound = errors.New("capability not found")
	// ErrInvalidProgram: the source, its entry point, what it did while it ran
	// or the value it returned.
	ErrInvalidProgram = errors.New("invalid program")
	// ErrInvalidArguments: a native call did not bind.
	ErrInvalidArguments = errors.New("invalid capability arguments")
	// ErrPermissionDenied: the authorizer's error wraps authz.ErrDenied.
	ErrPermissionDenied = errors.New("permission denied")
	// ErrPolicyFailure: any other error, or a panic, of the authorizer.
	ErrPolicyFailure = errors.New("authorization policy failure")
	// ErrResourceLimit: a limit of [Limits] was reached. When it was time, the
	// error also matches [context.DeadlineExceeded].
	ErrResourceLimit = errors.New("resource limit exceeded")
	// ErrCapabilityFailure: the handler failed or returned an invalid value.
	ErrCapabilityFailure = errors.New("capability failed")
	// ErrInternal: a panic of a handler, a worker that broke off, a nil context.
	ErrInternal = errors.New("internal failure")
)

// A ProgramError is an [ErrInvalidProgram] or [ErrInvalidArguments] with what
// the engine or the binding had to say about the submitted program. Only this
// package makes one, so its detail is safe to show to whoever sent the program.
type ProgramError struct {
	class  error
	detail string
}

// Error returns the class and the detail.
func (e *ProgramError) Error() string {
	if e.detail == "" {
		return e.class.Error()
	}
	return e.class.Error() + ": " + e.detail
}

// Detail returns the text after the class: one bounded line of valid UTF-8
// about the program's own text and values. It may be empty.
func (e *ProgramError) Detail() string { return e.detail }

// Unwrap returns [ErrInvalidProgram] or [ErrInvalidArguments].
func (e *ProgramError) Unwrap() error { return e.class }

// A deadlineError is a resource limit that was a deadline, the server's or the
// caller's.
type deadlineError struct{}

var errDeadline error = deadlineError{}

func (deadlineError) Error() string   { return ErrResourceLimit.Error() }
func (deadlineError) Unwrap() []error { return []error{ErrResourceLimit, context.DeadlineExceeded} }

// contextClass returns the public error for a context that ended.
func contextClass(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errDeadline
	}
	return context.Canceled
}

// level is how much a class matters to whoever runs the host.
func level(class error) slog.Level {
	switch {
	case class == nil, errors.Is(class, context.Canceled):
		return slog.LevelInfo
	case errors.Is(class, ErrPolicyFailure), errors.Is(class, ErrCapabilityFailure), errors.Is(class, ErrInternal):
		return slog.LevelError
	default:
		return slog.LevelWarn
	}
}
