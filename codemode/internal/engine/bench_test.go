package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/codemode/internal/engine"
)

func benchmarkEngine(b *testing.B, capabilities int) *engine.Engine {
	e, err := engine.New(engine.AppendManifest(nil, defaultLimits, many(b, capabilities)))
	if err != nil {
		b.Fatal(err)
	}
	e.WarmUp()
	return e
}

func benchmarkRun(b *testing.B, e *engine.Engine, source string, call engine.CallFunc) {
	b.ReportAllocs()
	for b.Loop() {
		if r := e.Run([]byte(source), call); r.Fault != nil {
			b.Fatal(r.Fault)
		}
	}
}

// The number of capabilities must not matter.
func BenchmarkRun(b *testing.B) {
	null := func(string, []byte) ([]byte, engine.Class, error) { return []byte{0xc0}, engine.OK, nil }
	for _, n := range []int{1, 4096} {
		e := benchmarkEngine(b, n)
		for name, body := range map[string]string{
			"return1":   "return 1",
			"one call":  "return group0.item0(key=\"a\")",
			"100 calls": "for _ in range(100):\n        group0.item0(key=\"a\", limit=2)",
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				benchmarkRun(b, e, "def main():\n    "+body+"\n", null)
			})
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{1, 4096} {
		manifest := engine.AppendManifest(nil, defaultLimits, many(b, n))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(manifest)))
			for b.Loop() {
				if _, err := engine.New(manifest); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWarmUp(b *testing.B) {
	e := benchmarkEngine(b, 1)
	b.ReportAllocs()
	for b.Loop() {
		e.WarmUp()
	}
}

// What a source of 64 KiB can cost before its first step.
func BenchmarkWorstSource(b *testing.B) {
	e := benchmarkEngine(b, 4096)
	for name, line := range map[string]string{
		"undefined": "    u%d\n",
		"imports":   "    import u%d\n",
		"formats":   "    x%d = f\"\" is y\n",
		"calls":     "    group0.item0(u=%d)\n",
		"members":   "    group0.itemz%d\n",
		"chain":     "    group0.a.b.c%d.d.e\n",
	} {
		var source strings.Builder
		source.WriteString("def main():\n")
		for i := 0; source.Len() < 65000; i++ {
			fmt.Fprintf(&source, line, i)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				e.Run([]byte(source.String()), nil)
			}
		})
	}
}
