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

	"github.com/spf13/cobra"
)

// docsParts are what docs looks after, in the order of their cost.
var docsParts = []string{"starlark", "go", "reference", "console"}

func newDocs() *cobra.Command {
	var check bool
	var only []string
	cmd := &cobra.Command{
		Use:   "docs",
		Short: "Write the reference pages; check every block of the documentation",
		Long: `Docs writes docs/reference from the code: the API of every module, errors, limits,
the language and the list of tools. Of every Markdown file it builds the Go
blocks that are whole files, looks up what other Go blocks use of our packages,
parses the Starlark blocks, and runs the console blocks that call codemode,
comparing what they print.

In a Go fragment … stands for anything. In the output of a console block a line
of … or ... stands for any lines, and … within a line for any text. A command
without shown output only has to succeed.`,
		Args: func(_ *cobra.Command, args []string) error {
			for _, part := range only {
				if !slices.Contains(docsParts, part) {
					return usageError{fmt.Errorf("unknown part %q, want one of %s", part, strings.Join(docsParts, ", "))}
				}
			}
			return noArgs(args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := loadWorkspace()
			if err != nil {
				return err
			}
			return w.docs(cmd.Context(), cmd.OutOrStdout(), check, only)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "change nothing; fail when a page is not what the code says")
	cmd.Flags().StringSliceVar(&only, "only", nil, "do these parts alone: "+strings.Join(docsParts, ", "))
	return cmd
}

func (w *workspace) docs(ctx context.Context, out io.Writer, check bool, only []string) error {
	parts := map[string]func() (string, error){
		"reference": func() (string, error) { return w.reference(ctx, check) },
		"starlark":  func() (string, error) { return w.starlarkBlocks(ctx) },
		"go":        func() (string, error) { return w.goBlocks(ctx) },
		"console":   func() (string, error) { return w.consoleBlocks(ctx) },
	}
	var errs []error
	for _, name := range docsParts {
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		done, err := parts[name]()
		fmt.Fprintf(out, "%-10s %s\n", name, done)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// A page is a generated file of docs/reference.
type page struct{ name, text string }

// generated begins every page, so that stale ones are found.
const generated = "<!-- Written by `repo docs` from the code. -->\n\n"

func (w *workspace) reference(ctx context.Context, check bool) (string, error) {
	var pages []page
	for _, m := range w.libraries() {
		if m.name == commandsModule {
			continue
		}
		text, err := apiPage(m)
		if err != nil {
			return "", fmt.Errorf("%s: %w", m.name, err)
		}
		pages = append(pages, page{m.name + ".md", text})
	}
	if w.module("mcpserver") != nil {
		contract, err := w.contractPages(ctx)
		if err != nil {
			return "", err
		}
		pages = append(pages, contract...)
	}
	if w.module(commandsModule) != nil {
		text, err := w.commandPage(ctx)
		if err != nil {
			return "", err
		}
		pages = append(pages, page{"command.md", text})
	}
	pages = append(pages, page{"README.md", indexPage(pages)})
	return fmt.Sprintf("%d pages", len(pages)), w.settlePages(pages, check)
}

func indexPage(pages []page) string {
	var b strings.Builder
	b.WriteString(generated + "# Reference\n\n")
	for _, p := range pages {
		heading, _, _ := strings.Cut(strings.TrimPrefix(p.text, generated+"# "), "\n")
		fmt.Fprintf(&b, "- [%s](%s)\n", heading, p.name)
	}
	return b.String()
}

// settlePages brings docs/reference to hold exactly these generated pages;
// pages that people wrote stay.
func (w *workspace) settlePages(pages []page, check bool) error {
	dir := filepath.Join(w.root, "docs", "reference")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var errs []error
	for _, p := range pages {
		errs = append(errs, settle(filepath.Join(dir, p.name), []byte(p.text), check, "repo docs"))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		file := filepath.Join(dir, entry.Name())
		text, err := os.ReadFile(file)
		wanted := slices.ContainsFunc(pages, func(p page) bool { return p.name == entry.Name() })
		switch {
		case err != nil:
			errs = append(errs, err)
		case wanted || !strings.HasPrefix(string(text), generated):
		case check:
			errs = append(errs, fmt.Errorf("%s is no longer generated (repo docs removes it)", file))
		default:
			errs = append(errs, os.Remove(file))
		}
	}
	return errors.Join(errs...)
}
