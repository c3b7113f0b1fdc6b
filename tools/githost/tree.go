package githost

import (
	"context"
	"errors"
	"fmt"

	"github.com/codemode-go/codemode/authz"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// TreeInput are the arguments of repo.tree.
type TreeInput struct {
	Revision *string `json:"revision"`
	Path     *string `json:"path"`
	Limit    *int64  `json:"limit"`
	Cursor   *string `json:"cursor"`
}

// TreeOutput lists the files of a revision. Found is false, and Files empty, when
// the revision has nothing at the path.
type TreeOutput struct {
	Commit     string     `json:"commit"`
	Found      bool       `json:"found"`
	Files      []TreeFile `json:"files"`
	NextCursor *string    `json:"next_cursor"`
}

// A TreeFile is a file of a revision. Kind is file, symlink or submodule; a
// submodule has size 0.
type TreeFile struct {
	Path       string `json:"path"`
	Kind       string `json:"kind"`
	Size       int64  `json:"size"`
	Executable bool   `json:"executable"`
}

// Tree lists the files at and below a path, in git's order.
func (h *Host) Tree(ctx context.Context, _ authz.Subject, in TreeInput) (TreeOutput, error) {
	out := TreeOutput{Files: []TreeFile{}}
	limit, err := bounded("limit", in.Limit, defaultFiles, maxFiles)
	if err != nil {
		return out, err
	}
	at, err := cleanPath(value(in.Path))
	if err != nil {
		return out, err
	}
	err = h.with(ctx, func(s *store) error {
		c, err := s.revision(value(in.Revision))
		if err != nil {
			return err
		}
		out.Commit = c.Hash.String()
		entry, err := s.find(c.TreeHash, at)
		if err != nil {
			return err
		}
		out.Files, out.NextCursor = out.Files[:0], nil
		if out.Found = entry.Hash != plumbing.ZeroHash; !out.Found {
			return nil
		}
		l := listing{store: s, after: value(in.Cursor), limit: limit, out: &out}
		if err := l.add(ctx, at, entry); !errors.Is(err, errPageFull) {
			return err
		}
		last := out.Files[len(out.Files)-1].Path
		out.NextCursor = &last
		return nil
	})
	return out, err
}

// errPageFull ends a walk over a tree whose page is full.
var errPageFull = errors.New("page full")

// A listing fills a page of files. Its cursor is the path of the last one.
type listing struct {
	store *store
	after string
	limit int
	size  int
	out   *TreeOutput
}

// add lists an entry, and what is below it, that comes after the cursor.
func (l *listing) add(ctx context.Context, at string, e object.TreeEntry) error {
	if e.Mode == filemode.Dir {
		return l.addDir(ctx, at, e.Hash)
	}
	if at <= l.after && l.after != "" {
		return nil
	}
	if len(l.out.Files) == l.limit || l.size > maxPage {
		return errPageFull
	}
	f := TreeFile{Path: at, Kind: kind(e.Mode), Executable: e.Mode == filemode.Executable}
	if e.Mode != filemode.Submodule {
		size, err := l.store.size(e.Hash)
		if err != nil {
			return fmt.Errorf("path %q: %w", at, err)
		}
		f.Size = size
	}
	l.size += len(at) + 60
	l.out.Files = append(l.out.Files, f)
	return nil
}

func (l *listing) addDir(ctx context.Context, at string, tree plumbing.Hash) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	// All paths below at begin with it and a slash: the whole directory lies
	// before the cursor when that does not and sorts after it.
	if at != "" && l.after > at+"/" && !hasDir(l.after, at) {
		return nil
	}
	entries, err := l.store.tree(tree)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := l.add(ctx, join(at, e.Name), e); err != nil {
			return err
		}
	}
	return nil
}

// hasDir reports whether a path is below a directory.
func hasDir(name, dir string) bool {
	return len(name) > len(dir) && name[:len(dir)] == dir && name[len(dir)] == '/'
}

// size reads the size of an object without its content.
func (s *store) size(h plumbing.Hash) (int64, error) {
	size, err := s.EncodedObjectSize(h)
	for _, a := range s.alternates {
		if !missing(err) {
			break
		}
		size, err = a.EncodedObjectSize(h)
	}
	return size, err
}
