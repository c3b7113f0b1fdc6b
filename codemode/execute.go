package codemode

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/codemode/internal/engine"
	"github.com/codemode-go/codemode/sandbox"
	"github.com/codemode-go/codemode/wire"
)

// A Program is the source of a Starlark program that defines main().
type Program string

// Execute runs program in a process of its own, on behalf of subject, and
// returns what its main returned: nil, bool, string, int64, float64, []any or
// map[string]any. Nothing else that the program did or printed is returned.
//
// Each native call is bound, canonicalized, authorized and only then
// dispatched to its handler, with a context that ends with the execution. An
// error matches one of the classes of this package, or [context.Canceled] when
// ctx was cancelled. Execute returns at its deadline also when a handler does
// not.
func (s *Server) Execute(ctx context.Context, subject authz.Subject, program Program) (any, error) {
	if !s.built() {
		return nil, ErrInternal
	}
	x := s.newExecution(subject, program)
	if ctx == nil {
		x.observe(context.Background(), ErrInternal, errors.New("Execute with a nil context"))
		return nil, ErrInternal
	}
	if x.report = progressFromContext(ctx); x.report != nil {
		ctx = WithProgress(ctx, nil) // What handlers execute with their context is not this execution.
	}
	value, class, cause := x.run(ctx)
	x.observe(ctx, class, cause)
	return value, class
}

// An execution is the parent's state of one run. The goroutine that serves its
// calls uses results, buffer and resultBytes, one call at a time.
type execution struct {
	server  *Server
	subject authz.Subject
	program Program
	id      string
	start   time.Time
	report  func(calls int)
	usage   Usage
	calls   callLog

	results     *wire.Encoder
	buffer      []byte
	resultBytes int
}

func (s *Server) newExecution(subject authz.Subject, program Program) *execution {
	return &execution{
		server:  s,
		subject: subject,
		program: program,
		id:      rand.Text(),
		start:   time.Now(),
		calls:   callLog{keep: s.observer != nil},
		results: new(wire.Encoder),
	}
}

// run returns the final value, or the public class of what went wrong and the
// trusted cause.
func (x *execution) run(ctx context.Context) (value any, class, cause error) {
	limits := x.server.limits
	if x.subject.ID == "" {
		return nil, ErrUnauthenticated, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, contextClass(err), context.Cause(ctx)
	}
	// What is too long or no text never reaches a worker.
	if len(x.program) > limits.MaxSourceBytes {
		return nil, ErrResourceLimit, errors.New("MaxSourceBytes was reached")
	}
	if problem := engine.TextProblem([]byte(x.program)); problem != nil {
		return nil, &ProgramError{ErrInvalidProgram, problem.String()}, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limits.MaxExecutionTime, errTime)
	defer cancel()
	outcome, usage, err := x.server.pool.Run(ctx, appendJob(jobExecute, string(x.program)), x.dispatch)
	x.usage = newUsage(usage, outcome.Units)
	class, cause = runClass(err), err
	if err != nil && errors.Is(err, ctx.Err()) {
		cause = context.Cause(ctx)
	}
	if verdict, cause := x.calls.close(class, cause); verdict != nil {
		return nil, verdict, cause
	}
	if err != nil {
		return nil, class, cause
	}
	if outcome.Fault != nil {
		// The fault may be what the end of the request made of a call.
		if err := ctx.Err(); err != nil {
			return nil, contextClass(err), context.Cause(ctx)
		}
		class, cause := faultClass(outcome.Fault)
		return nil, class, cause
	}
	return decodeFinal(outcome.Value, limits)
}

func decodeFinal(body []byte, limits Limits) (value any, class, cause error) {
	var builder binding.PlainBuilder
	if err := wire.Decode(body, valueLimits(limits), &builder); err != nil {
		return nil, ErrInternal, err
	}
	value, err := builder.Value()
	if err != nil {
		return nil, ErrInternal, err
	}
	return value, nil, nil
}

// errTime is the cause of a deadline that no caller has set.
var errTime = fmt.Errorf("MaxExecutionTime was reached: %w", context.DeadlineExceeded)

func valueLimits(limits Limits) wire.Limits {
	return wire.Limits{MaxDepth: limits.depth(), MaxBytes: limits.MaxValueBytes}
}

// runClass is the public class of a run that brought no outcome.
func runClass(err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return contextClass(err)
	case errors.Is(err, sandbox.ErrLimit):
		return ErrResourceLimit
	default:
		return ErrInternal
	}
}

// faultClass is the public class of what a worker reported. A class that only
// the parent can decide on is none that a worker may report.
func faultClass(fault *sandbox.Fault) (class, cause error) {
	switch engine.Class(fault.Class) {
	case engine.InvalidProgram:
		return &ProgramError{ErrInvalidProgram, cleanDetail(fault.Detail)}, nil
	case engine.InvalidArguments:
		return &ProgramError{ErrInvalidArguments, cleanDetail(fault.Detail)}, nil
	case engine.ResourceLimit:
		return ErrResourceLimit, reported(fault)
	default:
		return ErrInternal, reported(fault)
	}
}

func reported(fault *sandbox.Fault) error {
	return errors.New("worker reported: " + cleanDetail(fault.Detail))
}

// maxDetailBytes bounds what a worker may say about a program.
const maxDetailBytes = 4 << 10

// cleanDetail makes one line of bounded, valid text of what a worker sent.
func cleanDetail(detail string) string {
	if len(detail) > maxDetailBytes {
		detail = detail[:maxDetailBytes]
	}
	detail = strings.ToValidUTF8(detail, "")
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, detail)
}
