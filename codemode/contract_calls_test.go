package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// A trace records what the host did, in order.
type trace struct {
	mu     sync.Mutex
	events []string
}

func (tr *trace) add(format string, args ...any) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.events = append(tr.events, fmt.Sprintf(format, args...))
}

func (tr *trace) take() string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	text := strings.Join(tr.events, " ")
	tr.events = nil
	return text
}

// tracedServer has x.ok, x.nan, x.fails and x.denied, which want an int.
func tracedServer(t *testing.T, tr *trace, options codemode.Options) *codemode.Server {
	type n struct{ N int64 }
	options.Authorizer = authorizerFunc(func(_ context.Context, in authz.AuthorizationInput) error {
		tr.add("authorize(%s,%s,%v)", in.Subject.ID, in.CapabilityName, in.Arguments["N"])
		if in.CapabilityName == "x.denied" {
			return authz.ErrDenied
		}
		return nil
	})
	handler := func(name string, f func() (box[float64], error)) add {
		return func(b *codemode.Builder) {
			codemode.Register(b, codemode.Capability[n, box[float64]]{Name: codemode.CapabilityName(name), Summary: "S.",
				Handler: func(_ context.Context, subject authz.Subject, in n) (box[float64], error) {
					tr.add("handle(%s,%s,%d)", subject.ID, name, in.N)
					return f()
				}})
		}
	}
	zero := 0.0
	return start(t, options,
		handler("x.ok", func() (box[float64], error) { return box[float64]{1}, nil }),
		handler("x.nan", func() (box[float64], error) { return box[float64]{zero / zero}, nil }),
		handler("x.fails", func() (box[float64], error) { return box[float64]{}, errors.New("no") }),
		handler("x.denied", func() (box[float64], error) { return box[float64]{}, nil }))
}

// TestFiveStepsInOrder: bind, canonicalize, authorize, dispatch, convert; a
// step that fails is the last one, and the last one of the program.
func TestFiveStepsInOrder(t *testing.T) {
	tr := new(trace)
	server := tracedServer(t, tr, codemode.Options{})
	const ok = "authorize(alice,x.ok,1) handle(alice,x.ok,1)"
	for _, c := range []struct {
		rule, text, trace string
		class             error
	}{
		{"all five", "x.ok(N=1)", ok, nil},
		{"each call takes them anew", "x.ok(N=1)\nx.ok(N=2)", ok + " authorize(alice,x.ok,2) handle(alice,x.ok,2)", nil},
		{"binding fails", "x.ok(N='a')\nx.ok(N=1)", "", codemode.ErrInvalidArguments},
		{"binding fails after a call", "x.ok(N=1)\nx.ok()\nx.ok(N=1)", ok, codemode.ErrInvalidArguments},
		{"authorization fails", "x.denied(N=3)\nx.ok(N=1)", "authorize(alice,x.denied,3)", codemode.ErrPermissionDenied},
		{"the handler fails", "x.fails(N=4)\nx.ok(N=1)", "authorize(alice,x.fails,4) handle(alice,x.fails,4)", codemode.ErrCapabilityFailure},
		{"conversion fails", "x.nan(N=5)\nx.ok(N=1)", "authorize(alice,x.nan,5) handle(alice,x.nan,5)", codemode.ErrCapabilityFailure},
		{"binding of a denied call fails first", "x.denied()", "", codemode.ErrInvalidArguments},
		{"arguments are evaluated first", "x.ok(N=int(x.ok(N=1)['v']))", ok + " " + ok, nil},
		{"a fault of the program ends it", "x.ok(N=1)\n1 // 0\nx.ok(N=1)", ok, codemode.ErrInvalidProgram},
		{"no call, no step", "x.ok", "", nil},
		{"a call in a branch that is not taken", "if False: x.ok(N=1)", "", nil},
		{"syntax is checked before anything runs", "x.ok(N=1)\nreturn (", "", codemode.ErrInvalidProgram},
		{"names are checked before anything runs", "x.ok(N=1)\nreturn nothing", "", codemode.ErrInvalidProgram},
	} {
		t.Run(c.rule, func(t *testing.T) {
			if c.class == nil {
				_, err := do(t, server, body(c.text))
				wantClass(t, err, nil)
			} else {
				wantFault(t, server, body(c.text), c.class)
			}
			if got := tr.take(); got != c.trace {
				t.Errorf("got %q, want %q", got, c.trace)
			}
		})
	}
}

// TestClassSurvivesUnwinding: what called the capability changes nothing, and
// no program can go on after a failed call.
func TestClassSurvivesUnwinding(t *testing.T) {
	tr := new(trace)
	server := tracedServer(t, tr, codemode.Options{Limits: codemode.Limits{MaxNativeCalls: 5}})
	calls := map[string]error{
		"x.ok(N='a')": codemode.ErrInvalidArguments, "x.denied(N=1)": codemode.ErrPermissionDenied, "x.fails(N=1)": codemode.ErrCapabilityFailure, "[x.ok(N=1) for _ in range(6)]": codemode.ErrResourceLimit,
	}
	for call, class := range calls {
		for _, around := range []string{
			"return %s", "return [%s for _ in range(2)]", "return {i: %s for i in range(2)}", "return sorted([2, 1], key=lambda _: %s)", "return max([2, 1], key=lambda _: %s)",
			"return min(1, 2, key=lambda _: %s)", "def f():\n    def g(): return %s\n    return g()\nreturn f()", "return (lambda: %s)()", "return '{}'.format(%s)", "return '%%s' %% %s",
			"return [1 for _ in [1] if %s]", "return any([%s])", "return dict(a=%s)", "return hasattr(%s, 'a')", "return getattr(%s, 'a', 1)", "return json.encode(%s)", "return True or 1 if %s else 2",
		} {
			wantFault(t, server, body(fmt.Sprintf(around, call)), class)
		}
	}
}

func TestSubjectAndIdentityReachHostCode(t *testing.T) {
	var in authz.AuthorizationInput
	var subject authz.Subject
	var value any
	type key struct{}
	server := start(t, codemode.Options{Authorizer: authorizerFunc(func(ctx context.Context, input authz.AuthorizationInput) error {
		in, value = input, ctx.Value(key{})
		return nil
	})}, func(b *codemode.Builder) {
		codemode.Register(b, codemode.Capability[empty, empty]{ID: "stable/id", Name: "a.b.c", Summary: "S.", Handler: func(ctx context.Context, s authz.Subject, _ empty) (empty, error) {
			subject = s
			if ctx.Value(key{}) != value {
				return empty{}, errors.New("another context")
			}
			return empty{}, nil
		}})
	})
	who := authz.Subject{ID: "ünï code"}
	_, err := server.Execute(context.WithValue(t.Context(), key{}, "v"), who, body("a.b.c()"))
	wantClass(t, err, nil)
	if in.Subject != who || subject != who || in.CapabilityID != "stable/id" || in.CapabilityName != "a.b.c" || value != "v" {
		t.Errorf("got %+v, %+v, %v", in, subject, value)
	}
}

func TestSubjectAndContextAreChecked(t *testing.T) {
	tr := new(trace)
	server := tracedServer(t, tr, codemode.Options{})
	//lint:ignore SA1012 a nil context is the case
	_, err := server.Execute(nil, alice, body("x.ok(N=1)"))
	wantClass(t, err, codemode.ErrInternal)
	//lint:ignore SA1012 a nil context is the case
	_, err = server.Execute(nil, authz.Subject{}, body("x.ok(N=1)"))
	wantClass(t, err, codemode.ErrInternal)
	_, err = server.Execute(t.Context(), authz.Subject{}, body("x.ok(N=1)"))
	wantClass(t, err, codemode.ErrUnauthenticated)
	_, err = server.Execute(t.Context(), authz.Subject{}, "not a program (")
	wantClass(t, err, codemode.ErrUnauthenticated)
	_, err = server.Execute(authz.WithSubject(t.Context(), alice), authz.Subject{}, body("x.ok(N=1)")) // the parameter counts, not the context
	wantClass(t, err, codemode.ErrUnauthenticated)
	_, err = server.Execute(t.Context(), authz.Subject{ID: " "}, body("return 1")) // not empty
	wantClass(t, err, nil)
	if got := tr.take(); got != "" {
		t.Errorf("got %s", got)
	}
}

// TestEveryExecutionIsFresh: no state of a program outlives it.
func TestEveryExecutionIsFresh(t *testing.T) {
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxNativeCalls: 2}}, returning("x.list", box[[]int]{[]int{1}}))
	for range 3 {
		wantValue(t, server, "SEEN = []\ndef main():\n    SEEN.append(x.list())\n    SEEN[0]['v'].append(2)\n    x.list()\n    return SEEN\n", `[{"v":[1,2]}]`)
		wantFault(t, server, body("return SEEN"), codemode.ErrInvalidProgram)
	}
}

func TestOnlyTheReturnedValueIsExposed(t *testing.T) {
	server := start(t, codemode.Options{}, returning("x.secret", box[string]{"s3cret"}))
	wantValue(t, server, "G = 's3cret'\nprint(G)\ndef main():\n    print(x.secret(), G)\n    local = x.secret()\n    return 1\n", "1")
}

// TestConcurrentExecutionsDoNotMix: every caller gets what its own program
// returned, from handlers that run at once.
func TestConcurrentExecutionsDoNotMix(t *testing.T) {
	server := start(t, codemode.Options{}, func(b *codemode.Builder) {
		codemode.Register(b, codemode.Capability[box[int64], seen]{Name: "x.who", Summary: "S.", Handler: func(_ context.Context, s authz.Subject, in box[int64]) (seen, error) {
			runtime.Gosched()
			return seen{fmt.Sprint(s.ID, in.V)}, nil
		}})
	})
	var group sync.WaitGroup
	for i := range 24 {
		group.Go(func() {
			subject := authz.Subject{ID: authz.SubjectID(fmt.Sprintf("s%d-", i))}
			value, err := server.Execute(t.Context(), subject, body(fmt.Sprintf("return [x.who(v=%d)['Go'], x.who(v=%d)['Go']]", i, -i)))
			want := []any{fmt.Sprintf("s%d-%d", i, i), fmt.Sprintf("s%d-%d", i, -i)}
			if got, _ := value.([]any); err != nil || !slices.Equal(got, want) {
				t.Errorf("got %v, %v, want %v", value, err, want)
			}
		})
	}
	group.Wait()
}

// TestHandlersMayUseTheServer: discovery, and an execution of their own.
func TestHandlersMayUseTheServer(t *testing.T) {
	var server *codemode.Server
	server = start(t, codemode.Options{}, returning("x.one", box[int]{1}), offer("x.outer", func(ctx context.Context, _ empty) (seen, error) {
		value, err := server.Execute(ctx, alice, body("return x.one()['v'] + 1"))
		if err != nil {
			return seen{}, err
		}
		d, err := server.Describe("x.one")
		return seen{fmt.Sprint(value, d.Signature)}, err
	}))
	wantValue(t, server, body("return x.outer()['Go']"), `"2x.one()"`)
}
