package codemode_test

import (
	"errors"
	"testing"

	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/sandbox"
)

// A server that Build did not make offers nothing and promises nothing.
func TestZeroServerHasNothingToTell(t *testing.T) {
	for _, server := range []*codemode.Server{nil, {}} {
		if info := server.Info(); len(info.Namespaces) > 0 || info.Effect != codemode.EffectUnknown {
			t.Errorf("got %+v, want no namespaces and an unknown effect", info)
		}
		if got := server.Limits(); got != (codemode.Limits{}) {
			t.Errorf("got limits %+v, want none", got)
		}
		if got := server.Confinement(); got != (sandbox.Report{}) {
			t.Errorf("got %v, want nothing enforced", got)
		}
		if _, err := server.Explain("x", "x.y"); !errors.Is(err, codemode.ErrInternal) {
			t.Errorf("got %v, want ErrInternal", err)
		}
		if got := server.Lint(); len(got) > 0 {
			t.Errorf("got %v, want no findings", got)
		}
	}
}
