package githost

import (
	"bytes"
	"context"

	"github.com/codemode-go/codemode/tools/githost/internal/linediff"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// A change is a file that two trees do not have in common. The side on which it
// is missing is the zero entry.
type change struct {
	path     string
	old, new object.TreeEntry
}

// changes calls visit for every file that differs between two trees, in git's
// order. Subtrees that are equal are not read. It is written here because
// go-git's tree diff builds a tree of its own for each side, which costs several
// times what reading the differing trees does.
func (s *store) changes(ctx context.Context, old, new plumbing.Hash, dir string, visit func(change) error) error {
	if old == new {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	a, err := s.tree(old)
	if err != nil {
		return err
	}
	b, err := s.tree(new)
	if err != nil {
		return err
	}
	for len(a) > 0 || len(b) > 0 {
		var x, y object.TreeEntry
		switch order := compareEntries(a, b); {
		case order < 0:
			x, a = a[0], a[1:]
		case order > 0:
			y, b = b[0], b[1:]
		default:
			x, y, a, b = a[0], b[0], a[1:], b[1:]
		}
		if err := s.pair(ctx, dir, x, y, visit); err != nil {
			return err
		}
	}
	return nil
}

// pair visits what differs between two entries of the same name. One of them may
// be the zero entry; both are directories or neither is.
func (s *store) pair(ctx context.Context, dir string, x, y object.TreeEntry, visit func(change) error) error {
	if x.Hash == y.Hash && x.Mode == y.Mode {
		return nil
	}
	name := join(dir, x.Name)
	if x.Name == "" {
		name = join(dir, y.Name)
	}
	if x.Mode == filemode.Dir || y.Mode == filemode.Dir {
		return s.changes(ctx, x.Hash, y.Hash, name, visit)
	}
	return visit(change{name, x, y})
}

// compareEntries orders the first entries of two trees as git sorts them: a
// directory as if its name ended in a slash, so a file and a directory of the
// same name are two entries.
func compareEntries(a, b []object.TreeEntry) int {
	switch {
	case len(a) == 0:
		return 1
	case len(b) == 0:
		return -1
	}
	x, y := a[0], b[0]
	n := min(len(x.Name), len(y.Name))
	if c := bytes.Compare([]byte(x.Name[:n]), []byte(y.Name[:n])); c != 0 {
		return c
	}
	return int(after(x, n)) - int(after(y, n))
}

// after is the byte that follows the first n of an entry's name.
func after(e object.TreeEntry, n int) byte {
	switch {
	case n < len(e.Name):
		return e.Name[n]
	case e.Mode == filemode.Dir:
		return '/'
	default:
		return 0
	}
}

// A FileChange says how one file differs between two revisions. Lines of binary
// files are not counted.
type FileChange struct {
	Path      string `json:"path"`
	Status    string `json:"status"`
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
	Binary    bool   `json:"binary"`
}

// measure counts the lines of a change, and keeps the script if asked to.
func (s *store) measure(c change, attributes *attributes) (FileChange, *linediff.Script, error) {
	f := FileChange{Path: c.path, Status: status(c)}
	mode, err := attributes.mode(c.path)
	if err != nil {
		return f, nil, err
	}
	old, oldBinary, err := s.content(c.old, mode)
	if err != nil {
		return f, nil, err
	}
	new, newBinary, err := s.content(c.new, mode)
	if err != nil {
		return f, nil, err
	}
	if oldBinary || newBinary {
		f.Binary = true
		return f, nil, nil
	}
	if c.old.Hash == c.new.Hash {
		return f, nil, nil
	}
	script := linediff.Compare(old, new)
	f.Additions, f.Deletions = script.Counts()
	return f, &script, nil
}

func status(c change) string {
	switch {
	case c.old.Name == "":
		return "added"
	case c.new.Name == "":
		return "deleted"
	case kind(c.old.Mode) != kind(c.new.Mode):
		return "type_changed"
	default:
		return "modified"
	}
}

func kind(m filemode.FileMode) string {
	switch m {
	case filemode.Dir:
		return "directory"
	case filemode.Symlink:
		return "symlink"
	case filemode.Submodule:
		return "submodule"
	default:
		return "file"
	}
}

// content is what git compares for an entry: the text of a file, the target of
// a symbolic link, a line that names the commit of a submodule. Attributes are
// about files.
func (s *store) content(e object.TreeEntry, mode diffMode) (data []byte, binary bool, err error) {
	switch {
	case e.Name == "":
		return nil, false, nil
	case e.Mode == filemode.Submodule:
		return []byte("Subproject commit " + e.Hash.String() + "\n"), false, nil
	}
	if e.Mode == filemode.Symlink {
		mode = byContent
	}
	if mode == asBinary {
		return nil, true, nil
	}
	data, large, err := s.blob(e.Hash)
	return data, large || mode == byContent && isBinary(data), err
}

// sniffed is how much of a file git looks at for a zero byte.
const sniffed = 8000

func isBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), sniffed)], 0) >= 0
}
