package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
)

func newADR() *cobra.Command {
	return &cobra.Command{
		Use:   "new-adr TITLE",
		Short: "Start a decision record with the next number",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || slug(args[0]) == "" {
				return usageError{errors.New("new-adr takes one title, in quotes")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := loadWorkspace()
			if err != nil {
				return err
			}
			file, err := w.newADR(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), file)
			return nil
		},
	}
}

const adrTemplate = `# %04d: %s

Status: proposed, %s

## Context

What forces a decision: facts, measured where they can be.

## Decision

What is done, in the present tense.

## Consequences

What becomes easier, what becomes harder, how it would be noticed if it was wrong.

## Rejected

What else was considered, and why not.
`

// newADR returns the path of the new record, below the root.
func (w *workspace) newADR(title string) (string, error) {
	title = strings.TrimSpace(title)
	dir := filepath.Join(w.root, "docs", "adr")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	number, err := nextNumber(dir)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("%04d-%s.md", number, slug(title))
	file, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(file, adrTemplate, number, title, time.Now().UTC().Format(time.DateOnly))
	return filepath.Join("docs", "adr", name), errors.Join(err, file.Close())
}

var adrName = regexp.MustCompile(`^(\d{4})-.*\.md$`)

func nextNumber(dir string) (int, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	next := 1
	for _, entry := range entries {
		if m := adrName.FindStringSubmatch(entry.Name()); m != nil {
			number, _ := strconv.Atoi(m[1])
			next = max(next, number+1)
		}
	}
	return next, nil
}

// slug turns a title into the part of a file name.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "-")
}
