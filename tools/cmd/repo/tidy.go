package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// firstVersion is what siblings require of a module that has no tag yet.
const firstVersion = "v0.1.0"

func newTidy() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "tidy",
		Short: "Tidy every go.mod, siblings published or not, and go.work",
		Args:  func(_ *cobra.Command, args []string) error { return noArgs(args) },
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
	for _, m := range w.leafFirst() { // what a module requires depends on its siblings' files
		mod, sum, err := w.tidied(ctx, m)
		if err != nil {
			errs = append(errs, err) // the others can be tidy all the same
			continue
		}
		errs = append(errs,
			settle(filepath.Join(m.dir, "go.mod"), mod, check, "repo tidy"),
			settle(filepath.Join(m.dir, "go.sum"), sum, check, "repo tidy"))
	}
	work, err := w.tidiedWork()
	if err != nil {
		return err
	}
	errs = append(errs, settle(filepath.Join(w.root, "go.work"), work, check, "repo tidy"))
	return errors.Join(errs...)
}

// settle brings a file to want, or says that it is not there.
func settle(file string, want []byte, check bool, mends string) error {
	got, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if bytes.Equal(got, want) {
		return nil
	}
	if check {
		return fmt.Errorf("%s is not up to date (%s mends it)", file, mends)
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
	if err := w.pinSiblings(tidy); err != nil {
		return nil, nil, err
	}
	tidy.Cleanup()
	if mod, err = tidy.Format(); err != nil {
		return nil, nil, err
	}
	sum, err = os.ReadFile(filepath.Join(filepath.Dir(file), "go.sum"))
	return mod, sum, err
}

// placeholder is what the go command requires of a replaced module that no
// go.mod requires at a version.
const placeholder = "v0.0.0-00010101000000-000000000000"

// pinSiblings makes a sibling that was only just imported required at the
// version that others require, which is or will be tagged.
func (w *workspace) pinSiblings(tidy *modfile.File) error {
	for _, r := range tidy.Require {
		if r.Mod.Version != placeholder {
			continue
		}
		if err := tidy.AddRequire(r.Mod.Path, w.replacedVersion(r.Mod.Path)); err != nil {
			return err
		}
	}
	return nil
}

// replacedVersion returns the highest version that go.work replaces.
func (w *workspace) replacedVersion(path string) string {
	var versions []string
	for _, r := range w.work.Replace {
		if r.Old.Path == path {
			versions = append(versions, r.Old.Version)
		}
	}
	if len(versions) == 0 {
		return firstVersion
	}
	return slices.MaxFunc(versions, semver.Compare)
}

// tidiedWork returns go.work with a replacement for every version of a sibling
// that is required: usually one each.
func (w *workspace) tidiedWork() ([]byte, error) {
	required := make(map[string][]string)
	for _, m := range w.modules {
		fresh, err := readModule(m.dir)
		if err != nil {
			return nil, err
		}
		for name, version := range fresh.siblings() {
			if !slices.Contains(required[name], version) {
				required[name] = append(required[name], version)
			}
		}
	}
	for _, r := range slices.Clone(w.work.Replace) {
		if strings.HasPrefix(r.Old.Path, prefix) {
			if err := w.work.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return nil, err
			}
		}
	}
	w.work.Cleanup()
	for _, m := range w.modules {
		semver.Sort(required[m.name])
		for _, version := range required[m.name] {
			if err := w.work.AddReplace(m.path(), version, "./"+m.name, ""); err != nil {
				return nil, err
			}
		}
	}
	w.work.SortBlocks()
	w.work.Cleanup()
	return modfile.Format(w.work.Syntax), nil
}
