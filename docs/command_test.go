package docs_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	helpFlag = regexp.MustCompile(`(?m)^ +(?:-\w, )?(--[\w-]+)`)
	pageFlag = regexp.MustCompile("`(--[\\w-]+)`")
)

// TestCommandPageListsTheFlags wants the page to list the flags that the
// command has, and no others.
func TestCommandPageListsTheFlags(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the codemode command")
	}
	page, err := os.ReadFile(filepath.Join("how-to", "command.md"))
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, " | "); len(cells) == 3 && strings.HasPrefix(line, "| `--") {
			for _, m := range pageFlag.FindAllStringSubmatch(cells[0], -1) {
				listed[m[1]] = true
			}
		}
	}
	has := make(map[string]bool)
	for _, name := range []string{"search", "describe", "run", "check", "lint", "doctor", "bench", "serve"} {
		help, err := exec.Command(filepath.Join(codemodeDir(t), "codemode"), "help", name).CombinedOutput()
		if err != nil {
			t.Fatalf("help %s: %v: %s", name, err, help)
		}
		for _, m := range helpFlag.FindAllStringSubmatch(string(help), -1) {
			has[m[1]] = true
		}
	}
	delete(has, "--help")
	if got, want := slices.Sorted(maps.Keys(listed)), slices.Sorted(maps.Keys(has)); !slices.Equal(got, want) {
		t.Errorf("the page lists\n%v\nand the command has\n%v", got, want)
	}
}
