package rego_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/rego"
)

// FuzzDecision holds New to its word: a decision that it accepts panics nowhere and, on a
// policy that never mentions input, comes out the same whatever the input.
func FuzzDecision(f *testing.F) {
	for _, decision := range rejectedDecisions {
		f.Add(decision)
	}
	for _, decision := range acceptedDecisions {
		f.Add(decision)
	}
	modules := map[string]string{"p.rego": everyKind}
	f.Fuzz(func(t *testing.T, decision string) {
		authorizer, err := rego.New(t.Context(), decision, modules)
		if err != nil {
			return
		}
		first := authorizer.Authorize(t.Context(), lookup(map[string]any{"rule": "allow", "allow": true}))
		second := authorizer.Authorize(t.Context(), authz.AuthorizationInput{})
		if text(first) != text(second) {
			t.Errorf("%q depends on the input: got %v and %v", decision, first, second)
		}
	})
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// FuzzModule looks for panics in parsing, compiling and evaluating a policy.
func FuzzModule(f *testing.F) {
	files, err := filepath.Glob("testdata/decisions/*.rego")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(source))
	}
	f.Add(smallPolicy)
	f.Add(everyKind)
	f.Fuzz(func(t *testing.T, source string) {
		for _, decision := range []string{"data.p.allow", "data.p"} {
			authorizer, err := rego.New(t.Context(), decision, map[string]string{"p.rego": source})
			if err != nil {
				continue
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_ = authorizer.Authorize(ctx, lookup(map[string]any{"key": "a", "limit": int64(2)}))
			cancel()
		}
	})
}
