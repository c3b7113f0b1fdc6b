package codemode_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// BenchmarkHostStart is row 11: the start of a host of this module alone
// against an empty binary.
func BenchmarkHostStart(b *testing.B) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		b.Skip("needs the go command")
	}
	binary := func(name, source string) func() error {
		dir := b.TempDir()
		file, out := filepath.Join(dir, "main.go"), filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
			b.Fatal(err)
		}
		build := exec.Command(goCommand, "build", "-o", out, file)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if text, err := build.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, text)
		}
		return func() error { return exec.Command(out).Run() }
	}
	m := medians(b, max(b.N, 5),
		timed(b, binary("empty", "package main\n\nfunc main() {}\n")),
		timed(b, binary("host", "package main\n\nimport \"github.com/codemode-go/codemode/codemode\"\n\nfunc main() { codemode.ServeWorkerAndExit() }\n")))
	b.ReportMetric(m[1]/m[0], "row11:host/empty")
}
