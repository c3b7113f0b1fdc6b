package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestPrograms checks and runs every example program.
func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	if err := makeRepository(dir); err != nil {
		t.Fatal(err)
	}
	programs, err := filepath.Glob(filepath.Join("..", "..", "..", "docs", "examples", "programs", "*.star"))
	if err != nil || len(programs) < 4 {
		t.Fatalf("found %d programs: %v", len(programs), err)
	}
	for _, program := range programs {
		t.Run(filepath.Base(program), func(t *testing.T) {
			for _, verb := range []string{"check", "run"} {
				var stdout, stderr bytes.Buffer
				if code := run(t.Context(), []string{verb, "--git", dir, program}, os.Stdin, &stdout, &stderr); code != exitOK {
					t.Errorf("%s: exit code %d: %s", verb, code, stderr.String())
				}
				if verb == "run" && stdout.Len() < 10 {
					t.Errorf("it prints %q", stdout.String())
				}
			}
		})
	}
}
