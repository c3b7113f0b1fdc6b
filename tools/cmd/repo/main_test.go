package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/tools/txtar"
)

var (
	update = flag.Bool("update", false, "rewrite what the scripts compare with")
	drill  = flag.Bool("drill", false, "release the whole repository to a remote of its own and consume it")
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"repo": main})
}

// TestScripts runs every verb on a small workspace, testdata/workspace.txtar,
// which has modules of the real names and no dependencies.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			for name, value := range environment(t, env.WorkDir) {
				env.Setenv(name, value)
			}
			env.Setenv("GOPROXY", "off")
			return makeWorkspace(filepath.Join(env.WorkDir, "workspace"), env.Vars)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"replace": replace,
		},
	})
}

// TestDrill releases the repository as it is committed. With -v it prints a
// transcript.
func TestDrill(t *testing.T) {
	if !*drill {
		t.Skip("releases everything, which takes minutes: -drill does it")
	}
	root, err := command(t.Context(), ".", nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		t.Fatal(err)
	}
	proxy, err := command(t.Context(), ".", nil, "go", "env", "GOPROXY")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "drill"),
		Setup: func(env *testscript.Env) error {
			for name, value := range environment(t, env.WorkDir) {
				env.Setenv(name, value)
			}
			env.Setenv("ROOT", strings.TrimSpace(root))
			env.Setenv("ORDINARY", strings.TrimSpace(proxy))
			env.Setenv("GOPROXY", strings.TrimSpace(proxy))
			env.Setenv("CACHE", env.Getenv("GOMODCACHE"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"replace": replace,
		},
	})
}

// environment keeps the go command away from the settings of whoever runs the
// test, and lets it share the caches.
func environment(t *testing.T, dir string) map[string]string {
	text, err := command(t.Context(), ".", nil, "go", "env", "GOCACHE", "GOMODCACHE")
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Split(strings.TrimSpace(text), "\n")
	return map[string]string{
		"HOME":              filepath.Join(dir, "home"),
		"GOCACHE":           caches[0],
		"GOMODCACHE":        caches[1],
		"GOFLAGS":           "",
		"GOWORK":            "",
		"GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME":   "Ada", "GIT_AUTHOR_EMAIL": "ada@example.com",
		"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.com",
	}
}

func makeWorkspace(dir string, env []string) error {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "workspace.txtar"))
	if err != nil {
		return err
	}
	for _, file := range archive.Files {
		name := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, file.Data, 0o666); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"},
		{"add", "."},
		{"commit", "--quiet", "--message=start"},
	} {
		git := exec.Command("git", args...)
		git.Dir, git.Env = dir, env
		if _, err := git.Output(); err != nil {
			return err
		}
	}
	return nil
}

// replace OLD NEW FILE changes the one occurrence of a text.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace OLD NEW FILE")
	}
	unescape := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace
	before, after := unescape(args[0]), unescape(args[1])
	text := ts.ReadFile(args[2])
	if n := strings.Count(text, before); n != 1 {
		ts.Fatalf("%s: got %d times %q, want one", args[2], n, before)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Replace(text, before, after, 1)), 0o666))
}
