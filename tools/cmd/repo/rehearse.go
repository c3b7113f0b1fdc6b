package main

import (
	"bytes"
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
)

func newRehearse() *cobra.Command {
	var options rehearsal
	cmd := &cobra.Command{
		Use:   "rehearse",
		Short: "Build and test every module as its users will get it",
		Long: `Rehearse packs every module as a module proxy would serve it and builds, vets
and tests each one alone, without the workspace and with a module cache of its
own. Only the tests of tools stay in the workspace: they try its commands on
the examples of docs, and no one gets the commands other than by go install.
Then it builds five consumers, as users would write them, and compares
what enters their builds with tools/cmd/repo/testdata/consumers.txt.`,
		Args: func(_ *cobra.Command, args []string) error { return noArgs(args) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := loadWorkspace()
			if err != nil {
				return err
			}
			if _, err := w.named(options.only); err != nil {
				return err
			}
			options.workspace, options.out = w, cmd.OutOrStdout()
			return options.run(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&options.write, "write", false, "write the table of consumers instead of comparing it")
	cmd.Flags().BoolVar(&options.skipTests, "skip-tests", false, "build and vet the modules without testing them")
	cmd.Flags().StringSliceVar(&options.only, "only", nil, "rehearse these modules alone, and no consumers")
	return cmd
}

// A rehearsal is one run of the command.
type rehearsal struct {
	workspace *workspace
	out       io.Writer
	write     bool
	skipTests bool
	only      []string
	modcache  string // kept between rehearsals; empty for one of its own

	dir        string   // everything it makes
	env        []string // of every go command
	candidates []*pack
}

func (r *rehearsal) run(ctx context.Context) error {
	defer r.remove()
	if err := r.prepare(ctx); err != nil {
		return err
	}
	for _, p := range r.candidates {
		if len(r.only) > 0 && !slices.Contains(r.only, p.name) {
			continue
		}
		start := time.Now()
		if err := r.alone(ctx, p); err != nil {
			return fmt.Errorf("%s alone: %w", p.name, err)
		}
		fmt.Fprintf(r.out, "%-10s alone: ok, %.0f s\n", p.name, time.Since(start).Seconds())
	}
	if len(r.only) > 0 {
		return nil
	}
	return r.consume(ctx)
}

// prepare packs all modules and sets up an environment that finds them, and
// everything else where the go command found it before.
func (r *rehearsal) prepare(ctx context.Context) (err error) {
	if r.dir, err = os.MkdirTemp("", "rehearsal-"); err != nil {
		return err
	}
	proxy := filepath.Join(r.dir, "proxy")
	tagged, candidates, err := r.workspace.packs(ctx)
	if err != nil {
		return err
	}
	for _, p := range slices.Concat(tagged, candidates) {
		if err := r.workspace.write(ctx, proxy, p); err != nil {
			return fmt.Errorf("pack %s %s: %w", p.name, p.version, err)
		}
	}
	r.candidates = candidates
	if r.modcache == "" {
		r.modcache = filepath.Join(r.dir, "modcache")
	}
	if err := forget(r.modcache); err != nil {
		return err
	}
	text, err := command(ctx, r.workspace.root, nil, "go", "env", "GOMODCACHE", "GOPROXY")
	if err != nil {
		return err
	}
	cache, ordinary, _ := strings.Cut(strings.TrimSpace(text), "\n")
	r.env = []string{
		"GOWORK=off",
		"GOTOOLCHAIN=local",
		"GOFLAGS=-mod=mod -trimpath -modcacherw",
		"GOMODCACHE=" + r.modcache,
		"GOPROXY=" + fileURL(proxy) + "," + fileURL(filepath.Join(cache, "cache", "download")) + "," + ordinary,
		// Ours have no sums yet. Those of all others are in the go.sum files, or
		// were checked when the module entered the cache that it comes from.
		"GOSUMDB=off",
		"GONOPROXY=none", // whatever the maintainer's machine says
		"GOPRIVATE=",
		"GOBIN=" + filepath.Join(r.dir, "bin"),
	}
	return nil
}

// forget removes our modules from a module cache: the bytes of a version change
// until it is tagged.
func forget(modcache string) error {
	return errors.Join(
		os.RemoveAll(filepath.Join(modcache, filepath.FromSlash(prefix))),
		os.RemoveAll(filepath.Join(modcache, "cache", "download", filepath.FromSlash(prefix))))
}

func fileURL(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return "file://" + path
}

func (r *rehearsal) remove() { os.RemoveAll(r.dir) }

// alone fetches one module from the proxy, unpacks it as the go command does
// and builds, vets and tests it there.
func (r *rehearsal) alone(ctx context.Context, p *pack) error {
	dir := filepath.Join(r.dir, "alone", p.name)
	if err := r.unpack(ctx, p, dir); err != nil {
		return err
	}
	steps := [][]string{{"build", "./..."}, {"vet", "./..."}, {"test", "./..."}}
	if r.skipTests || p.name == commandsModule {
		steps = steps[:2]
	}
	for _, step := range steps {
		if _, err := command(ctx, dir, r.env, "go", step...); err != nil {
			return err
		}
	}
	// Builds may add the sums of siblings, which cannot be known before they
	// are tagged, but nothing else.
	before, err := os.ReadFile(filepath.Join(p.dir, "go.mod"))
	if err != nil {
		return err
	}
	after, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err == nil && !bytes.Equal(before, after) {
		err = fmt.Errorf("go.mod lacks what its build needs (repo tidy mends it)")
	}
	return err
}

// unpack copies the module out of the module cache, which is read-only ground.
func (r *rehearsal) unpack(ctx context.Context, p *pack, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	text, err := command(ctx, r.dir, r.env, "go", "mod", "download", "-json", p.path()+"@"+p.version)
	if err != nil {
		return err
	}
	var downloaded struct{ Dir string }
	if err := decodeJSON(text, &downloaded); err != nil {
		return err
	}
	return os.CopyFS(dir, os.DirFS(downloaded.Dir))
}
