package docs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCookbookShowsEveryProgram wants the page to show each program as it is.
// With -update it does afterwards; a new program needs a place on the page.
func TestCookbookShowsEveryProgram(t *testing.T) {
	page := filepath.Join("cookbook", "README.md")
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	shown := make(map[string]bool)
	for _, b := range readBlocks(t, page) {
		if b.file == "" {
			continue
		}
		shown[b.file] = true
		program, err := os.ReadFile(filepath.Join("examples", "programs", b.file))
		if err != nil {
			t.Errorf("line %d: %v", b.line, err)
			continue
		}
		text = strings.Replace(text, b.text, string(program), 1)
	}
	compareFile(t, page, []byte(text))
	programs, err := filepath.Glob(filepath.Join("examples", "programs", "*.star"))
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range programs {
		if !shown[filepath.Base(program)] {
			t.Errorf("%s is not on the page", program)
		}
	}
}
