package githost

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

const (
	cacheSize = 32 * cache.MiByte
	// maxBlob is the size from which a file is never read: it counts as binary.
	maxBlob = 64 << 20
)

// A store reads and writes one repository. It serves one call at a time.
//
// It is go-git's storage without its Repository, which refuses repositories
// with extensions that change nothing for a reader (sparse checkouts, partial
// clones), and with alternates that stay open.
type store struct {
	*filesystem.Storage
	alternates []*filesystem.ObjectStorage
	shallow    map[plumbing.Hash]bool
	common     string
	opened     time.Time
	commits    memo[*object.Commit]
	trees      memo[[]object.TreeEntry]
	attributes *attributes
}

// A memo holds what was decoded last: a walk comes by each commit as a parent
// and as itself, and by most trees many times.
type memo[V any] map[plumbing.Hash]V

const memoSize = 512

func (m memo[V]) put(h plumbing.Hash, v V) {
	if len(m) >= memoSize {
		clear(m)
	}
	m[h] = v
}

func openStore(p place) (*store, error) {
	if err := checkFormat(p.common); err != nil {
		return nil, err
	}
	s := &store{
		common:  p.common,
		shallow: map[plumbing.Hash]bool{},
		commits: memo[*object.Commit]{},
		trees:   memo[[]object.TreeEntry]{},
	}
	s.opened = s.packTime()
	var root billy.Filesystem = osfs.New(p.git)
	if p.git != p.common {
		root = dotgit.NewRepositoryFilesystem(root, osfs.New(p.common))
	}
	options := filesystem.Options{KeepDescriptors: true, LargeObjectThreshold: maxBlob}
	s.Storage = filesystem.NewStorageWithOptions(root, cache.NewObjectLRU(cacheSize), options)

	boundary, err := s.Shallow()
	if err != nil {
		return nil, fmt.Errorf("repository %s: shallow: %w", p.common, err)
	}
	for _, h := range boundary {
		s.shallow[h] = true
	}
	dirs, err := alternates(filepath.Join(p.common, "objects"), 0)
	if err != nil {
		return nil, fmt.Errorf("repository %s: alternates: %w", p.common, err)
	}
	for _, dir := range dirs {
		// dotgit wants the directory above "objects".
		dot := dotgit.NewWithOptions(osfs.New(filepath.Dir(dir)), dotgit.Options{KeepDescriptors: true})
		s.alternates = append(s.alternates, filesystem.NewObjectStorageWithOptions(dot, cache.NewObjectLRU(cacheSize), options))
	}
	return s, nil
}

// alternates lists the object directories that a repository borrows from.
func alternates(objects string, depth int) ([]string, error) {
	f, err := os.Open(filepath.Join(objects, "info", "alternates"))
	if errors.Is(err, fs.ErrNotExist) || depth > 5 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var dirs []string
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		dir := resolve(objects, line)
		more, err := alternates(dir, depth+1)
		if err != nil {
			return nil, err
		}
		dirs = append(append(dirs, dir), more...)
	}
	return dirs, lines.Err()
}

// Close closes the pack files.
func (s *store) Close() error {
	errs := []error{s.Storage.Close()}
	for _, a := range s.alternates {
		errs = append(errs, a.Close())
	}
	return errors.Join(errs...)
}

// current reports whether git has added or removed packs since s was opened.
func (s *store) current() bool { return s.packTime().Equal(s.opened) }

func (s *store) packTime() time.Time {
	info, err := os.Stat(filepath.Join(s.common, "objects", "pack"))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// EncodedObject implements storer.EncodedObjectStorer. Alternates come first:
// the embedded storage would open all of them anew for each object that is
// missing from it.
func (s *store) EncodedObject(t plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	for _, a := range s.alternates {
		obj, err := a.EncodedObject(t, h)
		if err == nil {
			return obj, nil
		}
		if !missing(err) {
			return nil, err
		}
	}
	return s.Storage.EncodedObject(t, h)
}

// commit reads a commit. The parents of one at the boundary of a shallow clone
// are not there; it is then a root, as it is for git.
func (s *store) commit(h plumbing.Hash) (*object.Commit, error) {
	if c, ok := s.commits[h]; ok {
		return c, nil
	}
	c, err := object.GetCommit(s, h)
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", h, err)
	}
	if s.shallow[h] {
		c.ParentHashes = nil
	}
	normalize(c)
	s.commits.put(h, c)
	return c, nil
}

var emptyTree = plumbing.NewHash("4b825dc642cb6eb9a060e54bf8d69288fbee4904")

// tree reads the entries of a tree; those of the zero hash are none.
func (s *store) tree(h plumbing.Hash) ([]object.TreeEntry, error) {
	if h.IsZero() || h == emptyTree {
		return nil, nil
	}
	if entries, ok := s.trees[h]; ok {
		return entries, nil
	}
	t, err := object.GetTree(s, h)
	if err != nil {
		return nil, fmt.Errorf("tree %s: %w", h, err)
	}
	s.trees.put(h, t.Entries)
	return t.Entries, nil
}

// blob reads a file's content. large reports one that is too large to be read.
func (s *store) blob(h plumbing.Hash) (data []byte, large bool, err error) {
	obj, err := s.EncodedObject(plumbing.BlobObject, h)
	if err != nil {
		return nil, false, fmt.Errorf("file content %s: %w", h, err)
	}
	if obj.Size() > maxBlob {
		return nil, true, nil
	}
	r, err := obj.Reader()
	if err != nil {
		return nil, false, fmt.Errorf("file content %s: %w", h, err)
	}
	defer r.Close()
	data = make([]byte, obj.Size())
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, false, fmt.Errorf("file content %s: %w", h, err)
	}
	return data, false, nil
}
