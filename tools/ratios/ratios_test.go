package ratios_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"

	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/tools/ratios"
)

func TestMain(m *testing.M) {
	codemode.ServeWorkerAndExit()
	ratios.Child()
	os.Exit(m.Run())
}

func TestMeasure(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	report, err := ratios.Measure(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if report.Rounds != 5 || len(report.Floors) != 3 || len(report.Ratios) != 11 {
		t.Errorf("got %d rounds, %d floors, %d ratios, want 5, 3, 11", report.Rounds, len(report.Floors), len(report.Ratios))
	}
	for _, f := range report.Floors {
		if f.Microseconds <= 0 {
			t.Errorf("%s: got %v µs", f.Name, f.Microseconds)
		}
	}
	for _, r := range report.Ratios {
		if r.Missing != "" || r.Ratio == 0 {
			t.Errorf("%s: got %v %s", r.Name, r.Ratio, r.Missing)
		}
	}
}

// TestWithoutGo: what needs a go command says so, and the rest is measured.
func TestWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	report, err := ratios.Measure(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	missing := 0
	for _, r := range report.Ratios {
		if r.Missing != "" {
			missing++
		} else if r.Ratio == 0 {
			t.Errorf("%s: got %v", r.Name, r.Ratio)
		}
	}
	if missing != 2 {
		t.Errorf("got %d ratios without a figure, want 2", missing)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ratios.Measure(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// TestTermsOfNoLength: a coarse clock leaves ratios without a figure, never one
// that JSON cannot say.
func TestTermsOfNoLength(t *testing.T) {
	for _, m := range []map[string]float64{{}, {"cold": 1}} {
		for _, r := range ratios.Divide(m, nil).Ratios {
			if r.Ratio != 0 || r.Missing == "" {
				t.Errorf("%s: got %v %q, want a reason", r.Name, r.Ratio, r.Missing)
			}
		}
	}
}
