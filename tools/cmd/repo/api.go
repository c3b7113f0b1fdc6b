package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/exp/apidiff"
	"golang.org/x/mod/semver"
)

func newAPI() *cobra.Command {
	return &cobra.Command{
		Use:   "api [MODULE...]",
		Short: "Compare the exported API of modules with their last tags",
		Long: `API says what changed in the exported API of each module since its last tag,
whether users have to change their code for it, and the version that it asks
for. Before v1 a change that breaks users asks for a new minor version and all
else for a new patch version; after it, an addition asks for a minor version.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := loadWorkspace()
			if err != nil {
				return err
			}
			modules, err := w.named(args)
			if err != nil {
				return err
			}
			for _, m := range modules {
				report, err := w.compareAPI(cmd.Context(), m)
				if err != nil {
					return fmt.Errorf("%s: %w", m.name, err)
				}
				report.print(cmd.OutOrStdout(), m)
			}
			return nil
		},
	}
}

// named returns the released modules with these names, or all of them.
func (w *workspace) named(names []string) ([]*module, error) {
	if len(names) == 0 {
		return w.libraries(), nil
	}
	var modules []*module
	for _, name := range names {
		m := w.module(strings.TrimSuffix(name, "/"))
		if m == nil {
			return nil, usageError{fmt.Errorf("no module %q in go.work", name)}
		}
		if m.name == unreleasedModule {
			return nil, usageError{fmt.Errorf("module %s is never released", m.name)}
		}
		modules = append(modules, m)
	}
	return modules, nil
}

// An apiReport says what happened to a module since its last tag.
type apiReport struct {
	since   string // the last tagged version; empty without one
	changes []apidiff.Change
}

// next returns the lowest version that the changes allow.
func (r apiReport) next() string {
	if r.since == "" {
		return firstVersion
	}
	return increment(r.since, r.bump())
}

// A part of a version is what a release increments.
type part int

const (
	patch part = iota
	minor
	major
)

func (p part) String() string { return [...]string{"patch", "minor", "major"}[p] }

// bump follows golang.org/x/exp/cmd/gorelease: v0 promises nothing, but minor
// versions mark what breaks.
func (r apiReport) bump() part {
	stable := semver.Major(r.since) != "v0"
	bump := patch
	for _, change := range r.changes {
		switch {
		case !change.Compatible && stable:
			return major
		case !change.Compatible || stable:
			bump = minor
		}
	}
	return bump
}

// increment returns the next release after version. After a pre-release it is
// the release itself: until then everything may change.
func increment(version string, p part) string {
	if pre := semver.Prerelease(version); pre != "" {
		return strings.TrimSuffix(semver.Canonical(version), pre)
	}
	var n [3]int
	fmt.Sscanf(semver.Canonical(version), "v%d.%d.%d", &n[0], &n[1], &n[2])
	at := 2 - int(p)
	n[at]++
	for i := at + 1; i < len(n); i++ {
		n[i] = 0
	}
	return fmt.Sprintf("v%d.%d.%d", n[0], n[1], n[2])
}

func (r apiReport) print(out io.Writer, m *module) {
	if r.since == "" {
		fmt.Fprintf(out, "%-10s has no tag yet; its first version is %s\n", m.name, r.next())
		return
	}
	fmt.Fprintf(out, "%-10s since %s: %d changes; next %s version: %s\n", m.name, r.since, len(r.changes), r.bump(), r.next())
	for _, change := range r.changes {
		kind := "incompatible"
		if change.Compatible {
			kind = "compatible"
		}
		fmt.Fprintf(out, "  %-12s  %s\n", kind, change.Message)
	}
}

// compareAPI compares m with its last tag, each in the workspace that it
// belongs to.
func (w *workspace) compareAPI(ctx context.Context, m *module) (apiReport, error) {
	versions, err := w.tagged(ctx, m)
	if err != nil || len(versions) == 0 {
		return apiReport{}, err
	}
	since := versions[len(versions)-1]
	if m.name == commandsModule {
		return apiReport{since: since}, nil // no one imports it
	}
	dir, err := os.MkdirTemp("", "repo-")
	if err != nil {
		return apiReport{}, err
	}
	defer os.RemoveAll(dir)
	if err := w.extract(ctx, m.tag(since), dir); err != nil {
		return apiReport{}, err
	}
	old, err := exportedAPI(ctx, filepath.Join(dir, m.name), m.path())
	if err != nil {
		return apiReport{}, fmt.Errorf("at %s: %w", since, err)
	}
	new, err := exportedAPI(ctx, m.dir, m.path())
	if err != nil {
		return apiReport{}, err
	}
	return apiReport{since, apidiff.ModuleChanges(old, new).Changes}, nil
}

// exportedAPI reads what the compiler exports of a module's packages, without
// those that no one else can import.
func exportedAPI(ctx context.Context, dir, path string) (*apidiff.Module, error) {
	text, err := command(ctx, dir, []string{"GOWORK="}, "go", "list", "-deps", "-export", "-json=ImportPath,Name,Export,DepOnly", "./...")
	if err != nil {
		return nil, err
	}
	exports := make(map[string]string)
	var paths []string
	decoder := json.NewDecoder(strings.NewReader(text))
	for {
		var p struct {
			ImportPath, Name, Export string
			DepOnly                  bool
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly && p.Export != "" && p.Name != "main" && !isInternal(p.ImportPath) {
			paths = append(paths, p.ImportPath)
		}
	}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	reader := importer.ForCompiler(token.NewFileSet(), "gc", lookup)
	api := &apidiff.Module{Path: path}
	for _, path := range paths {
		p, err := reader.Import(path)
		if err != nil {
			return nil, err
		}
		api.Packages = append(api.Packages, p)
	}
	return api, nil
}

func isInternal(path string) bool {
	return strings.HasSuffix(path, "/internal") || strings.Contains(path, "/internal/")
}
