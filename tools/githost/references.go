package githost

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// A changer changes references by git's own protocol, so that it and any git
// process exclude each other: who creates NAME.lock may change NAME. go-git locks
// the file itself, which git does not look at.
//
// All files are opened below the repository's directory ([os.Root]); a name can
// lead nowhere else.
type changer struct {
	store *store
	root  *os.Root
}

// change calls use while no other call of this host changes a reference.
func (h *Host) change(s *store, use func(changer) error) error {
	h.writing.Lock()
	defer h.writing.Unlock()
	root, err := os.OpenRoot(h.place.common)
	if err != nil {
		return err
	}
	defer root.Close()
	return use(changer{s, root})
}

// create makes a new reference.
func (c changer) create(name plumbing.ReferenceName, hash plumbing.Hash) error {
	if err := name.Validate(); err != nil || strings.HasPrefix(name.Short(), "-") {
		return fmt.Errorf("%w: %q is no valid name", ErrArgument, name.Short())
	}
	if err := c.checkFree(name); err != nil {
		return err
	}
	file := string(name)
	if err := c.root.MkdirAll(path.Dir(file), 0o777); err != nil {
		return err
	}
	lock, err := c.lock(file)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(lock, hash)
	err = errors.Join(err, lock.Close())
	// Again, now that nobody else can create it.
	if err == nil {
		err = c.checkFree(name)
	}
	if err == nil {
		err = c.root.Rename(file+".lock", file)
	}
	if err != nil {
		return errors.Join(err, c.root.Remove(file+".lock"))
	}
	return nil
}

// checkFree refuses a name that is taken, and one that cannot be a file because
// it is a directory of another or the other way round.
func (c changer) checkFree(name plumbing.ReferenceName) error {
	refs, err := c.store.references()
	if err != nil {
		return err
	}
	for _, ref := range refs {
		other := ref.Name()
		if other == name || hasDir(string(other), string(name)) || hasDir(string(name), string(other)) {
			return fmt.Errorf("%w: %s exists", ErrRefused, other)
		}
	}
	return nil
}

func (c changer) lock(file string) (*os.File, error) {
	lock, err := c.root.OpenFile(file+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%w: %s.lock exists: git is changing it, or was killed while it did", ErrRefused, file)
	}
	return lock, err
}

// remove deletes a reference and returns what it pointed to.
func (c changer) remove(name plumbing.ReferenceName) (hash plumbing.Hash, err error) {
	ref, err := c.store.Reference(name)
	if err != nil {
		return hash, fmt.Errorf("%w: %s: %w", ErrRevision, name, err)
	}
	for _, file := range []string{string(name), "packed-refs"} {
		if err := c.root.MkdirAll(path.Dir(file), 0o777); err != nil {
			return hash, err
		}
		lock, err := c.lock(file)
		if err != nil {
			return hash, err
		}
		defer c.root.Remove(file + ".lock")
		if err := lock.Close(); err != nil {
			return hash, err
		}
	}
	return ref.Hash(), c.store.RemoveReference(name)
}

// checkedOut reports whether a working tree of the repository is on a branch.
func (c changer) checkedOut(name plumbing.ReferenceName) (bool, error) {
	heads, err := filepath.Glob(filepath.Join(c.root.Name(), "worktrees", "*", "HEAD"))
	if err != nil {
		return false, err
	}
	for _, head := range append(heads, filepath.Join(c.root.Name(), "HEAD")) {
		data, err := os.ReadFile(head)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, err
		}
		if target, ok := strings.CutPrefix(string(data), "ref:"); ok && strings.TrimSpace(target) == string(name) {
			return true, nil
		}
	}
	return false, nil
}
