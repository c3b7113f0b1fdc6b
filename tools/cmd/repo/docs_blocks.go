package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.starlark.net/syntax"
)

// A block is a fenced block of a Markdown file.
type block struct {
	file     string // below the root, with slashes
	line     int    // of its first line
	language string
	text     string
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.file, b.line) }

// blocks returns the blocks in these languages of all Markdown files.
func (w *workspace) blocks(ctx context.Context, languages ...string) ([]block, error) {
	text, err := command(ctx, w.root, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md")
	if err != nil {
		return nil, err
	}
	var found []block
	for name := range strings.SplitSeq(strings.TrimSuffix(text, "\x00"), "\x00") {
		markdown, err := os.ReadFile(filepath.Join(w.root, filepath.FromSlash(name)))
		if name == "" || errors.Is(err, os.ErrNotExist) {
			continue // deleted and not committed
		}
		if err != nil {
			return nil, err
		}
		for _, b := range parseBlocks(name, string(markdown)) {
			for _, language := range languages {
				if b.language == language {
					found = append(found, b)
				}
			}
		}
	}
	return found, nil
}

var fence = regexp.MustCompile("^([ \t]*)(`{3,}|~{3,})[ \t]*([^`\\s]*)")

func parseBlocks(file, markdown string) []block {
	var found []block
	var open *block
	var indent, marker string
	for i, line := range strings.Split(markdown, "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case open == nil && m != nil:
			indent, marker = m[1], m[2]
			open = &block{file: file, line: i + 2, language: strings.ToLower(m[3])}
		case open != nil && m != nil && m[3] == "" && strings.HasPrefix(m[2], marker):
			found = append(found, *open)
			open = nil
		case open != nil:
			open.text += strings.TrimPrefix(line, indent) + "\n"
		}
	}
	return found
}

// dialect is the one of programs: standard Starlark.
var dialect = syntax.FileOptions{}

func (w *workspace) starlarkBlocks(ctx context.Context) (string, error) {
	blocks, err := w.blocks(ctx, "starlark", "python")
	if err != nil {
		return "", err
	}
	var errs []error
	for _, b := range blocks {
		if _, err := dialect.Parse("block", b.text, 0); err != nil {
			errs = append(errs, inBlock(b, err))
		}
	}
	return fmt.Sprintf("%d blocks parse", len(blocks)-len(errs)), errors.Join(errs...)
}

var blockPosition = regexp.MustCompile(`^block:(\d+):(\d+): `)

// inBlock moves the position of an error from the block to its file.
func inBlock(b block, err error) error {
	m := blockPosition.FindStringSubmatch(err.Error())
	if m == nil {
		return fmt.Errorf("%s: %w", b, err)
	}
	var line int
	fmt.Sscan(m[1], &line)
	return fmt.Errorf("%s:%d:%s: %s", b.file, b.line+line-1, m[2], strings.TrimPrefix(err.Error(), m[0]))
}
