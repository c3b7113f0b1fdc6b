package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	modversion "golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

func newRelease() *cobra.Command {
	var r releaser
	var all bool
	cmd := &cobra.Command{
		Use:   "release MODULE VERSION | --all",
		Short: "Check, commit and tag a release; nothing is pushed",
		Long: `Release checks that the tree is clean and tidy, that the CHANGELOG has an entry,
that the version is as high as the API asks for, that all required siblings are
tagged, and that the module passes its rehearsal. Then it dates the entry, makes
the other modules require the new version, commits and tags MODULE/VERSION.

With --all it does so for every module whose newest CHANGELOG section is
unreleased, at the version of that section, leaf first.`,
		Example: `  repo release search v0.1.0 --dry-run
  repo release --all`,
		Args: func(_ *cobra.Command, args []string) error {
			if all && len(args) > 0 || !all && len(args) != 2 {
				return usageError{fmt.Errorf("release takes a module and a version, or --all")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r.out = cmd.OutOrStdout()
			modcache, err := os.MkdirTemp("", "repo-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(modcache)
			r.modcache = modcache
			if all {
				return r.releaseAll(cmd.Context())
			}
			return r.releaseOne(cmd.Context(), args[0], args[1])
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "release every module with an unreleased CHANGELOG section")
	cmd.Flags().BoolVar(&r.dryRun, "dry-run", false, "check everything and change nothing")
	cmd.Flags().BoolVar(&r.skipTests, "skip-tests", false, "rehearse without tests, after the whole check passed on this commit")
	return cmd
}

// A releaser is one run of the command.
type releaser struct {
	out       io.Writer
	dryRun    bool
	skipTests bool
	modcache  string   // of all rehearsals
	assumed   []string // tags that a dry run has not made
}

func (r *releaser) releaseAll(ctx context.Context) error {
	w, err := loadWorkspace()
	if err != nil {
		return err
	}
	released := 0
	for _, m := range w.libraries() {
		log, err := readChangelog(m)
		if err != nil {
			return err
		}
		version := log.unreleased()
		if version == "" {
			continue
		}
		if err := r.releaseOne(ctx, m.name, version); err != nil {
			return err
		}
		released++
	}
	if released == 0 {
		return errors.New("no CHANGELOG has an unreleased section")
	}
	return nil
}

func (r *releaser) releaseOne(ctx context.Context, name, version string) error {
	w, err := loadWorkspace() // again for each: the one before changed files
	if err != nil {
		return err
	}
	modules, err := w.named([]string{name})
	if err != nil {
		return err
	}
	m := modules[0]
	log, err := r.check(ctx, w, m, version)
	if err != nil {
		return fmt.Errorf("%s: %w", m.tag(version), err)
	}
	followers := w.behind(m, version)
	for _, other := range followers {
		fmt.Fprintf(r.out, "%s: %s requires it instead of %s\n", m.tag(version), other.name, other.siblings()[m.name])
	}
	if r.dryRun {
		r.assumed = append(r.assumed, m.tag(version))
		fmt.Fprintf(r.out, "%s: would be tagged\n", m.tag(version))
		return nil
	}
	if err := w.follow(ctx, m, version, followers); err != nil {
		return err
	}
	if err := os.WriteFile(log.file, []byte(log.dated(time.Now().UTC())), 0o666); err != nil {
		return err
	}
	return r.commit(ctx, w, m, version)
}

// check refuses what must not be released.
func (r *releaser) check(ctx context.Context, w *workspace, m *module, version string) (changelog, error) {
	log, err := readChangelog(m)
	if err != nil {
		return log, err
	}
	if err := errors.Join(w.checkClean(ctx), checkVersion(m, version), log.checkEntry(version)); err != nil {
		return log, err
	}
	if err := errors.Join(r.checkAPI(ctx, w, m, version), r.checkSiblings(ctx, w, m), w.tidy(ctx, true)); err != nil {
		return log, err
	}
	rehearsal := &rehearsal{workspace: w, out: r.out, skipTests: r.skipTests, only: []string{m.name}, modcache: r.modcache}
	return log, rehearsal.run(ctx)
}

// checkClean refuses a tree that the tag would not hold.
func (w *workspace) checkClean(ctx context.Context) error {
	status, err := command(ctx, w.root, nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if status != "" {
		return fmt.Errorf("the tree has changes that are not committed:\n%s", strings.TrimRight(status, "\n"))
	}
	return nil
}

func checkVersion(m *module, version string) error {
	if !semver.IsValid(version) || semver.Canonical(version) != version {
		return fmt.Errorf("got version %q, want the form v1.2.3", version)
	}
	return modversion.Check(m.path(), version) // refuses v2 without /v2 in the path
}

func (r *releaser) checkAPI(ctx context.Context, w *workspace, m *module, version string) error {
	report, err := w.compareAPI(ctx, m)
	if err != nil {
		return err
	}
	report.print(r.out, m)
	if semver.Compare(version, report.next()) < 0 {
		return fmt.Errorf("the API asks for %s or higher", report.next())
	}
	return nil
}

// checkSiblings refuses requirements that users could not resolve.
func (r *releaser) checkSiblings(ctx context.Context, w *workspace, m *module) error {
	var errs []error
	for _, other := range w.leafFirst() {
		version, required := m.siblings()[other.name]
		if !required || slices.Contains(r.assumed, other.tag(version)) {
			continue
		}
		if _, err := command(ctx, w.root, nil, "git", "merge-base", "--is-ancestor", other.tag(version), "HEAD"); err != nil {
			errs = append(errs, fmt.Errorf("requires %s %s, and HEAD does not contain a tag %s", other.name, version, other.tag(version)))
		}
	}
	return errors.Join(errs...)
}

// behind returns the modules that require m at another version.
func (w *workspace) behind(m *module, version string) []*module {
	var modules []*module
	for _, other := range w.modules {
		if before, required := other.siblings()[m.name]; required && before != version {
			modules = append(modules, other)
		}
	}
	return modules
}

// follow makes modules require m at a version, and go.work replace it.
func (w *workspace) follow(ctx context.Context, m *module, version string, followers []*module) error {
	if len(followers) == 0 {
		return nil
	}
	for _, other := range followers {
		if err := other.require(m.path(), version); err != nil {
			return err
		}
	}
	changed, err := readWorkspace(w.root)
	if err != nil {
		return err
	}
	return changed.tidy(ctx, false)
}

// require rewrites m's go.mod.
func (m *module) require(path, version string) error {
	if err := m.file.AddRequire(path, version); err != nil {
		return err
	}
	text, err := m.file.Format()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(m.dir, "go.mod"), text, 0o666)
}

func (r *releaser) commit(ctx context.Context, w *workspace, m *module, version string) error {
	status, err := command(ctx, w.root, nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	message := fmt.Sprintf("%s: release %s", m.name, version)
	steps := [][]string{{"add", "--all"}, {"commit", "--quiet", "--message", message}}
	if status == "" {
		steps = nil // released by hand up to the tag
	}
	steps = append(steps, []string{"tag", "--annotate", "--message", m.name + " " + version, m.tag(version)})
	for _, step := range steps {
		if _, err := command(ctx, w.root, nil, "git", step...); err != nil {
			return err
		}
	}
	fmt.Fprintf(r.out, "%s: tagged\n", m.tag(version))
	return nil
}
