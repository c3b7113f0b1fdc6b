package docs_test

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+)$`)
	code    = regexp.MustCompile("(?s)```.*?\n```|`[^`\n]+`")
)

// TestLinks wants every relative link of every page of the repository to lead
// to a file, and to a heading where it names one.
func TestLinks(t *testing.T) {
	pages := 0
	err := filepath.WalkDir(root(t), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata" || entry.Name() == ".git"):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		pages++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			if err := follow(path, m[1]); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		return nil
	})
	if err != nil || pages < 30 {
		t.Errorf("read %d pages, %v", pages, err)
	}
}

func follow(page, target string) error {
	u, err := url.Parse(target)
	if err != nil || u.IsAbs() {
		return err
	}
	file := page
	if u.Path != "" {
		file = filepath.Join(filepath.Dir(page), filepath.FromSlash(u.Path))
	}
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("link %s leads nowhere", target)
	}
	if u.Fragment == "" || filepath.Ext(file) != ".md" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		if anchor(m[1]) == u.Fragment {
			return nil
		}
	}
	return fmt.Errorf("link %s names no heading", target)
}

// anchor is the name that code hosts give a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		default:
			return -1
		}
	}, heading)
}
