package codemode_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

const endless = "for _ in range(1 << 60): pass"

// wantDeadline fails t unless err is a resource limit that was a deadline.
func wantDeadline(t *testing.T, err error) {
	t.Helper()
	wantClass(t, err, codemode.ErrResourceLimit)
	if !errors.Is(err, context.DeadlineExceeded) || err.Error() != "resource limit exceeded" {
		t.Errorf("got %v, want a deadline that reads as a resource limit", err)
	}
	wantNoSecret(t, err)
}

// TestEndsOfARequest: cancellation, the caller's deadline, the server's, and
// which wins.
func TestEndsOfARequest(t *testing.T) {
	g := newGate(t)
	stuck := newGate(t)
	long := codemode.Limits{MaxExecutionSteps: 1 << 62, MaxExecutionTime: time.Minute}
	short := codemode.Limits{MaxExecutionSteps: 1 << 62, MaxExecutionTime: 100 * time.Millisecond}
	obeys := offer("x.obeys", func(ctx context.Context, _ empty) (empty, error) {
		g.entered <- struct{}{}
		<-ctx.Done()
		return empty{}, ctx.Err()
	})
	var stuckAuthorizer atomic.Bool
	options := func(l codemode.Limits) codemode.Options {
		return codemode.Options{Limits: l, Authorizer: authorizerFunc(func(_ context.Context, in authz.AuthorizationInput) error {
			if stuckAuthorizer.Load() {
				if in.CapabilityName == "x.obeys" {
					stuck.entered <- struct{}{}
				}
				<-stuck.release
			}
			return nil
		})}
	}
	patient := start(t, options(long), g.add("x.ignores"), obeys)
	hasty := start(t, options(short), g.add("x.ignores"), obeys)
	programs := map[string]string{"a loop": endless, "a handler that ignores its context": "x.ignores()", "a handler that obeys it": "x.obeys()"}

	for where, text := range programs {
		t.Run("cancelled in "+where, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(50*time.Millisecond, func() { cancel(&secretError{"secret"}) })
			_, err := patient.Execute(ctx, alice, body(text))
			wantClass(t, err, context.Canceled)
			if err != context.Canceled || errors.Is(err, codemode.ErrResourceLimit) {
				t.Errorf("got %#v, want context.Canceled itself", err)
			}
		})
		t.Run("deadline of the caller in "+where, func(t *testing.T) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, &secretError{"secret"})
			defer cancel()
			_, err := patient.Execute(ctx, alice, body(text))
			wantDeadline(t, err)
		})
		t.Run("MaxExecutionTime in "+where, func(t *testing.T) {
			_, err := do(t, hasty, body(text))
			wantDeadline(t, err)
		})
		t.Run("a cancellation before MaxExecutionTime in "+where, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(20*time.Millisecond, cancel)
			_, err := hasty.Execute(ctx, alice, body(text))
			if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) { // a busy machine may be late
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("a stuck authorizer", func(t *testing.T) {
		stuckAuthorizer.Store(true)
		defer stuckAuthorizer.Store(false)
		_, err := do(t, hasty, body("x.ignores()"))
		wantDeadline(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-stuck.entered
			cancel()
		}()
		_, err = patient.Execute(ctx, alice, body("x.obeys()"))
		wantClass(t, err, context.Canceled)
	})
	t.Run("before it starts", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := patient.Execute(ctx, alice, body("return 1"))
		wantClass(t, err, context.Canceled)
		for _, program := range []codemode.Program{"no program (", "\x00", codemode.Program(strings.Repeat("#", 1<<17))} {
			_, err = patient.Execute(ctx, alice, program)
			wantClass(t, err, context.Canceled)
		}
		past, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Hour))
		defer cancel()
		_, err = patient.Execute(past, alice, body("return 1"))
		wantDeadline(t, err)
		both, cancel := context.WithDeadline(ctx, time.Now().Add(-time.Hour))
		defer cancel()
		_, err = patient.Execute(both, alice, body("return 1"))
		wantClass(t, err, context.Canceled) // it was cancelled first
	})
	t.Run("the server goes on", func(t *testing.T) {
		g.open()
		stuck.open()
		wantValue(t, patient, body("return x.ignores()"), "{}")
	})
}

// TestRequestThatEndsInACall: what the call makes of the end does not matter,
// and nothing starts afterwards.
func TestRequestThatEndsInACall(t *testing.T) {
	var cancel context.CancelFunc
	var handled atomic.Int64
	var authorize func() error
	server := start(t, codemode.Options{Authorizer: authorizerFunc(func(context.Context, authz.AuthorizationInput) error { return authorize() })},
		offer("x.fails", func(context.Context, empty) (empty, error) {
			handled.Add(1)
			cancel()
			return empty{}, errors.New("broken by it")
		}),
		offer("x.panics", func(context.Context, empty) (empty, error) { handled.Add(1); cancel(); panic("broken by it") }),
		offer("x.succeeds", func(context.Context, empty) (empty, error) { handled.Add(1); cancel(); return empty{}, nil }))
	for name, decide := range map[string]error{"allows": nil, "denies": authz.ErrDenied, "fails": errors.New("broken by it")} {
		for _, capability := range []string{"x.fails", "x.panics", "x.succeeds"} {
			for _, cancels := range []bool{true, false} {
				if decide != nil && !cancels {
					continue
				}
				var ctx context.Context
				ctx, cancel = context.WithCancel(t.Context())
				handled.Store(0)
				authorize = func() error {
					if cancels {
						cancel()
					}
					return decide
				}
				_, err := server.Execute(ctx, alice, body(capability+"()\n"+capability+"()"))
				wantClass(t, err, context.Canceled)
				if n := handled.Load(); cancels && n != 0 || n > 1 {
					t.Errorf("authorizer %s and cancels %t, %s: %d handlers ran", name, cancels, capability, n)
				}
				cancel()
			}
		}
	}
}

// TestContextOfHostCode ends with the execution, however that ends.
func TestContextOfHostCode(t *testing.T) {
	contexts := make(chan context.Context, 10)
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxExecutionTime: 3 * time.Second}, Authorizer: authorizerFunc(func(ctx context.Context, _ authz.AuthorizationInput) error {
		contexts <- ctx
		return nil
	})}, offer("x.y", func(ctx context.Context, _ empty) (empty, error) {
		contexts <- ctx
		if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) > 3*time.Second {
			t.Errorf("got deadline %v, %t", deadline, ok)
		}
		return empty{}, ctx.Err()
	}))
	for _, text := range []string{"x.y()", "x.y()\n1 // 0"} {
		_, _ = do(t, server, body(text))
		for range 2 {
			select {
			case <-(<-contexts).Done():
			case <-time.After(20 * time.Second):
				t.Fatal("the context outlives its execution")
			}
		}
	}
}

// TestOnceAndNoRetry: a program that fails after an effect is not run again.
func TestOnceAndNoRetry(t *testing.T) {
	var calls atomic.Int64
	server := start(t, codemode.Options{}, offer("counter.add", func(context.Context, empty) (empty, error) { calls.Add(1); return empty{}, nil }))
	for _, text := range []string{"counter.add()\n1 / 0", "counter.add()\nreturn len", "counter.add()\nfail('x')", "counter.add()\ncounter.add(1)"} {
		calls.Store(0)
		_, err := do(t, server, body(text))
		if n := calls.Load(); err == nil || n != 1 {
			t.Errorf("%q: got %v after %d calls, want a fault after one", text, err, n)
		}
	}
}
