package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var testName = regexp.MustCompile("`([\\w/]+)\\.((?:Test|Fuzz)\\w+)`")

// TestSecurityPageNamesTests wants every test that the page relies on to exist.
func TestSecurityPageNamesTests(t *testing.T) {
	dir := root(t)
	page, err := os.ReadFile(filepath.Join("explanation", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := testName.FindAllStringSubmatch(string(page), -1)
	if len(named) < 30 {
		t.Errorf("found %d names of tests, want at least 30", len(named))
	}
	sources := make(map[string]string)
	for _, m := range named {
		if sources[m[1]] == "" {
			sources[m[1]] = testSources(t, filepath.Join(dir, filepath.FromSlash(m[1])))
		}
		if !strings.Contains(sources[m[1]], "\nfunc "+m[2]+"(") {
			t.Errorf("%s has no %s", m[1], m[2])
		}
	}
}

func testSources(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
