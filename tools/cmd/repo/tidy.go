package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/modfile"
)

// firstVersion is what siblings require of a module that has no tag yet.
const firstVersion = "v0.1.0"

func newTidy() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "tidy",
		Short: "Tidy every go.mod, siblings published or not, and go.work",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := loadWorkspace()
			if err != nil {
				return err
			}
			return w.tidy(cmd.Context(), check)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "change nothing; fail when a file is not tidy")
	return cmd
}

func (w *workspace) tidy(ctx context.Context, check bool) error {
	var errs []error
	for _, m := range w.modules {
		mod, sum, err := w.tidied(ctx, m)
		if err != nil {
			return err
		}
		errs = append(errs,
			settle(filepath.Join(m.dir, "go.mod"), mod, check),
			settle(filepath.Join(m.dir, "go.sum"), sum, check))
	}
	work, err := w.tidiedWork()
	if err != nil {
		return err
	}
	errs = append(errs, settle(filepath.Join(w.root, "go.work"), work, check))
	return errors.Join(errs...)
}

// settle brings a file to want, or says that it is not there.
func settle(file string, want []byte, check bool) error {
	got, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if bytes.Equal(got, want) {
		return nil
	}
	if check {
		return fmt.Errorf("%s is not tidy (repo tidy mends it)", file)
	}
	return os.WriteFile(file, want, 0o666)
}

// tidied returns m's go.mod and go.sum as `go mod tidy` would write them if
// the siblings were published.
func (w *workspace) tidied(ctx context.Context, m *module) (mod, sum []byte, err error) {
	file, remove, err := w.standalone(m)
	if err != nil {
		return nil, nil, err
	}
	defer remove()
	if _, err := command(ctx, m.dir, workOff, "go", "mod", "tidy", "-modfile="+file); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", m.name, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	tidy, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, other := range w.modules {
		if err := tidy.DropReplace(other.path(), ""); err != nil {
			return nil, nil, err
		}
	}
	w.pinSiblings(m, tidy)
	tidy.Cleanup()
	if mod, err = tidy.Format(); err != nil {
		return nil, nil, err
	}
	sum, err = os.ReadFile(filepath.Join(filepath.Dir(file), "go.sum"))
	return mod, sum, err
}

// pinSiblings makes every sibling requirement name a version that is or will
// be tagged: what m required before, or the version that go.work replaces.
func (w *workspace) pinSiblings(m *module, tidy *modfile.File) {
	before := m.siblings()
	for _, r := range tidy.Require {
		name, ok := strings.CutPrefix(r.Mod.Path, prefix)
		if !ok {
			continue
		}
		version := before[name]
		if version == "" {
			version = w.replacedVersion(r.Mod.Path)
		}
		if r.Mod.Version != version {
			_ = tidy.AddRequire(r.Mod.Path, version)
		}
	}
}

func (w *workspace) replacedVersion(path string) string {
	for _, r := range w.work.Replace {
		if r.Old.Path == path {
			return r.Old.Version
		}
	}
	return firstVersion
}

// tidiedWork returns go.work with one versioned replace per required sibling.
func (w *workspace) tidiedWork() ([]byte, error) {
	versions := make(map[string]string)
	for _, m := range w.modules {
		fresh, err := readModule(m.dir)
		if err != nil {
			return nil, err
		}
		for name, version := range fresh.siblings() {
			versions[name] = version
		}
	}
	for _, r := range w.work.Replace {
		if strings.HasPrefix(r.Old.Path, prefix) {
			if err := w.work.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return nil, err
			}
		}
	}
	for _, m := range w.modules {
		if version, ok := versions[m.name]; ok {
			if err := w.work.AddReplace(m.path(), version, "./"+m.name, ""); err != nil {
				return nil, err
			}
		}
	}
	w.work.SortBlocks()
	w.work.Cleanup()
	return modfile.Format(w.work.Syntax), nil
}
