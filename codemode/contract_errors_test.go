package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// secretError is a cause that must never be reached from a returned error.
type secretError struct{ Token string }

func (e *secretError) Error() string { return "secret: " + e.Token }

// hostileError does harm wherever it is asked about.
type hostileError struct{ secretError }

func (e hostileError) Error() string   { panic("secret panic in Error") }
func (e hostileError) Is(error) bool   { panic("secret panic in Is") }
func (e hostileError) Unwrap() []error { panic("secret panic in Unwrap") }

// reachable walks everything that can be unwrapped from err.
func reachable(err error, visit func(error)) {
	if err == nil {
		return
	}
	visit(err)
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		reachable(e.Unwrap(), visit)
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			reachable(inner, visit)
		}
	}
}

var sentinels = []error{
	codemode.ErrUnauthenticated, codemode.ErrInvalidProgram, codemode.ErrInvalidArguments, codemode.ErrPermissionDenied, codemode.ErrPolicyFailure,
	codemode.ErrResourceLimit, codemode.ErrCapabilityFailure, codemode.ErrInternal, codemode.ErrInvalidRegistration, codemode.ErrNotFound, context.Canceled, context.DeadlineExceeded,
}

// wantNoSecret fails t if anything but sentinels and types of codemode can be
// reached from err, or if any way to print it shows a secret.
func wantNoSecret(t *testing.T, err error) {
	t.Helper()
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		text := fmt.Sprintf(format, err)
		for _, secret := range []string{"secret", fmt.Sprintf("%x", "secret"), "goroutine", ".go:", "panic", "Goexit"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows %q: %s", format, secret, text)
			}
		}
	}
	var cause *secretError
	if errors.As(err, &cause) || errors.Is(err, authz.ErrDenied) {
		t.Errorf("a trusted cause can be reached from %v", err)
	}
	reachable(err, func(e error) {
		if pkg := reflect.TypeOf(e).String(); strings.HasPrefix(pkg, "*codemode.") || strings.HasPrefix(pkg, "codemode.") {
			return
		}
		for _, sentinel := range sentinels {
			if e == sentinel {
				return
			}
		}
		t.Errorf("%T %v can be reached", e, e)
	})
}

// TestNoTrustedCauseIsReachable: authorizers and handlers may fail in any way.
func TestNoTrustedCauseIsReachable(t *testing.T) {
	cause := &secretError{"secret-token"}
	var authorize func() error
	var handle func() error
	server := start(t, codemode.Options{Authorizer: authorizerFunc(func(context.Context, authz.AuthorizationInput) error { return authorize() })},
		offer("x.y", func(context.Context, empty) (empty, error) { return empty{}, handle() }))
	ways := map[string]func() error{
		"error":                     func() error { return cause },
		"wrapped error":             func() error { return fmt.Errorf("secret context: %w", cause) },
		"joined error":              func() error { return errors.Join(cause, errors.New("secret")) },
		"denial":                    func() error { return fmt.Errorf("secret rule: %w", authz.ErrDenied) },
		"denial joined with more":   func() error { return errors.Join(cause, authz.ErrDenied) },
		"context.Canceled":          func() error { return fmt.Errorf("secret: %w", context.Canceled) },
		"context.DeadlineExceeded":  func() error { return fmt.Errorf("secret: %w", context.DeadlineExceeded) },
		"a class of codemode":       func() error { return fmt.Errorf("secret: %w", codemode.ErrInvalidProgram) },
		"error that panics":         func() error { return hostileError{} },
		"nil pointer that is error": func() error { return (*secretError)(nil) },
		"panic":                     func() error { panic("secret panic") },
		"panic with an error":       func() error { panic(cause) },
		"panic with nil":            func() error { panic(nil) },
		//lint:ignore SA4000 an index that the compiler does not see through
		"runtime error": func() error { return []error{}[len(cause.Token)-len(cause.Token)] },
		"Goexit":        func() error { runtime.Goexit(); return nil },
	}
	ends := map[string]bool{"panic": true, "panic with an error": true, "panic with nil": true, "runtime error": true, "Goexit": true}
	for name, way := range ways {
		t.Run("authorizer/"+name, func(t *testing.T) {
			called := false
			authorize, handle = way, func() error { called = true; return nil }
			_, err := do(t, server, body("x.y()"))
			want := codemode.ErrPolicyFailure
			if strings.HasPrefix(name, "denial") {
				want = codemode.ErrPermissionDenied
			}
			wantClass(t, err, want)
			if err.Error() != want.Error() || called {
				t.Errorf("got %q, called %t", err, called)
			}
			wantNoSecret(t, err)
		})
		t.Run("handler/"+name, func(t *testing.T) {
			authorize, handle = func() error { return nil }, way
			_, err := do(t, server, body("x.y()"))
			want := codemode.ErrCapabilityFailure
			if ends[name] {
				want = codemode.ErrInternal
			}
			wantClass(t, err, want)
			if err.Error() != want.Error() {
				t.Errorf("got %q", err)
			}
			wantNoSecret(t, err)
		})
	}
	authorize, handle = func() error { return nil }, func() error { return nil }
	wantValue(t, server, body("return x.y()"), "{}") // it still works
}

// TestClassTexts are fixed; two of them may go on.
func TestClassTexts(t *testing.T) {
	for err, text := range map[error]string{
		codemode.ErrUnauthenticated: "unauthenticated", codemode.ErrNotFound: "capability not found", codemode.ErrInvalidProgram: "invalid program",
		codemode.ErrInvalidArguments: "invalid capability arguments", codemode.ErrPermissionDenied: "permission denied", codemode.ErrPolicyFailure: "authorization policy failure",
		codemode.ErrResourceLimit: "resource limit exceeded", codemode.ErrCapabilityFailure: "capability failed", codemode.ErrInternal: "internal failure",
	} {
		if err.Error() != text {
			t.Errorf("got %q, want %q", err, text)
		}
	}
}

// TestDetailOfPrograms: only codemode makes it; bounded, one line, positions in
// the submitted source, the program's own words.
func TestDetailOfPrograms(t *testing.T) {
	server := start(t, codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"x.secret"}}, offer("x.y", func(context.Context, lookupInput) (empty, error) { return empty{}, nil }), named("x.secret"), named("x.open"))
	for _, c := range []struct {
		rule    string
		program codemode.Program
		class   error
		words   []string
	}{
		{"syntax", "def main():\n    return (1\n", codemode.ErrInvalidProgram, []string{"invalid program: <codemode>:"}},
		{"undefined name", "def main():\n  return nothing\n", codemode.ErrInvalidProgram, []string{"invalid program: <codemode>:2:10: undefined: nothing"}},
		{"runtime", "def main():\n    x = 1\n    return x // 0\n", codemode.ErrInvalidProgram, []string{"invalid program: <codemode>:3:14: "}},
		{"innermost frame", "def f(v):\n    return v[5]\n\ndef main():\n    return f([])\n", codemode.ErrInvalidProgram, []string{"<codemode>:2:13: "}},
		{"fail", "def main():\n    fail('my own', 'words')\n", codemode.ErrInvalidProgram, []string{"<codemode>:2:9: ", "my own words"}},
		{"no main", "x = 1\n", codemode.ErrInvalidProgram, []string{"main"}},
		{"unknown argument", "def main():\n    x.y(kee='a')\n", codemode.ErrInvalidArguments, []string{"invalid capability arguments: ", "kee"}},
		{"missing argument", "def main():\n    x.y()\n", codemode.ErrInvalidArguments, []string{"key"}},
		{"wrong type", "def main():\n    x.y(key=1)\n", codemode.ErrInvalidArguments, []string{"key", "int", "str"}},
		{"positional", "def main():\n    x.y('a')\n", codemode.ErrInvalidArguments, []string{"positional"}},
		{"unicode", "def main():\n    fail('é\u2028\\n\\x1b[31m\u202e')\n", codemode.ErrInvalidProgram, []string{"é"}},
		{"long", "def main():\n    fail('" + codemode.Program(strings.Repeat("long ", 4000)) + "')\n", codemode.ErrInvalidProgram, []string{"long long"}},
		{"value", "def main():\n    return {'a': [b'x']}\n", codemode.ErrInvalidProgram, []string{"bytes"}},
		{"unknown member", "def main():\n    x.secreq(key='a')\n", codemode.ErrInvalidProgram, []string{"<codemode>:2:"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := do(t, server, c.program)
			wantClass(t, err, c.class)
			var fault *codemode.ProgramError
			if !errors.As(err, &fault) || err.Error() != c.class.Error()+": "+fault.Detail() || fault.Detail() == "" {
				t.Fatalf("got %T %v", err, err)
			}
			for _, word := range c.words {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("got %q, want it to contain %q", err, word)
				}
			}
			if text := err.Error(); len(text) > 5000 || strings.ToValidUTF8(text, "") != text || strings.ContainsAny(text, "\n\r\x1b\x00\u2028\u202e") {
				t.Errorf("got %q, want one bounded line", text)
			}
			wantNoSecret(t, err)
		})
	}
}
