package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/codemode/internal/engine"
)

// many returns a namespace of n capabilities.
func many(t testing.TB, n int) []engine.Capability {
	t.Helper()
	plan, err := binding.CompileFor[lookup, record]()
	if err != nil {
		t.Fatal(err)
	}
	all := make([]engine.Capability, n)
	for i := range all {
		name := fmt.Sprintf("group%d.item%d", i%64, i)
		all[i] = engine.Capability{ID: "id-of-" + name, Name: name, Input: plan.Input()}
	}
	return all
}

func TestEveryCapabilityIsFound(t *testing.T) {
	all := many(t, 500)
	e, err := engine.New(engine.AppendManifest(nil, defaultLimits, all))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		var id string
		r := e.Run([]byte("def main():\n    "+c.Name+"(key=\"a\")\n    return len(dir("+c.Name[:6]+"))\n"), func(called string, _ []byte) ([]byte, engine.Class, error) {
			id = called
			return []byte{0}, engine.OK, nil
		})
		if r.Fault != nil || id != c.ID {
			t.Fatalf("%s: got %+v, %q, want a call of %q", c.Name, r.Fault, id, c.ID)
		}
	}
}

// TestManyCapabilitiesCostNothing: what a run allocates does not depend on how
// many capabilities it could call.
func TestManyCapabilitiesCostNothing(t *testing.T) {
	allocations := func(n int) float64 {
		e, err := engine.New(engine.AppendManifest(nil, defaultLimits, many(t, n)))
		if err != nil {
			t.Fatal(err)
		}
		source := []byte("def main():\n    return [1, group0.item0]\n")
		return testing.AllocsPerRun(50, func() { e.Run(source, nil) })
	}
	if one, most := allocations(1), allocations(4096); most > one+1 {
		t.Errorf("got %v allocations with 4,096 capabilities, want the %v of one", most, one)
	}
}

func TestNamesThatAreEachOthersPrefix(t *testing.T) {
	var all []engine.Capability
	for _, name := range []string{"a.b", "a.bc", "a.b_c", "a.B", "ab.c", "a1.c", "a_.c", "é.日本", "a.d.e.f", "a.d.ee", "a.d.e_", "long." + strings.Repeat("x", 300), strings.Repeat("y", 300) + ".z"} {
		all = append(all, engine.Capability{ID: name, Name: name})
	}
	e, err := engine.New(engine.AppendManifest(nil, defaultLimits, all))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		r := e.Run([]byte("def main():\n    return "+c.Name+"()\n"), func(id string, _ []byte) ([]byte, engine.Class, error) {
			if id != c.Name {
				t.Errorf("%s: got a call of %s", c.Name, id)
			}
			return []byte{0}, engine.OK, nil
		})
		if r.Fault != nil {
			t.Errorf("%s: got %+v", c.Name, r.Fault)
		}
	}
	r := e.Run([]byte("def main():\n    return [dir(a), dir(a.d), dir(a.d.e), dir(é)]\n"), nil)
	if got := outcome(t, r); got != `[["B","b","b_c","bc","d"],["e","e_","ee"],["f"],["日本"]]` {
		t.Errorf("got %s", got)
	}
}

func TestManifestIsIndependentOfOrder(t *testing.T) {
	all := many(t, 20)
	forward := engine.AppendManifest(nil, defaultLimits, all)
	slices.Reverse(all)
	if backward := engine.AppendManifest(nil, defaultLimits, all); !slices.Equal(forward, backward) {
		t.Error("two manifests of the same capabilities differ")
	}
}

func TestNoCapabilities(t *testing.T) {
	e, err := engine.New(engine.AppendManifest(nil, defaultLimits, nil))
	if err != nil {
		t.Fatal(err)
	}
	if got := outcome(t, e.Run([]byte("def main():\n    return 1\n"), nil)); got != "1" {
		t.Errorf("got %s", got)
	}
	e.WarmUp()
}

func TestLimitsAreRequired(t *testing.T) {
	for _, limits := range []engine.Limits{{}, {MaxSteps: 1, MaxCalls: 1, MaxValueDepth: 1}, {MaxSteps: 1, MaxCalls: 1, MaxValueBytes: 1}} {
		if _, err := engine.New(engine.AppendManifest(nil, limits, nil)); err == nil {
			t.Errorf("%+v: got an engine, want an error", limits)
		}
	}
}

// FuzzManifest: bytes that are no manifest give an error or an engine that
// works, never a panic.
func FuzzManifest(f *testing.F) {
	manifest := engine.AppendManifest(nil, defaultLimits, many(f, 3))
	f.Add(manifest)
	f.Add(manifest[:len(manifest)/2])
	f.Add([]byte{})
	f.Add([]byte{1, 1, 1, 1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, manifest []byte) {
		e, err := engine.New(manifest)
		if err != nil {
			return
		}
		call := func(string, []byte) ([]byte, engine.Class, error) { return []byte{0}, engine.OK, nil }
		e.Run([]byte("def main():\n    return [dir(group0), group0.item0(key=\"a\"), group1.nope]\n"), call)
		e.Check([]byte("def main():\n    return [group0.item0(1), nope]\n"))
	})
}
