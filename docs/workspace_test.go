package docs_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/codemode"
)

func TestMain(m *testing.M) {
	codemode.ServeWorkerAndExit()
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// root is the root of the workspace. Its absence is the reason to skip: outside
// of it there are no siblings to try.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.work")); errors.Is(err, fs.ErrNotExist) {
		t.Skip("this is not a checkout of the workspace")
	}
	return dir
}

var built struct {
	sync.Once
	dir string
	err error
}

// codemodeDir is a directory that holds the built codemode command.
func codemodeDir(t *testing.T) string {
	t.Helper()
	root := root(t)
	built.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "codemode-docs"); built.err != nil {
			return
		}
		build := exec.Command("go", "build", "-o", built.dir+string(filepath.Separator), "./tools/cmd/codemode")
		build.Dir = root
		if text, err := build.CombinedOutput(); err != nil {
			built.err = errors.New(string(text))
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.dir
}

// environment is the process's with these variables in the place of others.
func environment(variables ...string) []string {
	var env []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		replaced := false
		for _, v := range variables {
			replaced = replaced || strings.HasPrefix(v, name+"=")
		}
		if !replaced {
			env = append(env, variable)
		}
	}
	return append(env, variables...)
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	text, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

func needShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are written for a POSIX shell")
	}
}
