package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// subcommand is a line of the list in the help of the command.
var subcommand = regexp.MustCompile(`(?m)^  ([a-z-]+) {2,}\S.*$`)

// commandPage shows the help of the command codemode and of each of its verbs.
func (w *workspace) commandPage(ctx context.Context) (string, error) {
	dir, err := os.MkdirTemp("", "repo-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "codemode")
	if err := w.buildCommand(ctx, binary); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(generated + "# The command codemode\n")
	help, err := command(ctx, dir, nil, binary, "--help")
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "\n```text\n%s```\n", help)
	_, list, _ := strings.Cut(help, "\nUsage:\n")
	var names []string
	for _, m := range subcommand.FindAllStringSubmatch(list, -1) {
		// Cobra's own two are the same everywhere.
		if m[1] != "completion" && m[1] != "help" && m[1] != "codemode" {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		help, err := command(ctx, dir, nil, binary, name, "--help")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n## codemode %s\n\n```text\n%s```\n", name, help)
	}
	return b.String(), nil
}

func (w *workspace) buildCommand(ctx context.Context, binary string) error {
	_, err := command(ctx, w.root, []string{"GOWORK="}, "go", "build", "-o", binary, "./tools/cmd/codemode")
	return err
}
