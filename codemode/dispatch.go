package codemode

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode/internal/engine"
	"github.com/codemode-go/codemode/sandbox"
	"github.com/codemode-go/codemode/wire"
)

// A nativeCall is one call on its way through the contract's five steps.
type nativeCall struct {
	*execution
	entry *entry
	event CallEvent
	input any
}

// refused is the class that a worker is told of every call that failed. The
// program ends with it; why it failed stays with the parent.
const refused = byte(engine.CapabilityFailure)

// dispatch serves one call of the worker. It returns an error, which ends the
// execution at once, for what no honest worker sends.
func (x *execution) dispatch(ctx context.Context, request sandbox.Call) (sandbox.Reply, error) {
	e, ok := x.server.catalog.byID[CapabilityID(request.Target)]
	if !ok {
		return sandbox.Reply{}, fmt.Errorf("%w: call of a capability that the worker was not given", sandbox.ErrProtocol)
	}
	number, ok := x.calls.attempt()
	if !ok {
		return sandbox.Reply{}, fmt.Errorf("%w: call after a failed call", sandbox.ErrProtocol)
	}
	call := &nativeCall{execution: x, entry: e, event: CallEvent{
		Call:          Call{ExecutionID: x.id, Number: number, CapabilityID: e.id, CapabilityName: e.name},
		Subject:       x.subject,
		Start:         time.Now(),
		ArgumentBytes: len(request.Arguments),
	}}
	x.calls.note(call.event)
	class, cause := call.serve(context.WithValue(ctx, callKey{}, call.event.Call), request.Arguments)
	if err := ctx.Err(); err != nil {
		class, cause = contextClass(err), context.Cause(ctx)
	}
	if x.calls.settle(ctx, call.event, class, cause); class != nil {
		return sandbox.Reply{Class: refused}, nil
	}
	body, err := x.results.Bytes()
	return sandbox.Reply{Value: body}, err
}

// serve takes the five steps. Of a class, cause is what only the host may see.
func (c *nativeCall) serve(ctx context.Context, encoded []byte) (class, cause error) {
	if c.event.Number > c.server.limits.MaxNativeCalls {
		return ErrResourceLimit, errors.New("MaxNativeCalls was reached")
	}
	arguments, class, cause := c.bind(encoded)
	if class != nil {
		return class, cause
	}
	fenced := ErrPolicyFailure
	broke := fence(func() {
		if class, cause = c.authorize(ctx, arguments); class != nil {
			return
		}
		fenced = ErrInternal
		var output any
		if output, class, cause = c.handle(ctx); class != nil {
			return
		}
		if class, cause = c.convert(output); class == nil {
			c.progress(ctx)
		}
	})
	if broke != nil {
		return fenced, broke
	}
	return class, cause
}

// bind binds the arguments again, to the registered Go input, and projects
// them onto the canonical map.
func (c *nativeCall) bind(encoded []byte) (arguments map[string]any, class, cause error) {
	bound := c.entry.plan.NewArguments()
	err := wire.Decode(encoded, valueLimits(c.server.limits), bound)
	if err == nil {
		err = bound.Finish()
	}
	switch {
	case err == nil:
	case errors.Is(err, wire.ErrDepth), errors.Is(err, wire.ErrSize):
		return nil, ErrResourceLimit, valueCause("the arguments", err)
	case errors.Is(err, wire.ErrMalformed):
		return nil, ErrInternal, err
	default:
		return nil, ErrInvalidArguments, err
	}
	c.input, arguments = bound.Value(), bound.Map()
	if c.server.observer != nil {
		c.event.Arguments = maps.Clone(arguments)
		c.calls.note(c.event)
	}
	return arguments, nil, nil
}

// clock stores how long a step took, also one that panics.
func (c *nativeCall) clock(s step, start time.Time) {
	*s(&c.event) = time.Since(start)
	if c.server.observer != nil {
		c.calls.note(c.event)
	}
}

func (c *nativeCall) authorize(ctx context.Context, arguments map[string]any) (class, cause error) {
	defer c.clock(authorizing, c.calls.begin(authorizing))
	err := c.server.authorizer.Authorize(ctx, authz.AuthorizationInput{
		Subject:        c.subject,
		CapabilityID:   string(c.entry.id),
		CapabilityName: string(c.entry.name),
		Arguments:      arguments,
	})
	switch {
	case err == nil:
		return nil, nil
	case errors.Is(err, authz.ErrDenied):
		return ErrPermissionDenied, err
	default:
		return ErrPolicyFailure, err
	}
}

func (c *nativeCall) handle(ctx context.Context) (output any, class, cause error) {
	// A request that ended while the authorizer decided starts no side effect.
	if err := ctx.Err(); err != nil {
		return nil, contextClass(err), context.Cause(ctx)
	}
	defer c.clock(handling, c.calls.begin(handling))
	output, err := c.entry.handle(ctx, c.subject, c.input)
	if err != nil {
		return nil, ErrCapabilityFailure, err
	}
	return output, nil, nil
}

// convert encodes the output and debits it from the intermediate budget.
func (c *nativeCall) convert(output any) (class, cause error) {
	limits := c.server.limits
	c.results.Reset(c.buffer[:0], valueLimits(limits))
	err := c.entry.plan.WalkOutput(output, c.results)
	if err == nil {
		c.buffer, err = c.results.Bytes()
	}
	switch {
	case err == nil:
	case errors.Is(err, wire.ErrDepth), errors.Is(err, wire.ErrSize):
		return ErrResourceLimit, valueCause("the result", err)
	default:
		return ErrCapabilityFailure, err
	}
	c.event.ResultBytes = len(c.buffer)
	c.resultBytes += len(c.buffer)
	if c.resultBytes > limits.MaxIntermediateValueBytes {
		return ErrResourceLimit, errors.New("MaxIntermediateValueBytes was reached")
	}
	return nil, nil
}

// valueCause says which limit a value passed.
func valueCause(what string, err error) error {
	if errors.Is(err, wire.ErrDepth) {
		return errors.New(what + ": MaxValueDepth was reached")
	}
	return errors.New(what + ": MaxValueBytes was reached")
}

func (c *nativeCall) progress(ctx context.Context) {
	if c.report != nil && ctx.Err() == nil {
		c.report(int(c.event.Number))
	}
}

// fence runs f on a goroutine of its own, so that a panic or runtime.Goexit of
// host code ends f and nothing else. It returns an error when f did not return.
func fence(f func()) error {
	done := make(chan error, 1)
	go func() {
		broke := errors.New("runtime.Goexit was called")
		// Deferred first, because the text of a panic is host code as well.
		defer func() { done <- broke }()
		defer func() {
			if p := recover(); p != nil {
				broke = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		f()
		broke = nil
	}()
	return <-done
}
