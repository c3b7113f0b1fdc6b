package execute

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/rego"
)

func TestMain(m *testing.M) {
	codemode.ServeWorkerAndExit()
	os.Exit(m.Run())
}

var policy = map[string]string{"policy.rego": "package policy\n\ndefault allow := false\n\nallow if input.subject.id == \"ada\"\n"}

type usage struct{ cold bool }

func (u *usage) ObserveCall(context.Context, codemode.CallEvent) {}

func (u *usage) ObserveExecution(_ context.Context, e codemode.ExecutionEvent) { u.cold = e.Usage.Cold }

// server returns a server whose host links OPA, and what its last execution
// found.
func server(tb testing.TB, idle int) (*codemode.Server, *usage) {
	tb.Helper()
	authorizer, err := rego.New(context.Background(), "data.policy.allow", policy)
	if err != nil {
		tb.Fatal(err)
	}
	seen := new(usage)
	builder := codemode.New(codemode.Options{Authorizer: authorizer, IdleWorkers: idle, Observer: seen})
	s, err := builder.Build()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s, seen
}

func execute(tb testing.TB, s *codemode.Server) time.Duration {
	tb.Helper()
	start := time.Now()
	if _, err := s.Execute(context.Background(), authz.Subject{ID: "ada"}, "def main(): return 1"); err != nil {
		tb.Fatal(err)
	}
	return time.Since(start)
}

func TestExecute(t *testing.T) {
	s, seen := server(t, -1)
	execute(t, s)
	if !seen.cold {
		t.Error("an execution without idle workers found one")
	}
}

// BenchmarkColdWarm is row 2 of the table of ratios: an execution that starts
// its worker against one that finds it idle, in turn, medians divided.
func BenchmarkColdWarm(b *testing.B) {
	cold, _ := server(b, -1)
	warm, seen := server(b, 0)
	var colds, warms []time.Duration
	for range max(b.N, 5) {
		colds = append(colds, execute(b, cold))
		for {
			time.Sleep(15 * time.Millisecond) // as between two requests: the pool refills
			if d := execute(b, warm); !seen.cold {
				warms = append(warms, d)
				break
			}
		}
	}
	slices.Sort(colds)
	slices.Sort(warms)
	b.ReportMetric(float64(colds[len(colds)/2])/float64(warms[len(warms)/2]), "row2:cold/warm")
}
