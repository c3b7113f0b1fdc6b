package docs_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the results of the programs, and the programs on the pages, anew")

// TestPrograms runs every example program with the codemode command, over a
// small repository, and compares what it returns.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the codemode command")
	}
	bin := filepath.Join(codemodeDir(t), "codemode")
	repository := newRepository(t)
	programs, err := filepath.Glob(filepath.Join("examples", "programs", "*.star"))
	if err != nil || len(programs) < 12 {
		t.Fatalf("got %d programs, %v, want a dozen", len(programs), err)
	}
	for _, program := range programs {
		name := strings.TrimSuffix(filepath.Base(program), ".star")
		t.Run(name, func(t *testing.T) {
			run := exec.Command(bin, "run", "--git", repository, program)
			var stderr bytes.Buffer
			run.Stderr = &stderr
			got, err := run.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, stderr.String())
			}
			compareFile(t, filepath.Join("testdata", "programs", name+".json"), got)
		})
	}
}

// compareFile wants the file to hold got. With -update it does afterwards.
func compareFile(t *testing.T, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if *update && !bytes.Equal(got, want) {
		err = os.WriteFile(path, got, 0o666)
		want = got
	}
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant, from %s,\n%s", got, path, want)
	}
}

// newRepository makes a repository of testdata/history.txt. Its dates are
// fixed, and so are its hashes.
func newRepository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	history, err := os.Open(filepath.Join("testdata", "history.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer history.Close()
	for _, args := range [][]string{{"init", "--quiet", "--initial-branch=main"}, {"fast-import", "--quiet"}} {
		git := exec.Command("git", args...)
		git.Dir = dir
		if args[0] == "fast-import" {
			git.Stdin = history
		}
		if text, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", args[0], err, text)
		}
	}
	return dir
}
