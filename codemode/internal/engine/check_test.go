package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"github.com/codemode-go/codemode/codemode/internal/engine"
)

// hostile returns the programs written to break workers. They are parsed and
// checked here, not run: some need a worker with a memory cap.
func hostile(t testing.TB) map[string]string {
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "shared", "hostile", "*.star"))
	if len(files) == 0 {
		t.Skip("the hostile programs are not here")
	}
	programs := make(map[string]string)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		programs[filepath.Base(file)] = string(source)
	}
	return programs
}

// TestNoFalseAlarms: what Check reports of a program that is meant to run is
// wrong.
func TestNoFalseAlarms(t *testing.T) {
	e := newHost(t).engine(t)
	for name, source := range hostile(t) {
		head, _, _ := strings.Cut(source, "\n")
		problems := e.Check([]byte(source))
		if strings.Contains(head, "expect: ok") && len(problems) > 0 {
			t.Errorf("%s: got %v, want no problem", name, problems)
		}
	}
}

// TestHabitsAreNoPrograms: the scanner that looks for further faults in a
// source that cannot be parsed finds none in one that can.
func TestHabitsAreNoPrograms(t *testing.T) {
	sources := hostile(t)
	sources["strings"] = "x = 'import'\ny = \"\"\"f\"\"\"\nz = r'\\''\nw = b\"is\" if x else rb'''\nyield\n'''\nv = 'a\\\nb'\n# f''\n"
	for name, source := range sources {
		if _, err := (&syntax.FileOptions{}).Parse(name, source, 0); err != nil || strings.Contains(source, "while") || strings.Contains(source, "\x00") {
			continue
		}
		if found := engine.Habits([]byte(source)); len(found) > 0 {
			t.Errorf("%s: got %v, want none", name, found)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, test := range []struct{ name, candidates, want string }{
		{"recrods", "records admin", "records"},
		{"Records", "records", "records"},
		{"create_user", "createUser deleteUser", "createUser"},
		{"x", "y z", ""},
		{"ab", "cd", ""},
		{"lookup", "list", ""},
		{"total", "", ""},
		{strings.Repeat("x", 500), strings.Repeat("x", 499), ""},
		{"", "a", ""},
	} {
		if got := engine.Nearest(test.name, strings.Fields(test.candidates)...); got != test.want {
			t.Errorf("%.20s of %s: got %q, want %q", test.name, test.candidates, got, test.want)
		}
	}
}

func TestClean(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"plain", "plain"},
		{"a\nb\r\tc", "a b  c"},
		{"a\xffb", "a\ufffdb"},
		{"a\u202eb\u2066c", "abc"},
		{strings.Repeat("x", 21), strings.Repeat("x", 17) + "..."},
		{strings.Repeat("é", 11), strings.Repeat("é", 8) + "..."},
		{strings.Repeat("\xff", 20), strings.Repeat("\ufffd", 5) + "..."},
		{strings.Repeat("\x80", 30), "..."},
	} {
		got := engine.Clean(test.text, 20)
		if got != test.want || len(got) > 20 {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

// TestProblemsAreBounded: neither many faults nor long names make a check long.
func TestProblemsAreBounded(t *testing.T) {
	e := newHost(t).engine(t)
	for _, line := range []string{"    undefined_name_%\n", "    records.lookup(%)\n", "    while %: pass\n", "    import x%\n", "    f'%' is f'%'\n"} {
		var source strings.Builder
		source.WriteString("def main():\n")
		for i := 0; source.Len() < 60000; i++ {
			source.WriteString(strings.ReplaceAll(line, "%", strings.Repeat("a", i%50+1)))
		}
		problems := e.Check([]byte(source.String()))
		if len(problems) == 0 || len(problems) > 64 {
			t.Errorf("%s: got %d problems", line, len(problems))
		}
		for _, p := range problems {
			if len(p.Message) > 512 || p.Line < 1 || p.Column < 1 {
				t.Errorf("%s: got %+v", line, p)
			}
		}
	}
}

// FuzzSource: no source makes the engine panic; what Run refuses before its
// first step Check finds too; a detail is always fit to be shown.
func FuzzSource(f *testing.F) {
	for _, pattern := range []string{"run", "check"} {
		files, _ := filepath.Glob(filepath.Join("testdata", pattern, "*.star"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			for chunk := range strings.SplitSeq(string(text), "---\n") {
				f.Add(note.ReplaceAllString(chunk, ""))
			}
		}
	}
	h := newHost(f)
	h.limits.MaxSteps = 2000
	e := h.engine(f)
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 4096 || strings.ContainsAny(source, "*<") || strings.Contains(source, "range") {
			return // builtins that outrun steps are the sandbox's
		}
		end := 0
		for _, span := range engine.TokenSpans([]byte(source)) {
			if span[0] < end || span[1] <= 0 || span[0]+span[1] > len(source) {
				t.Fatalf("token at %v behind %d", span, end)
			}
			end = span[0] + span[1]
		}
		problems := e.Check([]byte(source))
		r := e.Run([]byte(source), func(id string, arguments []byte) ([]byte, engine.Class, error) { return []byte{0xc0}, engine.OK, nil })
		if r.Fault == nil {
			return
		}
		if r.Fault.Class == engine.Internal {
			t.Fatalf("internal failure, %q", r.Fault.Detail)
		}
		if r.Steps == 0 && len(problems) == 0 {
			t.Fatalf("run found %q, check nothing", r.Fault.Detail)
		}
		d := r.Fault.Detail
		if len(d) > engine.MaxDetailBytes || !utf8.ValidString(d) || strings.ContainsAny(d, "\n\r") || d != "" && !strings.HasPrefix(d, "<codemode>:") {
			t.Fatalf("detail %q", d)
		}
	})
}

// TestMissingMainIsNeverCovered by another problem that starts the source too.
func TestMissingMainIsNeverCovered(t *testing.T) {
	const missing = "does not define main"
	for _, source := range []string{
		"import json\nresult = json.encode({})\n",
		"for x in [1]:\n    print(x)\n",
		"return 1\n",
		"if __name__ == \"__main__\":\n    pass\n",
		"x\n",
	} {
		h := newHost(t)
		if got := outcome(t, h.run(t, source)); !strings.Contains(got, missing) {
			t.Errorf("%q: run got %s", source, got)
		}
		problems := h.engine(t).Check([]byte(source))
		if !slices.ContainsFunc(problems, func(p engine.Problem) bool { return strings.Contains(p.Message, missing) }) {
			t.Errorf("%q: check got %v", source, problems)
		}
	}
}
