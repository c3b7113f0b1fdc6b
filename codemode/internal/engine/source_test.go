package engine_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/codemode-go/codemode/codemode/internal/engine"
)

func TestSourceText(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"NUL", "def main():\n    return 1 \x00\n", "<codemode>:2:14: the source contains a NUL byte"},
		{"NUL in a comment", "# \x00\ndef main(): return 1\n", "<codemode>:1:3: the source contains a NUL byte"},
		{"invalid UTF-8", "def main():\r\n    return \"é\xff\"\n", "<codemode>:2:14: the source is not valid UTF-8: byte 0xff"},
		{"surrogate", "x = \"\xed\xa0\x80\"\n", "<codemode>:1:6: the source is not valid UTF-8"},
		{"byte-order mark", "\ufeffdef main(): return 1\n", "<codemode>:1:1: the source starts with a byte-order mark"},
		{"U+FFFD is a character", "def main():\n    return \"\ufffd\"\n", ""},
		{"CR", "def main():\r    return 1\r", ""},
		{"CRLF", "def main():\r\n    return 1\r\n", ""},
		{"mixed", "X = 1\rdef main():\r\n    y = X\n    return y\r", ""},
		{"CR counts lines", "def main():\r\r\n\rx = (\r", "<codemode>:"},
		{"empty", "", "<codemode>:1:1: the program does not define main"},
		{"comment", "# nothing", "<codemode>:1:1: the program does not define main"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t)
			r := h.run(t, test.source)
			if test.want == "" {
				if r.Fault != nil {
					t.Errorf("got %s, want success", outcome(t, r))
				}
				return
			}
			if r.Fault == nil || r.Fault.Class != engine.InvalidProgram || !strings.HasPrefix(r.Fault.Detail, test.want) {
				t.Errorf("got %s, want %s", outcome(t, r), test.want)
			}
		})
	}
}

// TestSourceIsNotRewritten: positions and string literals are those that were
// submitted.
func TestSourceIsNotRewritten(t *testing.T) {
	h := newHost(t)
	r := h.run(t, "def main():\r\n    return '''a\\nb\tc'''\r\n")
	if got := outcome(t, r); got != `"a\nb\tc"` {
		t.Errorf("got %s", got)
	}
}

// TestLargeSources: a host may allow sources of any size.
func TestLargeSources(t *testing.T) {
	filler := strings.Repeat("# filler\n", 1<<16)
	for source, want := range map[string]string{
		filler + "def main():\n    return 1\n":         "1",
		filler + "def main():\n    return f\"x\"\n":    "invalid program: <codemode>:65538:16: got string literal, want newline",
		filler + "def main():\n    return records.x\n": "invalid program: <codemode>:65538:19: records has no capability .x",
	} {
		if got := outcome(t, newHost(t).run(t, source)); !strings.HasPrefix(got, want) {
			t.Errorf("got %.200s, want %s", got, want)
		}
	}
}

func TestDetailIsBoundedOneLineAndUTF8(t *testing.T) {
	for _, source := range []string{
		"def main():\n    fail(\"é\" * 100000)\n",
		"def main():\n    fail(\"é\"[0] * 100000)\n",
		"def main():\n    fail(\"a\\r\\n\\tb\\u2028c\\u202ed\\x00\")\n",
		"def main():\n    return {}[\"\\n\" * 100000]\n",
		"def main():\n    return " + strings.Repeat("x", 60000) + "\n",
		"def main():\n    return records." + strings.Repeat("x", 60000) + "\n",
		"def main():\n    return getattr(records, \"\\n\" * 60000)\n",
		"def main():\n    records.lookup(" + strings.Repeat("x", 30000) + "=1)\n",
		"def main():\n    records.lookup(**{\"\\n\" * 30000: 1})\n",
		"def main():\n    return {\"\\n\" * 3000: len}\n",
		strings.Repeat("def "+strings.Repeat("f", 3000)+"(): pass\n", 8),
		"def main():\n" + strings.Repeat("    import "+strings.Repeat("f", 3000)+"\n", 8),
		"def main():\n" + strings.Repeat("    "+strings.Repeat("é", 1000)+"\n", 8),
	} {
		r := newHost(t).run(t, source)
		if r.Fault == nil {
			t.Fatalf("%.60s: got success", source)
		}
		d := r.Fault.Detail
		if len(d) > engine.MaxDetailBytes || !utf8.ValidString(d) || strings.ContainsAny(d, "\n\r\t\x00\u2028\u202e") || !strings.HasPrefix(d, "<codemode>:") {
			t.Errorf("%.60s: got detail of %d bytes: %.200q", source, len(d), d)
		}
	}
}
