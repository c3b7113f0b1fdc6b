package codemode

import "context"

type progressKey struct{}

// WithProgress returns a context with which [Server.Execute] calls report
// after every native call that completed, with the number of calls completed
// so far. Calls of report for one execution do not overlap. A report that
// blocks holds up its program. The contexts of authorizers and handlers carry
// no report: an execution that one of them starts counts on its own.
func WithProgress(ctx context.Context, report func(calls int)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

func progressFromContext(ctx context.Context) func(int) {
	report, _ := ctx.Value(progressKey{}).(func(int))
	return report
}

// A Call identifies one native call to the handler and to the authorizer that
// serve it. The numbers are those of the [Observer]'s events.
type Call struct {
	// ExecutionID is unique to the execution.
	ExecutionID string
	// Number counts the calls of the execution from 1.
	Number uint64
	// CapabilityID and CapabilityName name what is called.
	CapabilityID   CapabilityID
	CapabilityName CapabilityName
}

type callKey struct{}

// CallFromContext returns the call that a handler or an authorizer serves, and
// reports whether ctx belongs to one.
func CallFromContext(ctx context.Context) (Call, bool) {
	call, ok := ctx.Value(callKey{}).(Call)
	return call, ok
}
