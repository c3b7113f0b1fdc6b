package codemode_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/codemode"
)

// TestLimitsAreInclusive runs a program at a limit and the same one past it.
func TestLimitsAreInclusive(t *testing.T) {
	nest := func(depth int) string { return strings.Repeat("[", depth-1) + "1" + strings.Repeat("]", depth-1) }
	const longText = "def main():\n    return 'x' * %d\n"
	source := func(n int) string { return "def main(): return 1 #" + strings.Repeat("x", n-22) }
	for _, c := range []struct {
		name     string
		limits   codemode.Limits
		at, past string
	}{
		{"MaxSourceBytes", codemode.Limits{MaxSourceBytes: 100}, source(100), source(101)},
		{"MaxNativeCalls", codemode.Limits{MaxNativeCalls: 3}, calls(3), calls(4)},
		{"MaxNativeCalls counts attempts", codemode.Limits{MaxNativeCalls: 3}, calls(3), "def main():\n    for _ in range(3): records.ids()\n    records.lookup(wrong=1)\n"},
		{"MaxValueDepth of the final value", codemode.Limits{MaxValueDepth: 4}, "def main(): return " + nest(4), "def main(): return " + nest(5)},
		{"MaxValueDepth of a scalar", codemode.Limits{MaxValueDepth: 1}, "def main(): return 1", "def main(): return [1]"},
		{"MaxValueDepth of an empty container", codemode.Limits{MaxValueDepth: 1}, "def main(): return []", "def main(): return [[]]"},
		{"MaxValueDepth of arguments", codemode.Limits{MaxValueDepth: 2}, "def main():\n    records.lookup(key='a')\n", "def main():\n    records.list(count=1)\n"},
		{"MaxValueBytes of the final value", codemode.Limits{MaxValueBytes: 1000}, fmt.Sprintf(longText, 900), fmt.Sprintf(longText, 1000)},
		{"MaxValueBytes of arguments", codemode.Limits{MaxValueBytes: 1000}, "def main():\n    records.lookup(key='x'*400)\n", "def main():\n    records.lookup(key='x'*1000)\n"},
		{"MaxValueBytes of a result", codemode.Limits{MaxValueBytes: 1000}, "def main():\n    records.text(n=900)\n", "def main():\n    records.text(n=1000)\n"},
		{"MaxIntermediateValueBytes", codemode.Limits{MaxIntermediateValueBytes: 3000}, texts(3), texts(4)},
		{"MaxIntermediateValueBytes excludes the final value", codemode.Limits{MaxIntermediateValueBytes: 100}, fmt.Sprintf(longText, 1000), "def main():\n    records.text(n=1000)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, codemode.Options{Limits: c.limits})
			for range 2 { // budgets are fresh in every execution
				_, err := w.Execute(t.Context(), alice, codemode.Program(c.at))
				wantClass(t, err, nil)
			}
			_, err := w.Execute(t.Context(), alice, codemode.Program(c.past))
			wantClass(t, err, codemode.ErrResourceLimit)
			if err.Error() != "resource limit exceeded" {
				t.Errorf("got %q", err)
			}
		})
	}
}

func calls(n int) string {
	return fmt.Sprintf("def main():\n    for _ in range(%d): records.ids()\n", n)
}

func texts(n int) string {
	return fmt.Sprintf("def main():\n    for _ in range(%d): records.text(n=980)\n", n)
}

// TestStepsAreExact finds the steps that a program takes and runs it with just
// as many, and with one less.
func TestStepsAreExact(t *testing.T) {
	const program = "def main():\n    n = 0\n    for i in range(1000): n += i\n    return n\n"
	var steps uint64
	observer := observerFuncs{execution: func(e codemode.ExecutionEvent) { steps = e.Usage.Steps }}
	_, err := run(t, codemode.Options{Observer: observer}, program)
	wantClass(t, err, nil)
	if steps < 3000 || steps > 30000 {
		t.Fatalf("got %d steps", steps)
	}
	_, err = run(t, codemode.Options{Limits: codemode.Limits{MaxExecutionSteps: steps}}, program)
	wantClass(t, err, nil)
	_, err = run(t, codemode.Options{Limits: codemode.Limits{MaxExecutionSteps: steps - 1}}, program)
	wantClass(t, err, codemode.ErrResourceLimit)
}

func TestEachLimitZeroMeansDefault(t *testing.T) {
	w := newWorld(t, codemode.Options{Limits: codemode.Limits{MaxNativeCalls: 7}})
	want := codemode.DefaultLimits()
	want.MaxNativeCalls = 7
	if got := w.Limits(); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestDepthThatEndsAHost: whoever writes a value as JSON recurses, so a limit
// without sense must not let a worker decide how far.
func TestDepthThatEndsAHost(t *testing.T) {
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxValueDepth: math.MaxInt}}, returning("x.y", empty{}))
	nested := func(depth int) codemode.Program {
		return body(fmt.Sprintf("a = []\nfor _ in range(%d): a = [a]\nreturn a", depth-1))
	}
	if value, err := do(t, server, nested(10_000)); err != nil || value == nil {
		t.Errorf("10,000 deep: got %v", err)
	}
	_, err := do(t, server, nested(10_001))
	wantClass(t, err, codemode.ErrResourceLimit)
}
