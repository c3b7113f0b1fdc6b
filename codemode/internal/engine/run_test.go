package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/codemode/internal/engine"
	"github.com/codemode-go/codemode/wire"
)

// classOf runs source and returns its class.
func classOf(t *testing.T, h *host, source string) engine.Class {
	t.Helper()
	r := h.run(t, source)
	if r.Fault == nil {
		return engine.OK
	}
	if r.Value != nil {
		t.Error("a fault came with a value")
	}
	return r.Fault.Class
}

func TestStepsAreInclusive(t *testing.T) {
	const source = "X = [i for i in range(50)]\ndef main():\n    n = 0\n    for x in X:\n        n += x\n    return n\n"
	h := newHost(t)
	steps := h.run(t, source).Steps
	if steps < 100 {
		t.Fatalf("got %d steps, want those of both phases", steps)
	}
	for limit, want := range map[uint64]engine.Class{steps: engine.OK, steps - 1: engine.ResourceLimit, 1: engine.ResourceLimit, 1<<64 - 1: engine.OK} {
		h.limits.MaxSteps = limit
		if got := classOf(t, h, source); got != want {
			t.Errorf("with %d of %d steps: got %v, want %v", limit, steps, got, want)
		}
	}
}

func TestStepsCannotBeCaught(t *testing.T) {
	h := newHost(t)
	h.limits.MaxSteps = 500
	for _, source := range []string{
		"def main():\n    return sorted(range(1000), key=lambda x: -x)\n",
		"def main():\n    return [max([x], key=lambda x: x) for x in range(1000)]\n",
		"def main():\n    return json.decode('[', [x for x in range(1000)])\n",
		"X = [x for x in range(1000)]\ndef main():\n    return 1\n",
	} {
		if got := classOf(t, h, source); got != engine.ResourceLimit {
			t.Errorf("%s: got %v, want %v", source, got, engine.ResourceLimit)
		}
	}
}

func TestCallsAreCountedByAttempt(t *testing.T) {
	h := newHost(t)
	h.limits.MaxCalls = 3
	loop := "def main():\n    for _ in range(%d):\n        records.ids()\n    return 1\n"
	if got := classOf(t, h, fmt.Sprintf(loop, 3)); got != engine.OK {
		t.Errorf("3 calls: got %v, want %v", got, engine.OK)
	}
	h.calls = nil
	if got := classOf(t, h, fmt.Sprintf(loop, 4)); got != engine.ResourceLimit || len(h.calls) != 3 {
		t.Errorf("4 calls: got %v after %d calls, want %v after 3", got, len(h.calls), engine.ResourceLimit)
	}
	// The count comes before binding.
	if got := classOf(t, h, "def main():\n    for _ in range(3):\n        records.ids()\n    records.lookup(1)\n"); got != engine.ResourceLimit {
		t.Errorf("a malformed fourth call: got %v, want %v", got, engine.ResourceLimit)
	}
}

// TestClassSurvivesUnwinding: whatever stands between a failed call and main,
// the class is that of the call, and nothing runs after it.
func TestClassSurvivesUnwinding(t *testing.T) {
	faults := map[string]engine.Class{
		"records.broken()":                               engine.CapabilityFailure,
		"admin.purge(key=\"a\")":                         engine.PermissionDenied,
		"records.lookup(key=1)":                          engine.InvalidArguments,
		"records.text(n=1 << 21)":                        engine.ResourceLimit,
		"records.lookup(key=\"%s\" % (\"x\" * 2000000))": engine.ResourceLimit,
		"fail(\"no\")":                                   engine.InvalidProgram,
		"1 // 0":                                         engine.InvalidProgram,
	}
	wraps := []string{
		"%s",
		"[%s for _ in range(2)]",
		"{x: %s for x in [1]}",
		"sorted([2, 1], key=lambda x: %s)",
		"max([2, 1], key=lambda x: %s)",
		"min([1], key=lambda x: [sorted([1], key=lambda y: %s) for _ in [1]])",
		"(lambda: %s)()",
		"json.decode(%s, \"default\")",
		"getattr(%s, \"x\", None)",
		"hasattr(%s, \"x\")",
		"dict([(1, %s)])",
		"list(zip([1], [%s]))",
	}
	for fault, want := range faults {
		for _, wrap := range wraps {
			h := newHost(t)
			source := "def main():\n    def inner():\n        return " + fmt.Sprintf(wrap, fault) + "\n    x = inner()\n    records.ids()\n    return 1\n"
			if got := classOf(t, h, source); got != want {
				t.Errorf("%s: got %v, want %v", source, got, want)
			}
			if last := len(h.calls) - 1; last >= 0 && h.calls[last] == "id:records.ids" {
				t.Errorf("%s: a call was made after the fault", source)
			}
		}
	}
}

func TestDetailOnlyForTheAuthorsFaults(t *testing.T) {
	h := newHost(t)
	for source, want := range map[string]string{
		"def main():\n    records.broken()\n":       "capability failed",
		"def main():\n    admin.purge(key=\"a\")\n": "permission denied",
		"def main():\n    return \"x\" * 2000000\n": "resource limit exceeded",
	} {
		if got := outcome(t, h.run(t, source)); got != want {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}

// TestLimitsAreNamed to the host, which alone sees the detail of this class.
func TestLimitsAreNamed(t *testing.T) {
	for source, want := range map[string]string{
		"def main():\n    for i in range(10000000): pass\n":                        "<codemode>:2:5: MaxExecutionSteps was reached",
		"def main():\n    for i in range(1000): records.ids()\n":                   "<codemode>:2:38: records.ids: MaxNativeCalls was reached",
		"def main():\n    records.lookup(key=\"%s\" % (\"x\" * 2000000))\n":        "<codemode>:2:19: records.lookup: the arguments: MaxValueBytes was reached",
		"def main():\n    return \"x\" * 2000000\n":                                "the final value: MaxValueBytes was reached",
		"def main():\n    x = []\n    for _ in range(99): x = [x]\n    return x\n": "the final value: MaxValueDepth was reached",
	} {
		r := newHost(t).run(t, source)
		if r.Fault == nil || r.Fault.Class != engine.ResourceLimit || r.Fault.Detail != want {
			t.Errorf("%s: got %+v, want a limit and the detail %q", source, r.Fault, want)
		}
	}
}

func TestLoadPhaseRefusesCalls(t *testing.T) {
	for _, source := range []string{
		"X = records.ids()",
		"ids = records.ids\nX = ids()",
		"X = [records.ids() for _ in [1]]",
		"X = {1: records.ids()}",
		"def f(x = records.ids()):\n    pass",
		"F = lambda x = records.ids(): x",
		"X = sorted([1], key = lambda x: records.ids())",
		"X = getattr(records, \"ids\")()",
		"X = (lambda: records.ids())()",
		"X = [f() for f in [records.ids]]",
		"def f():\n    return records.ids()\nX = f()",
		"X = records.archive.status()",
		"X = records.lookup(1)", // refused, not bound
		"X = hasattr(records.ids(), \"x\")",
		"def helper():\n    return main()\ndef main():\n    return records.ids()\nhelper()\n#",
	} {
		h := newHost(t)
		if !strings.Contains(source, "def main") {
			source += "\ndef main():\n    return 1\n"
		}
		r := h.run(t, source)
		if r.Fault == nil || r.Fault.Class != engine.InvalidProgram || !strings.Contains(r.Fault.Detail, "only while main runs") {
			t.Errorf("%s: got %s, want it refused", source, outcome(t, r))
		}
		if len(h.calls) > 0 {
			t.Errorf("%s: a call left the engine", source)
		}
	}
}

func TestValueLimitsAreIndependentAndInclusive(t *testing.T) {
	for _, test := range []struct {
		name         string
		depth, bytes int
		source       string
		want         engine.Class
	}{
		{"scalar at depth 1", 1, 100, "def main():\n    return 1\n", engine.OK},
		{"empty list at depth 1", 1, 100, "def main():\n    return []\n", engine.OK},
		{"list of one at depth 1", 1, 100, "def main():\n    return [1]\n", engine.ResourceLimit},
		{"list of one at depth 2", 2, 100, "def main():\n    return (1,)\n", engine.OK},
		{"three levels at depth 2", 2, 100, "def main():\n    return {\"a\": [1]}\n", engine.ResourceLimit},
		{"call without arguments at depth 1", 1, 100, "def main():\n    records.archive.status()\n", engine.OK},
		{"call with arguments at depth 1", 1, 100, "def main():\n    slow.wait(ms=1)\n", engine.ResourceLimit},
		{"call with arguments at depth 2", 2, 100, "def main():\n    slow.wait(ms=1)\n", engine.OK},
		{"final value of 64 bytes", 32, 64, "def main():\n    return \"x\" * 62\n", engine.OK},
		{"final value of 66 bytes", 32, 64, "def main():\n    return \"x\" * 64\n", engine.ResourceLimit},
		{"arguments of 1 + 4 + 1 + 59 bytes", 32, 65, "def main():\n    records.lookup(key=\"x\" * 59)\n    return None\n", engine.ResourceLimit},
		{"arguments that fit", 32, 100, "def main():\n    records.lookup(key=\"x\" * 40)\n    return None\n", engine.OK},
		{"result that does not fit", 32, 100, "def main():\n    records.text(n=100)\n    return None\n", engine.ResourceLimit},
		{"intermediate values are free", 2, 64, "def main():\n    return len([[[\"x\" * 10000]]])\n", engine.OK},
		{"cycle before depth", 3, 64, "def main():\n    x = []\n    x.append(x)\n    return x\n", engine.InvalidProgram},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t)
			h.limits.MaxValueDepth, h.limits.MaxValueBytes = test.depth, test.bytes
			if got := classOf(t, h, test.source); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestRepliesAreNotTrusted: what comes back from the other side is checked.
func TestRepliesAreNotTrusted(t *testing.T) {
	e := newHost(t).engine(t)
	big := append([]byte{}, encode(t, func(v *wire.Encoder) error { return v.String(strings.Repeat("x", 2<<20)) })...)
	for _, test := range []struct {
		name string
		call engine.CallFunc
		want engine.Class
	}{
		{"nothing", func(string, []byte) ([]byte, engine.Class, error) { return nil, engine.OK, nil }, engine.Internal},
		{"garbage", func(string, []byte) ([]byte, engine.Class, error) { return []byte{0xff, 1}, engine.OK, nil }, engine.Internal},
		{"trailing bytes", func(string, []byte) ([]byte, engine.Class, error) { return []byte{1, 1}, engine.OK, nil }, engine.Internal},
		{"too large", func(string, []byte) ([]byte, engine.Class, error) { return big, engine.OK, nil }, engine.ResourceLimit},
		{"broken transport", func(string, []byte) ([]byte, engine.Class, error) { return nil, engine.OK, errors.New("secret") }, engine.Internal},
		{"panic", func(string, []byte) ([]byte, engine.Class, error) { panic("secret") }, engine.Internal},
		{"refused arguments", func(string, []byte) ([]byte, engine.Class, error) { return nil, engine.InvalidArguments, nil }, engine.InvalidArguments},
		{"policy", func(string, []byte) ([]byte, engine.Class, error) { return nil, engine.PolicyFailure, nil }, engine.PolicyFailure},
		{"canceled", func(string, []byte) ([]byte, engine.Class, error) { return nil, engine.Canceled, nil }, engine.Canceled},
		{"unknown class", func(string, []byte) ([]byte, engine.Class, error) { return nil, 200, nil }, 200},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := e.Run([]byte("def main():\n    return records.ids()\n"), test.call)
			if r.Fault == nil || r.Fault.Class != test.want || test.want != engine.Internal && strings.Contains(r.Fault.Detail, "secret") {
				t.Errorf("got %+v, want %v", r.Fault, test.want)
			}
		})
	}
}

func encode(t *testing.T, write func(*wire.Encoder) error) []byte {
	t.Helper()
	var e wire.Encoder
	e.Reset(nil, wire.Limits{MaxDepth: 8, MaxBytes: 8 << 20})
	if err := write(&e); err != nil {
		t.Fatal(err)
	}
	body, err := e.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// TestRunsAreIndependent: one engine, many runs at once, and every budget
// starts afresh.
func TestRunsAreIndependent(t *testing.T) {
	h := newHost(t)
	h.limits.MaxCalls = 2
	e := h.engine(t)
	source := []byte("X = []\ndef main():\n    X.append(records.ids()[\"max\"])\n    records.ids()\n    return X\n")
	body, _, err := h.call("id:records.ids", encode(t, func(v *wire.Encoder) error { return v.Dict(0) }))
	if err != nil {
		t.Fatal(err)
	}
	call := func(string, []byte) ([]byte, engine.Class, error) { return body, engine.OK, nil }
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if got := outcome(t, e.Run(source, call)); got != "[9223372036854775807]" {
					t.Errorf("got %s", got)
				}
				e.Check(source)
			}
		})
	}
	wg.Wait()
}

func TestArgumentsReachTheCallUnchanged(t *testing.T) {
	h := newHost(t)
	var got []string
	e := h.engine(t)
	r := e.Run([]byte("def main():\n    for k in [\"a\", \"b\"]:\n        records.lookup(limit=-9223372036854775807 - 1, key=k)\n"),
		func(id string, arguments []byte) ([]byte, engine.Class, error) {
			got = append(got, id+fmt.Sprint(decode(t, arguments)))
			return h.call(id, arguments)
		})
	want := "[id:records.lookupmap[key:a limit:-9223372036854775808] id:records.lookupmap[key:b limit:-9223372036854775808]]"
	if fmt.Sprint(got) != want || r.Fault != nil {
		t.Errorf("got %v, %+v, want %s", got, r.Fault, want)
	}
}
