package main

import (
	"context"
	"errors"
	"expvar"
	"time"

	"github.com/codemode-go/codemode/codemode"
)

// Observers passes every event to each of several observers.
type observers []codemode.Observer

func (list observers) ObserveCall(ctx context.Context, event codemode.CallEvent) {
	for _, o := range list {
		o.ObserveCall(ctx, event)
	}
}

func (list observers) ObserveExecution(ctx context.Context, event codemode.ExecutionEvent) {
	for _, o := range list {
		o.ObserveExecution(ctx, event)
	}
}

// A meter counts. Any metrics library fits in its place: the events carry
// start, duration and class.
type meter struct {
	calls, executions *expvar.Map // by capability and class; by class
	milliseconds      *expvar.Map // spent in executions: waiting, in handlers, in all
	slowest           *expvar.Float
}

func newMeter(name string) *meter {
	m := &meter{new(expvar.Map), new(expvar.Map), new(expvar.Map), new(expvar.Float)}
	all := expvar.NewMap(name)
	all.Set("calls", m.calls)
	all.Set("executions", m.executions)
	all.Set("milliseconds", m.milliseconds)
	all.Set("slowest_ms", m.slowest)
	return m
}

// ObserveCall counts a call. Labels are the capability and the class, which are
// few. Never the subject or an argument: they are without bound.
func (m *meter) ObserveCall(_ context.Context, e codemode.CallEvent) {
	m.calls.Add(string(e.CapabilityID)+" "+class(e.Err), 1)
}

func (m *meter) ObserveExecution(_ context.Context, e codemode.ExecutionEvent) {
	m.executions.Add(class(e.Err), 1)
	m.milliseconds.AddFloat("waited", ms(e.Usage.Waited))
	m.milliseconds.AddFloat("in_handlers", ms(e.Usage.InHandlers))
	m.milliseconds.AddFloat("all", ms(e.Duration))
	m.slowest.Set(max(m.slowest.Value(), ms(e.Duration)))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// class is a short and stable word for an error. The text of some errors holds
// words of the program, of which there are as many as programs.
func class(err error) string {
	for _, c := range []struct {
		err  error
		name string
	}{
		{nil, "ok"},
		{codemode.ErrInvalidProgram, "invalid_program"},
		{codemode.ErrInvalidArguments, "invalid_arguments"},
		{codemode.ErrPermissionDenied, "denied"},
		{codemode.ErrPolicyFailure, "policy_failed"},
		{codemode.ErrResourceLimit, "limit"},
		{codemode.ErrCapabilityFailure, "capability_failed"},
		{codemode.ErrUnauthenticated, "unauthenticated"},
		{context.Canceled, "canceled"},
	} {
		if errors.Is(err, c.err) {
			return c.name
		}
	}
	return "internal"
}
