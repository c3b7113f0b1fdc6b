package engine_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/codemode/internal/engine"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// The scripts in testdata are programs, separated by lines of three dashes.
// What is expected of each stands beside the line that it is about, behind
// ###: the column and text of a problem, or the value of a program that
// succeeds. These notes are cut off before the program runs.
var note = regexp.MustCompile(` *###.*`)

func TestRunScripts(t *testing.T) {
	scripts(t, "run", func(t *testing.T, source string) []engine.Problem {
		return ending(t, newHost(t).run(t, source))
	})
}

func TestCheckScripts(t *testing.T) {
	scripts(t, "check", func(t *testing.T, source string) []engine.Problem {
		h := newHost(t)
		problems := h.engine(t).Check([]byte(source))
		if len(h.calls) > 0 {
			t.Error("a check made a native call")
		}
		return problems
	})
}

func scripts(t *testing.T, directory string, problems func(*testing.T, string) []engine.Problem) {
	files, err := filepath.Glob(filepath.Join("testdata", directory, "*.star"))
	if err != nil || len(files) == 0 {
		t.Fatalf("scripts: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			chunks := strings.Split(string(text), "---\n")
			for i, want := range chunks {
				source := strings.TrimRight(note.ReplaceAllString(want, ""), "\n") + "\n"
				chunks[i] = annotate(source, problems(t, source))
				if got := chunks[i]; got != want && !*update {
					t.Errorf("got\n%swant\n%s", got, want)
				}
			}
			if *update {
				if err := os.WriteFile(file, []byte(strings.Join(chunks, "---\n")), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// annotate writes problems beside the lines of source.
func annotate(source string, problems []engine.Problem) string {
	lines := strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	for _, p := range problems {
		for len(lines) < p.Line {
			lines = append(lines, "")
		}
		at := &lines[max(p.Line-1, 0)]
		if p.Column == 0 {
			*at += fmt.Sprintf("  ### %s", p.Message)
		} else {
			*at += fmt.Sprintf("  ### %d: %s", p.Column, p.Message)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// ending takes the detail of a fault apart again. What has no position is
// noted at the first line.
func ending(t *testing.T, r engine.Result) []engine.Problem {
	if r.Fault == nil || r.Fault.Detail == "" {
		return []engine.Problem{{Line: 1, Message: outcome(t, r)}}
	}
	var problems []engine.Problem
	for i, text := range strings.Split(r.Fault.Detail, "; also ") {
		parts := strings.SplitN(text, ":", 4)
		line, err1 := strconv.Atoi(parts[1])
		column, err2 := strconv.Atoi(parts[2])
		if parts[0] != "<codemode>" || err1 != nil || err2 != nil {
			t.Fatalf("detail %q: want a position", text)
		}
		message := strings.TrimSpace(parts[3])
		if i == 0 {
			message = r.Fault.Class.String() + ": " + message
		}
		problems = append(problems, engine.Problem{Line: line, Column: column, Message: message})
	}
	return problems
}

// TestEveryHintIsShown: a hint that no script shows may be wrong, or never
// appear.
func TestEveryHintIsShown(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*.star"))
	if err != nil {
		t.Fatal(err)
	}
	var notes []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		notes = append(notes, strings.FieldsFunc(strings.ReplaceAll(string(text), "###", "\x00"), func(r rune) bool { return r == 0 || r == '\n' })...)
	}
	for _, h := range engine.HintLines() {
		before, after, _ := strings.Cut(h.Text, "{name}")
		shown := false
		for _, n := range notes {
			if strings.Contains(n, h.Message) && strings.Contains(n, before) && strings.Contains(n, after) {
				shown = true
				break
			}
		}
		if !shown {
			t.Errorf("no script shows %q (%s)", h.Message, h.Text)
		}
	}
}
