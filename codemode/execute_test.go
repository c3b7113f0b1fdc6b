package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// run executes a program on a server of its own and returns what it returned.
func run(t *testing.T, options codemode.Options, source string) (any, error) {
	t.Helper()
	return newWorld(t, options).Execute(t.Context(), alice, codemode.Program(source))
}

func TestFinalValueIsConverted(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	for source, want := range map[string]string{
		"None":                    "<nil>",
		"True":                    "true",
		"'ä'":                     "ä",
		"-9223372036854775808":    "-9223372036854775808",
		"9223372036854775807":     "9223372036854775807",
		"1.5":                     "1.5",
		"(1, [2, (3,)])":          "[1 [2 [3]]]",
		"{'b': 1, 'a': [None]}":   "map[a:[<nil>] b:1]",
		"records.lookup(key='a')": "map[count:1 key:a]",
		"[r['id'] for r in records.list(count=2)['items']]": "[r0 r1]",
	} {
		value, err := w.Execute(t.Context(), alice, codemode.Program("def main():\n    return "+source+"\n"))
		if got := fmt.Sprint(value); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", source, got, err, want)
		}
	}
}

func TestUnsupportedFinalValueIsInvalidProgram(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	for _, source := range []string{"9223372036854775808", "float('nan')", "float('inf')", "range(3)", "{1: 2}", "len", "b'x'", "'é'[:1]", "records.lookup"} {
		_, err := w.Execute(t.Context(), alice, codemode.Program("def main():\n    return "+source+"\n"))
		wantClass(t, err, codemode.ErrInvalidProgram)
	}
}

func TestClasses(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	for _, c := range []struct {
		name, body string
		class      error
		text       string
	}{
		{"denied", "return admin.purge(key='a')", codemode.ErrPermissionDenied, "permission denied"},
		{"handler fails", "return records.broken()", codemode.ErrCapabilityFailure, "capability failed"},
		{"handler panics", "return bad.panics()", codemode.ErrInternal, "internal failure"},
		{"handler calls Goexit", "return bad.goexit()", codemode.ErrInternal, "internal failure"},
		{"runtime fault", "return 1 // 0", codemode.ErrInvalidProgram, ""},
		{"unknown argument", "return records.lookup(kee='a')", codemode.ErrInvalidArguments, ""},
		{"positional argument", "return records.lookup('a')", codemode.ErrInvalidArguments, ""},
		{"missing argument", "return records.lookup()", codemode.ErrInvalidArguments, ""},
		{"boolean for an integer", "return records.list(count=True)", codemode.ErrInvalidArguments, ""},
		{"integer for a float", "return records.search(count=1, active=True, score=1)", codemode.ErrInvalidArguments, ""},
		{"integer out of range", "return records.list(count=1<<63)", codemode.ErrInvalidArguments, ""},
		{"class survives sorted", "return sorted([1, 2], key=lambda x: records.broken())", codemode.ErrCapabilityFailure, "capability failed"},
		{"class survives a comprehension in a nested function", "def f():\n        return [admin.purge(key='a') for _ in range(3)]\n    return f()", codemode.ErrPermissionDenied, "permission denied"},
		{"endless steps", "for _ in range(1<<40):\n        pass", codemode.ErrResourceLimit, "resource limit exceeded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := w.Execute(t.Context(), alice, codemode.Program("def main():\n    "+c.body+"\n"))
			wantClass(t, err, c.class)
			if c.text != "" && err.Error() != c.text {
				t.Errorf("got %q, want %q", err, c.text)
			}
			if strings.Contains(fmt.Sprintf("%+v", err), "secret") {
				t.Errorf("%q tells what only the host knows", err)
			}
		})
	}
}

func TestAuthorizerOutcomes(t *testing.T) {
	for _, c := range []struct {
		name      string
		authorize authorizerFunc
		class     error
	}{
		{"allows", func(context.Context, authz.AuthorizationInput) error { return nil }, nil},
		{"denies", func(context.Context, authz.AuthorizationInput) error { return fmt.Errorf("no: %w", authz.ErrDenied) }, codemode.ErrPermissionDenied},
		{"fails", func(context.Context, authz.AuthorizationInput) error { return errors.New("secret") }, codemode.ErrPolicyFailure},
		{"panics", func(context.Context, authz.AuthorizationInput) error { panic("secret") }, codemode.ErrPolicyFailure},
		{"exits", func(context.Context, authz.AuthorizationInput) error { runtime.Goexit(); return nil }, codemode.ErrPolicyFailure},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, codemode.Options{Authorizer: c.authorize})
			_, err := w.Execute(t.Context(), alice, "def main(): return records.lookup(key='a')")
			wantClass(t, err, c.class)
			if got := w.handled.Load(); (got == 1) != (c.class == nil) {
				t.Errorf("the handler ran %d times", got)
			}
		})
	}
}

func TestAuthorizerSeesCanonicalArguments(t *testing.T) {
	for arguments, want := range map[string]string{
		"key='a'":             "map[key:a]",
		"key='a', limit=None": "map[key:a]",
		"key='a', limit=2":    "map[key:a limit:2]",
	} {
		var got authz.AuthorizationInput
		allow := authorizerFunc(func(_ context.Context, in authz.AuthorizationInput) error { got = in; return nil })
		_, err := run(t, codemode.Options{Authorizer: allow}, "def main(): return records.lookup("+arguments+")")
		wantClass(t, err, nil)
		if fmt.Sprint(got.Arguments) != want || got.Subject != alice || got.CapabilityID != "records.entry.lookup" || got.CapabilityName != "records.lookup" {
			t.Errorf("%s: got %+v, want arguments %s", arguments, got, want)
		}
	}
}

func TestNilContextIsInternal(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	//lint:ignore SA1012 a nil context is the case
	_, err := w.Execute(nil, alice, "def main(): return 1")
	wantClass(t, err, codemode.ErrInternal)
}

func TestEmptySubjectIsUnauthenticated(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	_, err := w.Execute(t.Context(), authz.Subject{}, "def main(): return 1")
	wantClass(t, err, codemode.ErrUnauthenticated)
}

func TestCancelledRequest(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	t.Run("before it starts", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := w.Execute(ctx, alice, "def main(): return 1")
		wantClass(t, err, context.Canceled)
	})
	t.Run("by its own handler", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := newWorld(t, codemode.Options{Authorizer: authorizerFunc(func(context.Context, authz.AuthorizationInput) error {
			cancel()
			return errors.New("failed because of it")
		})})
		_, err := w.Execute(ctx, alice, "def main(): return records.lookup(key='a')")
		wantClass(t, err, context.Canceled)
	})
	t.Run("while a handler ignores it", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for w.handled.Load() == 0 {
				runtime.Gosched()
			}
			cancel()
		}()
		_, err := w.Execute(ctx, alice, "def main(): return slow.wait(ms=600000)")
		wantClass(t, err, context.Canceled)
	})
}

func TestDeadlines(t *testing.T) {
	loop := codemode.Program("def main():\n    for _ in range(1<<40):\n        pass\n")
	limits := codemode.Limits{MaxExecutionSteps: 1 << 50}
	wantDeadline := func(t *testing.T, err error) {
		t.Helper()
		wantClass(t, err, codemode.ErrResourceLimit)
		if !errors.Is(err, context.DeadlineExceeded) || err.Error() != "resource limit exceeded" {
			t.Errorf("got %q, want a resource limit that wraps context.DeadlineExceeded", err)
		}
	}
	t.Run("MaxExecutionTime", func(t *testing.T) {
		limits := limits
		limits.MaxExecutionTime = 100 * time.Millisecond
		_, err := newWorld(t, codemode.Options{Limits: limits}).Execute(t.Context(), alice, loop)
		wantDeadline(t, err)
	})
	t.Run("the caller's", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := newWorld(t, codemode.Options{Limits: limits}).Execute(ctx, alice, loop)
		wantDeadline(t, err)
	})
	t.Run("a handler that ignores its context", func(t *testing.T) {
		limits := limits
		limits.MaxExecutionTime = 100 * time.Millisecond
		_, err := newWorld(t, codemode.Options{Limits: limits}).Execute(t.Context(), alice, "def main(): return slow.wait(ms=600000)")
		wantDeadline(t, err)
	})
	t.Run("a handler's own deadline is a failed capability", func(t *testing.T) {
		fails := func(b *codemode.Builder) {
			codemode.Register(b, codemode.Capability[empty, empty]{
				Name: "late.reply", Summary: "Fails with a deadline of its own.",
				Handler: func(context.Context, authz.Subject, empty) (empty, error) {
					return empty{}, fmt.Errorf("upstream: %w", context.DeadlineExceeded)
				},
			})
		}
		_, err := newWorld(t, codemode.Options{}, fails).Execute(t.Context(), alice, "def main(): return late.reply()")
		wantClass(t, err, codemode.ErrCapabilityFailure)
	})
}

func TestHandlerSeesItsCall(t *testing.T) {
	var call codemode.Call
	var subject authz.Subject
	register := func(b *codemode.Builder) {
		codemode.Register(b, codemode.Capability[empty, empty]{
			ID: "the.id", Name: "who.calls", Summary: "Sees its call.",
			Handler: func(ctx context.Context, s authz.Subject, _ empty) (empty, error) {
				call, _ = codemode.CallFromContext(ctx)
				subject = s
				return empty{}, nil
			},
		})
	}
	w := newWorld(t, codemode.Options{}, register)
	_, err := w.Execute(t.Context(), alice, "def main():\n    records.ids()\n    who.calls()\n")
	wantClass(t, err, nil)
	if call.Number != 2 || call.CapabilityID != "the.id" || call.CapabilityName != "who.calls" || call.ExecutionID == "" || subject != alice {
		t.Errorf("got %+v, %+v", call, subject)
	}
	if _, ok := codemode.CallFromContext(t.Context()); ok {
		t.Error("a context without a call has one")
	}
}

func TestProgressCountsCompletedCalls(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	var got []int
	ctx := codemode.WithProgress(t.Context(), func(calls int) { got = append(got, calls) })
	_, err := w.Execute(ctx, alice, "def main():\n    records.ids()\n    records.ids()\n    records.broken()\n")
	wantClass(t, err, codemode.ErrCapabilityFailure)
	if fmt.Sprint(got) != "[1 2]" {
		t.Errorf("got %v, want [1 2]", got)
	}
}

// Progress belongs to the execution that it was asked for. One that a handler or
// an authorizer starts with its own context is another.
func TestProgressIsNotThatOfNestedExecutions(t *testing.T) {
	inner := newWorld(t, codemode.Options{})
	var own []int
	var call codemode.Call
	w := newWorld(t, codemode.Options{}, func(b *codemode.Builder) {
		codemode.Register(b, codemode.Capability[empty, empty]{
			Name: "nested.run", Summary: "Runs a program.",
			Handler: func(ctx context.Context, s authz.Subject, _ empty) (empty, error) {
				const program = "def main():\n    for _ in range(5): records.ids()\n"
				if _, err := inner.Execute(ctx, s, program); err != nil {
					return empty{}, err
				}
				call, _ = codemode.CallFromContext(ctx)
				_, err := inner.Execute(codemode.WithProgress(ctx, func(calls int) { own = append(own, calls) }), s, program)
				return empty{}, err
			},
		})
	})
	var got []int
	ctx := codemode.WithProgress(t.Context(), func(calls int) { got = append(got, calls) })
	_, err := w.Execute(ctx, alice, "def main():\n    records.ids()\n    nested.run()\n")
	wantClass(t, err, nil)
	if fmt.Sprint(got) != "[1 2]" {
		t.Errorf("got progress %v, want that of the outer execution, [1 2]", got)
	}
	if fmt.Sprint(own) != "[1 2 3 4 5]" {
		t.Errorf("got %v of an execution that the handler asked about, want [1 2 3 4 5]", own)
	}
	if call.CapabilityName != "nested.run" || call.Number != 2 {
		t.Errorf("got call %+v of the handler's context, want call 2, of nested.run", call)
	}
}

func TestClosedServer(t *testing.T) {
	b := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
	server, err := b.Build()
	wantClass(t, err, nil)
	for range 2 {
		if err := server.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, err = server.Execute(t.Context(), alice, "def main(): return 1")
	wantClass(t, err, codemode.ErrInternal)
	if response, err := server.Search("anything"); err != nil || len(response.Results) != 0 {
		t.Errorf("got %v, %v, want search to go on", response, err)
	}
}
