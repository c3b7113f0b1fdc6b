package githost

import (
	"fmt"
	"path"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// cleanPath checks a path that a program gave and brings it into the form in
// which git keeps paths. Empty means the whole tree. Nothing is ever opened by
// such a path; it is refused where it could not name an entry of a tree, so
// that the reason can be told.
func cleanPath(given string) (string, error) {
	if given == "" || given == "." || given == "./" {
		return "", nil
	}
	if strings.ContainsRune(given, 0) || path.IsAbs(given) {
		return "", fmt.Errorf("%w: path %q: want a path relative to the top of the repository", ErrArgument, given)
	}
	cleaned := path.Clean(given)
	if cleaned == ".." || strings.HasPrefix(cleaned, "../") {
		return "", fmt.Errorf("%w: path %q leads out of the repository", ErrArgument, given)
	}
	return cleaned, nil
}

// find looks up a path in a tree. The zero entry means that it is not there.
func (s *store) find(tree plumbing.Hash, name string) (object.TreeEntry, error) {
	entry := object.TreeEntry{Mode: filemode.Dir, Hash: tree}
	for name != "" {
		var err error
		var first string
		first, name, _ = strings.Cut(name, "/")
		if entry, err = s.child(entry, first); err != nil {
			return object.TreeEntry{}, err
		}
	}
	return entry, nil
}

// same reports whether two trees have the same entry at a path, or both none.
// It reads no further than to where they are equal.
func (s *store) same(a, b plumbing.Hash, name string) (bool, error) {
	x := object.TreeEntry{Mode: filemode.Dir, Hash: a}
	y := object.TreeEntry{Mode: filemode.Dir, Hash: b}
	for name != "" && (x.Hash != y.Hash || x.Mode != y.Mode) {
		var err error
		var first string
		first, name, _ = strings.Cut(name, "/")
		if x, err = s.child(x, first); err != nil {
			return false, err
		}
		if y, err = s.child(y, first); err != nil {
			return false, err
		}
	}
	return x.Hash == y.Hash && x.Mode == y.Mode, nil
}

// child finds an entry of a directory; what is no directory has none.
func (s *store) child(dir object.TreeEntry, name string) (object.TreeEntry, error) {
	if dir.Mode != filemode.Dir {
		return object.TreeEntry{}, nil
	}
	entries, err := s.tree(dir.Hash)
	if err != nil {
		return object.TreeEntry{}, err
	}
	for _, e := range entries {
		if e.Name == name {
			return e, nil
		}
	}
	return object.TreeEntry{}, nil
}

// join is path.Join without its cleaning: a tree may hold any name.
func join(dir, name string) string {
	if dir == "" || name == "" {
		return dir + name
	}
	return dir + "/" + name
}
