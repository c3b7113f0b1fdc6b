package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// prefix is what the paths of all modules of the workspace begin with.
const prefix = "github.com/codemode-go/codemode/"

// unreleasedModule is the module that is never tagged.
const unreleasedModule = "docs"

// A module is one directory of the workspace.
type module struct {
	name string // the directory, such as "search"
	dir  string
	file *modfile.File
}

func (m *module) path() string { return m.file.Module.Mod.Path }

// siblings returns the required modules of the workspace, with their versions.
func (m *module) siblings() map[string]string {
	found := make(map[string]string)
	for _, r := range m.file.Require {
		if name, ok := strings.CutPrefix(r.Mod.Path, prefix); ok {
			found[name] = r.Mod.Version
		}
	}
	return found
}

// A workspace is a checkout.
type workspace struct {
	root    string
	work    *modfile.WorkFile
	modules []*module // in the order of go.work
}

// loadWorkspace reads the workspace that the current directory is in.
func loadWorkspace() (*workspace, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return readWorkspace(dir)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return nil, fmt.Errorf("no go.work here or above")
		}
		dir = parent
	}
}

func readWorkspace(root string) (*workspace, error) {
	file := filepath.Join(root, "go.work")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(file, text, nil)
	if err != nil {
		return nil, err
	}
	w := &workspace{root: root, work: work}
	for _, use := range work.Use {
		dir := filepath.Join(root, filepath.FromSlash(use.Path))
		m, err := readModule(dir)
		if err != nil {
			return nil, err
		}
		w.modules = append(w.modules, m)
	}
	return w, nil
}

func readModule(dir string) (*module, error) {
	file := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	parsed, err := modfile.Parse(file, text, nil)
	if err != nil {
		return nil, err
	}
	return &module{name: filepath.Base(dir), dir: dir, file: parsed}, nil
}

func (w *workspace) module(name string) *module {
	i := slices.IndexFunc(w.modules, func(m *module) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return w.modules[i]
}

// leafFirst returns the modules such that each comes after what it requires.
func (w *workspace) leafFirst() []*module {
	var order []*module
	seen := make(map[string]bool)
	var visit func(m *module)
	visit = func(m *module) {
		if m == nil || seen[m.name] {
			return
		}
		seen[m.name] = true
		required := m.siblings()
		for _, other := range w.modules {
			if _, ok := required[other.name]; ok {
				visit(other)
			}
		}
		order = append(order, m)
	}
	for _, m := range w.modules {
		visit(m)
	}
	return order
}

// libraries returns the modules that are released, leaf first.
func (w *workspace) libraries() []*module {
	return slices.DeleteFunc(w.leafFirst(), func(m *module) bool { return m.name == unreleasedModule })
}

// standalone writes a copy of m's go.mod that replaces every sibling by its
// directory, with m's go.sum beside it, and returns the file and a function
// that removes it. Without a workspace, this is how the go command finds
// siblings that are not published.
func (w *workspace) standalone(m *module) (file string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "repo-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	defer func() {
		if err != nil {
			remove()
		}
	}()
	text, err := m.file.Format()
	if err != nil {
		return "", nil, err
	}
	copied, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return "", nil, err
	}
	for _, other := range w.modules {
		if other != m {
			if err := copied.AddReplace(other.path(), "", other.dir, ""); err != nil {
				return "", nil, err
			}
		}
	}
	if text, err = copied.Format(); err != nil {
		return "", nil, err
	}
	file = filepath.Join(dir, "go.mod")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return "", nil, err
	}
	sum, err := os.ReadFile(filepath.Join(m.dir, "go.sum"))
	if err != nil && !os.IsNotExist(err) {
		return "", nil, err
	}
	return file, remove, os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o666)
}

// command runs a program in dir and returns its output. env is added to the
// environment.
func command(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, stderr.String(), tail(stdout.String(), 4000))
	}
	return stdout.String(), nil
}

func tail(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return "…" + text[len(text)-n:]
}

var workOff = []string{"GOWORK=off", "GOTOOLCHAIN=local"}
