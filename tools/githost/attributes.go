package githost

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// A diffMode says what git's attribute diff makes of a file, whatever is in it.
type diffMode int

const (
	byContent diffMode = iota
	asText             // diff
	asBinary           // -diff, or the macro binary
)

// An attributes resolves the attribute diff for paths, from the .gitattributes
// files of HEAD and from info/attributes. git reads those of the working tree;
// a host over history does not want its answers to change with what lies there.
type attributes struct {
	store  *store
	tree   plumbing.Hash
	local  []attributeRule
	dirs   map[string][]attributeRule
	macros map[string]diffMode
}

// An attributeRule is a line of an attributes file that says something about diff.
type attributeRule struct {
	pattern []string // the parts of the path
	base    bool     // the pattern is one for the base name, in any directory
	mode    diffMode
}

// attributesOf returns the attributes in force, read anew when HEAD has moved.
func (s *store) attributesOf() (*attributes, error) {
	head, err := s.revision("HEAD")
	switch {
	case errors.Is(err, ErrEmpty), errors.Is(err, ErrRevision):
		return &attributes{store: s, dirs: map[string][]attributeRule{}}, nil
	case err != nil:
		return nil, err
	}
	if s.attributes != nil && s.attributes.tree == head.TreeHash {
		return s.attributes, nil
	}
	a := &attributes{
		store: s, tree: head.TreeHash, dirs: map[string][]attributeRule{},
		macros: map[string]diffMode{"binary": asBinary},
	}
	data, err := os.ReadFile(filepath.Join(s.common, "info", "attributes"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	// The file at the top may define macros that the others use.
	if _, err := a.rules(""); err != nil {
		return nil, err
	}
	a.local = a.parse(string(data), true)
	s.attributes = a
	return a, nil
}

// mode resolves a path: the last line that matches decides, in info/attributes
// first, then in the file that is nearest to the path.
func (a *attributes) mode(name string) (diffMode, error) {
	if m, ok := lastMatch(a.local, name); ok {
		return m, nil
	}
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		rules, err := a.rules(dir)
		if err != nil {
			return byContent, err
		}
		below := strings.TrimPrefix(name[len(dir):], "/")
		if m, ok := lastMatch(rules, below); ok {
			return m, nil
		}
		if dir == "" {
			return byContent, nil
		}
	}
}

func lastMatch(rules []attributeRule, name string) (diffMode, bool) {
	if len(rules) == 0 {
		return byContent, false
	}
	parts := strings.Split(name, "/")
	for i := len(rules) - 1; i >= 0; i-- {
		if rules[i].match(parts) {
			return rules[i].mode, true
		}
	}
	return byContent, false
}

func (r attributeRule) match(parts []string) bool {
	if r.base {
		parts = parts[len(parts)-1:]
	}
	return matchParts(r.pattern, parts)
}

// matchParts matches a pattern of which ** stands for any number of directories.
func matchParts(pattern, parts []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			if len(pattern) == 1 {
				return len(parts) > 0
			}
			for i := range parts {
				if matchParts(pattern[1:], parts[i:]) {
					return true
				}
			}
			return false
		}
		if len(parts) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], parts[0]); err != nil || !ok {
			return false
		}
		pattern, parts = pattern[1:], parts[1:]
	}
	return len(parts) == 0
}

// rules reads the file of a directory, once.
func (a *attributes) rules(dir string) ([]attributeRule, error) {
	if rules, ok := a.dirs[dir]; ok {
		return rules, nil
	}
	var rules []attributeRule
	e, err := a.store.find(a.tree, join(dir, ".gitattributes"))
	if err != nil {
		return nil, err
	}
	if e.Mode.IsRegular() {
		data, _, err := a.store.blob(e.Hash)
		if err != nil {
			return nil, err
		}
		rules = a.parse(string(data), dir == "")
	}
	a.dirs[dir] = rules
	return rules, nil
}

// parse reads the lines of a file that say something about diff.
func (a *attributes) parse(text string, macros bool) []attributeRule {
	var rules []attributeRule
	for line := range strings.Lines(text) {
		name, fields := splitAttributes(strings.TrimSpace(line))
		if name == "" {
			continue
		}
		mode, says := a.diff(fields)
		macro, isMacro := strings.CutPrefix(name, "[attr]")
		switch {
		case !says:
		case isMacro && macros:
			a.macros[macro] = mode
		case isMacro, strings.HasPrefix(name, "!"), strings.HasSuffix(name, "/"):
			// git ignores all three: the last would name a directory.
		default:
			parts := strings.Split(strings.TrimPrefix(name, "/"), "/")
			rules = append(rules, attributeRule{parts, !strings.Contains(name, "/"), mode})
		}
	}
	return rules
}

// splitAttributes separates the pattern of a line, which may be quoted.
func splitAttributes(line string) (name string, fields []string) {
	if line == "" || line[0] == '#' {
		return "", nil
	}
	if line[0] == '"' {
		if quoted, err := strconv.QuotedPrefix(line); err == nil {
			name, _ = strconv.Unquote(quoted)
			return name, strings.Fields(line[len(quoted):])
		}
	}
	fields = strings.Fields(line)
	return fields[0], fields[1:]
}

// diff finds what attributes say about diff; the last one counts.
func (a *attributes) diff(fields []string) (mode diffMode, says bool) {
	for _, field := range fields {
		switch m, isMacro := a.macros[field]; {
		case isMacro:
			mode, says = m, true
		case field == "diff":
			mode, says = asText, true
		case field == "-diff":
			mode, says = asBinary, true
		case field == "!diff", strings.HasPrefix(field, "diff="):
			mode, says = byContent, true // of a driver, the content decides
		}
	}
	return mode, says
}
