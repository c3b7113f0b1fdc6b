package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// examples is where the example programs are. The module docs has them, so they
// are not there when this module is tested alone.
var examples = filepath.Join("..", "..", "..", "docs", "examples", "programs")

func needExamples(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(examples); err != nil {
		t.Skip("the example programs are in the module docs, which is not here")
	}
}

// TestPrograms checks and runs every example program.
func TestPrograms(t *testing.T) {
	needExamples(t)
	dir := t.TempDir()
	if err := makeRepository(dir); err != nil {
		t.Fatal(err)
	}
	programs, err := filepath.Glob(filepath.Join(examples, "*.star"))
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
				if verb == "run" && !json.Valid(stdout.Bytes()) {
					t.Errorf("it prints %q", stdout.String())
				}
			}
		})
	}
}
