package linediff_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/tools/githost/internal/linediff"
)

func TestCounts(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		added, removed int
	}{
		{"both empty", "", "", 0, 0},
		{"equal", "a\nb\n", "a\nb\n", 0, 0},
		{"created", "", "a\nb\n", 2, 0},
		{"deleted", "a\nb\n", "", 0, 2},
		{"one line changed", "a\nb\nc\n", "a\nx\nc\n", 1, 1},
		{"inserted in the middle", "a\nc\n", "a\nb\nc\n", 1, 0},
		{"last line end lost", "a\nb\n", "a\nb", 1, 1},
		{"no line end on either side", "a", "b", 1, 1},
		{"carriage returns count", "a\r\nb\r\n", "a\nb\n", 2, 2},
		{"moved", "a\nb\nc\n", "b\nc\na\n", 1, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			added, removed := linediff.Compare([]byte(tt.old), []byte(tt.new)).Counts()
			if added != tt.added || removed != tt.removed {
				t.Errorf("got +%d -%d, want +%d -%d", added, removed, tt.added, tt.removed)
			}
		})
	}
}

// TestCountsEqualGit compares with git on texts that make it take each of its
// shortcuts: many repeated lines, rewritten passages, long and costly edits.
func TestCountsEqualGit(t *testing.T) {
	git := needGit(t)
	dir := t.TempDir()
	type pair struct{ old, new []byte }
	pairs := map[string]pair{}
	for i, shape := range []struct{ lines, words, edits, run int }{
		{40, 5, 4, 3}, {40, 200, 8, 2}, {300, 3, 40, 4}, {300, 40, 60, 10}, {1000, 12, 200, 6},
		{1000, 1000, 300, 3}, {3000, 30, 700, 5}, {3000, 2000, 900, 4}, {6000, 60, 2500, 8},
		{6000, 6000, 1500, 30}, {12000, 300, 2000, 25}, {12000, 9000, 1500, 60}, {20000, 20000, 2000, 2}, {12000, 6000, 900, 3}, {42000, 42000, 4000, 2},
		{42000, 42000, 9000, 2},
	} {
		seeds := 4
		if shape.lines > 10000 {
			seeds = 1
		}
		for seed := range seeds {
			r := rand.New(rand.NewPCG(uint64(i), uint64(seed)))
			old := text(r, shape.lines, shape.words)
			name := fmt.Sprintf("%02d-%02d", i, seed)
			pairs[name] = pair{join(old), join(edit(r, old, shape.words, shape.edits, shape.run))}
		}
	}
	for name, p := range pairs {
		write(t, filepath.Join(dir, "a", name), p.old)
		write(t, filepath.Join(dir, "b", name), p.new)
	}
	cmd := exec.Command(git, "-c", "core.autocrlf=false", "diff", "--no-index", "--no-renames", "--numstat", "a", "b")
	cmd.Dir = dir
	out, _ := cmd.Output() // it exits with 1 when there are differences
	seen := 0
	for line := range strings.Lines(string(out)) {
		var added, removed int
		var path string
		if _, err := fmt.Sscan(line, &added, &removed, &path); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		name := line[strings.LastIndex(line, "/")+1:]
		name = strings.Trim(name, "}\n")
		p, ok := pairs[name]
		if !ok {
			t.Fatalf("git names %q", line)
		}
		seen++
		gotAdded, gotRemoved := linediff.Compare(p.old, p.new).Counts()
		if gotAdded != added || gotRemoved != removed {
			t.Errorf("%s: got +%d -%d, git has +%d -%d", name, gotAdded, gotRemoved, added, removed)
		}
	}
	if seen < len(pairs)*9/10 {
		t.Errorf("git compared %d of %d pairs", seen, len(pairs))
	}
}

// TestUnifiedApplies holds the hunks against git, which applies them.
func TestUnifiedApplies(t *testing.T) {
	git := needGit(t)
	dir := t.TempDir()
	for seed := range 20 {
		r := rand.New(rand.NewPCG(7, uint64(seed)))
		old := text(r, 30+r.IntN(60), 4+r.IntN(30))
		before, after := join(old), join(edit(r, old, 10, 1+r.IntN(8), 3))
		if seed%3 == 0 {
			after = bytes.TrimSuffix(after, []byte("\n"))
		}
		if bytes.Equal(before, after) {
			continue
		}
		write(t, filepath.Join(dir, "f"), before)
		s := linediff.Compare(before, after)
		patch := []byte("--- a/f\n+++ b/f\n")
		for _, h := range s.Hunks(3) {
			patch = s.AppendHunk(patch, h)
		}
		cmd := exec.Command(git, "apply", "-")
		cmd.Dir, cmd.Stdin = dir, bytes.NewReader(patch)
		cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("seed %d: %v: %s\n%s", seed, err, out, patch)
		}
		got, err := os.ReadFile(filepath.Join(dir, "f"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, after) {
			t.Errorf("seed %d: the patch gives another text", seed)
		}
	}
}

// FuzzCompare checks that what is common to both texts is equal.
func FuzzCompare(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), []byte("a\nc\nd"))
	f.Add([]byte("\n\n}\n\n"), []byte("}\n}\n\n"))
	f.Fuzz(func(t *testing.T, old, new []byte) {
		s := linediff.Compare(old, new)
		var left, right []byte
		for i, line := range s.Old {
			if !s.Removed[i] {
				left = append(left, line...)
			}
		}
		for i, line := range s.New {
			if !s.Added[i] {
				right = append(right, line...)
			}
		}
		if !bytes.Equal(left, right) {
			t.Errorf("common lines differ: %q and %q", left, right)
		}
		for _, h := range s.Hunks(3) {
			s.AppendHunk(nil, h)
		}
	})
}

func BenchmarkCompare(b *testing.B) {
	for _, lines := range []int{100, 2000} {
		r := rand.New(rand.NewPCG(1, 2))
		old := text(r, lines, lines/2)
		before, after := join(old), join(edit(r, old, lines/2, 10, 5))
		b.Run(fmt.Sprintf("lines=%d", lines), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				linediff.Compare(before, after)
			}
		})
	}
}

func text(r *rand.Rand, lines, words int) []string {
	out := make([]string, lines)
	for i := range out {
		out[i] = word(r, words)
	}
	return out
}

// word favours a few lines, as braces and blank lines are favoured in code.
func word(r *rand.Rand, words int) string {
	if r.IntN(3) == 0 {
		return []string{"", "}", "\treturn"}[r.IntN(3)]
	}
	return fmt.Sprintf("line %d", r.IntN(words))
}

// edit makes about so many edits, each of a run of lines: removed, preceded by
// others, or rewritten.
func edit(r *rand.Rand, lines []string, words, edits, run int) []string {
	var out []string
	for i := 0; i < len(lines); {
		if r.IntN(len(lines)) >= edits {
			out = append(out, lines[i])
			i++
			continue
		}
		n := min(1+r.IntN(run), len(lines)-i)
		switch r.IntN(3) {
		case 0:
			i += n
		case 1:
			out = append(append(out, text(r, 1+r.IntN(run), words*2)...), lines[i])
			i++
		case 2:
			out = append(out, text(r, n, words*2)...)
			i += n
		}
	}
	return out
}

func join(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func needGit(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed; its numbers are what this test compares with")
	}
	return path
}
