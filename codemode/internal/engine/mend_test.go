package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.starlark.net/syntax"

	"github.com/codemode-go/codemode/codemode/internal/engine"
)

// TestMendLeavesProgramsAlone: what the parser takes has no habit in it.
func TestMendLeavesProgramsAlone(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.star"))
	if err != nil || len(files) == 0 {
		t.Fatalf("scripts: %v, %v", files, err)
	}
	programs := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, source := range strings.Split(note.ReplaceAllString(string(text), ""), "---\n") {
			if _, err := (&syntax.FileOptions{}).Parse("", source, 0); err != nil {
				continue
			}
			programs++
			if mended, problems := engine.Mend([]byte(source)); mended != source || len(problems) > 0 {
				t.Errorf("%s:\n%s became\n%s with %v", file, source, mended, problems)
			}
		}
	}
	if programs < 100 {
		t.Errorf("got %d programs", programs)
	}
}

func TestMend(t *testing.T) {
	for _, test := range []struct{ source, want string }{
		{"try:\n  a\nexcept (A, B) as e:\n  b\nexcept:\n  c\nfinally: d\n", "if 1:\n  a\nfor e in ():\n  b\nif 1:\n  c\nif 1: d\n"},
		{"with open(a) as f:\n  b\nwith a:\n  c\nwith d as e, f(g) as h: i\n", "for f in ():\n  b\nif a:\n  c\nfor e, h in (): i\n"},
		{"from a import (\n  b,\n)\nraise\ndel a[0], b\nassert a, b\nassert(a)\n", "pass   \n  \n\npass\npass  \npass  \nassert(a)\n"},
		{"async def f(a: int, b: dict[str, int] = {1: 2}, c=lambda x: 1) -> list[int]: await g()\n", "def f(a, b = {1: 2}, c=lambda x: 1) :  g()\n"},
		{"await a\nb = await c\nyield\nyield a\n", "not a\nb =  c\npass\nnot a\n"},
		{"a: int = 1\nb: int\nc = {d: 1}\n", "a = 1\npass \nc = {d: 1}\n"},
		{"sum(a for a in b)\n\",\".join(\n  a + 1 for a, c in b if c\n)\nd(a, b, key=1)\n", "sum([a for a in b])\n\",\".join([\n  a + 1 for a, c in b if c\n])\nd(a, b, key=1)\n"},
		{"{1, 2}\n{a for a in b}\n{\n}\n{a: b for a in b}\n", "[1, 2]\n[a for a in b]\n{\n}\n{a: b for a in b}\n"},
		{"{**a, 1: 2, **b}\n[*a, 1]\na, *b = c\n(lambda *a, **b: 1)(*c, **d)\na ** b\na **= 2\n", "{0:a, 1: 2, 0:b}\n[a, 1]\na, b = c\n(lambda *a, **b: 1)(*c, **d)\na * b\na *= 2\n"},
		{"1 < a<3\na == b and c == d\nf(a < b, c < d)\n[a < b, c if d > e else f > g]\n", "1 < a and 3\na == b and c == d\nf(a < b, c < d)\n[a < b, c if d > e else f > g]\n"},
		{"f\"{a}\" is not b is c\n", "\"{a}\" != b == c\n"},
		{"f(\"a\" 'b'\n  f\"c\", \"d\")\n\"e\"\n\"f\"\n1_000 + 0x_ff\n@g(\"h\")\ni\n", "f(\"a\" +'b'\n  +\"c\", \"d\")\n\"e\"\n\"f\"\n1000 + 0xff\n\ni\n"},
		{"```python\na\n```\n", "\na\n\n"},
		{"async \\\ndef f(): pass\n", " \\\ndef f(): pass\n"},
		{"1 < a < 2; b == c; d == e\n", "1 < a  and  2; b == c; d == e\n"},
		{"def f(a=lambda b, c: 1, d: int = lambda: e): pass\n", "def f(a=lambda b, c: 1, d = lambda: e): pass\n"},
		{"[\n  *a,\n  b\n  ** c,\n  d\n  * e,\n  f(g,\n    *h, **i),\n]\n{\n  **j,\n}\n", "[\n  a,\n  b\n  * c,\n  d\n  * e,\n  f(g,\n    *h, **i),\n]\n{\n  0:j,\n}\n"},
	} {
		if got, _ := engine.Mend([]byte(test.source)); got != test.want {
			t.Errorf("%q became %q, want %q", test.source, got, test.want)
		}
	}
}
