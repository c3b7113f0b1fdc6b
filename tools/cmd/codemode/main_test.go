package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/codemode-go/codemode/codemode"
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	codemode.ServeWorkerAndExit()
	testscript.Main(cleaning{m}, map[string]func(){"codemode": main})
}

// cleaning removes what the tests built when they are over.
type cleaning struct{ *testing.M }

func (c cleaning) Run() int {
	code := c.M.Run()
	if builtIn != "" {
		_ = os.RemoveAll(builtIn)
	}
	return code
}

// TestScripts runs the command as a person or a script does. In the scripts,
// "repository DIR" makes a repository with three commits by two authors, and
// "rc CODE command" wants an exit code; [examples] holds where the example
// programs are, below $EXAMPLES.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			programs, err := filepath.Abs(examples)
			env.Setenv("EXAMPLES", programs)
			return err
		},
		Condition: func(name string) (bool, error) {
			if name != "examples" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			_, err := os.Stat(examples)
			return err == nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repository": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(makeRepository(ts.MkAbs(args[0])))
			},
			"rc": func(ts *testscript.TestScript, _ bool, args []string) {
				want, err := strconv.Atoi(args[0])
				ts.Check(err)
				err = ts.Exec(args[1], args[2:]...)
				got := 0
				if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
					got = exit.ExitCode()
				} else {
					ts.Check(err)
				}
				if got != want {
					ts.Fatalf("exit code: got %d, want %d", got, want)
				}
			},
		},
	})
}

func makeRepository(dir string) error {
	r, err := git.PlainInit(dir, false)
	if err != nil {
		return err
	}
	tree, err := r.Worktree()
	if err != nil {
		return err
	}
	for i, name := range []string{"Ann", "Bob", "Ann"} {
		file := fmt.Sprintf("f%d.txt", i%2)
		text := fmt.Sprintf("one\ntwo\n%d\n", i)
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			return err
		}
		if _, err := tree.Add(file); err != nil {
			return err
		}
		by := &object.Signature{Name: name, Email: name + "@example.com", When: time.Date(2024, 1, 1+i, 0, 0, 0, 0, time.UTC)}
		if _, err := tree.Commit(fmt.Sprintf("change %d", i), &git.CommitOptions{Author: by, Committer: by}); err != nil {
			return err
		}
	}
	return nil
}
