package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// A fenced block of a page. A tutorial is its blocks in order: files to write
// and commands to run.
type block struct {
	line     int    // of its first line
	language string // the first word behind the fence
	file     string // what follows "file=" or "from=" there
	text     string
}

var fence = regexp.MustCompile("^```([\\w-]*)(?: (?:file|from)=(\\S+))?$")

func readBlocks(t *testing.T, path string) []block {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	var open *block
	for i, line := range strings.Split(string(page), "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case open == nil && m != nil:
			open = &block{line: i + 2, language: m[1], file: m[2]}
		case open != nil && line == "```":
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		t.Fatalf("%s:%d: block without an end", path, open.line)
	}
	return blocks
}

// A command of a shell-session block, with what it prints.
type command struct {
	line         int
	text, output string
}

func (b block) commands() (list []command) {
	for i, line := range strings.Split(strings.TrimSuffix(b.text, "\n"), "\n") {
		if text, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, command{line: b.line + i, text: text})
		} else if last := len(list) - 1; last >= 0 {
			list[last].output += line + "\n"
		}
	}
	return list
}

// prints reports whether got is what the page shows. There … stands for any
// text, also of several lines. A command without shown output may print
// anything.
func (c command) prints(got string) bool {
	want := strings.TrimSpace(c.output)
	if want == "" {
		return true
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".*")
	return regexp.MustCompile(`(?s)\A` + pattern + `\z`).MatchString(strings.TrimSpace(got))
}
