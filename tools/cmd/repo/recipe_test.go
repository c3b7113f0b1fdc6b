package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRecipe does what RELEASING.md says, line by line, on the small workspace:
// console blocks are run, Markdown blocks are put into the CHANGELOG.
func TestRecipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the recipe is written for a POSIX shell")
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "RELEASING.md"))
	if os.IsNotExist(err) {
		t.Skip("RELEASING.md is not here: the module is alone")
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	root := filepath.Join(dir, "workspace")
	for name, value := range environment(t, dir) {
		t.Setenv(name, value)
	}
	t.Setenv("GOPROXY", "off")
	if err := makeWorkspace(root, os.Environ()); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) string {
		t.Helper()
		text, err := command(t.Context(), root, nil, "git", args...)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	git("init", "--quiet", "--bare", filepath.Join(dir, "remote.git"))
	git("remote", "add", "origin", filepath.Join(dir, "remote.git"))
	t.Chdir(root)
	for _, b := range parseBlocks("RELEASING.md", string(page)) {
		switch b.language {
		case "markdown":
			addSection(t, filepath.Join(root, "search", "CHANGELOG.md"), b.text)
		case "console":
			for _, c := range parseConsole(b) {
				recipeLine(t, root, c)
			}
		}
	}
	const want = "sandbox/v0.1.0\nsearch/v0.1.0\nsearch/v0.2.0\nsearch/v0.2.1\nwire/v0.1.0\n"
	if tags := git("--git-dir", filepath.Join(dir, "remote.git"), "tag"); tags != want {
		t.Errorf("tags of the remote: got %q, want %q", tags, want)
	}
	if retracted := git("show", "search/v0.2.1:search/go.mod"); !strings.Contains(retracted, "retract v0.2.0") {
		t.Errorf("search/go.mod: got\n%s\nwant it to retract v0.2.0", retracted)
	}
}

func recipeLine(t *testing.T, root string, c consoleCommand) {
	t.Helper()
	if args, ok := strings.CutPrefix(c.text, "go run ./tools/cmd/repo "); ok {
		if code := run(strings.Fields(args)); code != 0 {
			t.Fatalf("RELEASING.md:%d: %s: exit code %d", c.line, c.text, code)
		}
		return
	}
	if _, err := command(t.Context(), root, nil, "sh", "-c", c.text); err != nil {
		t.Fatalf("RELEASING.md:%d: %v", c.line, err)
	}
}

func addSection(t *testing.T, file, text string) {
	t.Helper()
	log, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(log), "\n\n")
	if !found {
		t.Fatalf("%s: got %q, want a heading and an empty line", file, log)
	}
	if err := os.WriteFile(file, []byte(head+"\n\n"+text+"\n"+rest), 0o666); err != nil {
		t.Fatal(err)
	}
}
