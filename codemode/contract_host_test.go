package codemode_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// The files contract_*_test.go hold the contract sentence by sentence, seen
// from outside: the names of tests and cases are its rules.

// An add registers one capability.
type add = func(*codemode.Builder)

// A box is a struct of one field, for tests of that field's type.
type box[T any] struct {
	V T `json:"v"`
}

// offer registers a capability that does f.
func offer[In, Out any](name string, f func(context.Context, In) (Out, error)) add {
	return func(b *codemode.Builder) {
		codemode.Register(b, codemode.Capability[In, Out]{
			Name: codemode.CapabilityName(name), Summary: "Does " + name + ".",
			Handler: func(ctx context.Context, _ authz.Subject, in In) (Out, error) { return f(ctx, in) },
		})
	}
}

// returning registers a capability without input that returns out.
func returning[Out any](name string, out Out) add {
	return offer(name, func(context.Context, empty) (Out, error) { return out, nil })
}

// start builds a server that allows every call unless options say otherwise.
func start(t testing.TB, options codemode.Options, adds ...add) *codemode.Server {
	t.Helper()
	server, err := tryStart(options, adds...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return server
}

func tryStart(options codemode.Options, adds ...add) (*codemode.Server, error) {
	if options.Authorizer == nil {
		options.Authorizer = authz.AllowAll()
	}
	b := codemode.New(options)
	for _, add := range adds {
		add(b)
	}
	return b.Build()
}

// refused fails t unless Build refuses the capabilities and says each word.
func refused(t *testing.T, options codemode.Options, words []string, adds ...add) {
	t.Helper()
	server, err := tryStart(options, adds...)
	if err == nil {
		_ = server.Close()
		t.Fatal("Build succeeded")
	}
	wantClass(t, err, codemode.ErrInvalidRegistration)
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("got %v, want it to contain %q", err, word)
		}
	}
}

// body makes a program whose main has the lines of text as its statements.
func body(text string) codemode.Program {
	return codemode.Program("def main():\n    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n")
}

// do executes a program for alice.
func do(t *testing.T, server *codemode.Server, program codemode.Program) (any, error) {
	t.Helper()
	return server.Execute(t.Context(), alice, program)
}

// wantValue fails t unless main's body returns what is written want as JSON.
func wantValue(t *testing.T, server *codemode.Server, program codemode.Program, want string) {
	t.Helper()
	value, err := do(t, server, program)
	if err != nil {
		t.Errorf("got %v, want %s\n%s", err, want, program)
		return
	}
	if got := asJSON(t, value); got != want {
		t.Errorf("got %s, want %s\n%s", got, want, program)
	}
}

// wantFault fails t unless the program ends in class.
func wantFault(t *testing.T, server *codemode.Server, program codemode.Program, class error) {
	t.Helper()
	value, err := do(t, server, program)
	if !errors.Is(err, class) {
		t.Errorf("got %v, %v, want %v\n%s", value, err, class, program)
		return
	}
	wantClass(t, err, class)
	if value != nil {
		t.Errorf("got the value %v beside an error\n%s", value, program)
	}
	if class == codemode.ErrInvalidProgram || class == codemode.ErrInvalidArguments {
		return // these say more
	}
	if err.Error() != class.Error() {
		t.Errorf("got %q, want the fixed text %q\n%s", err, class, program)
	}
}

func asJSON(t testing.TB, value any) string {
	t.Helper()
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
