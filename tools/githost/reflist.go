package githost

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// references lists the references below "refs/" that name an object directly, by
// name. It is written here because go-git's list fails altogether when it meets
// the lock of a git process that is at work, or one reference that is broken; git
// passes by both.
func (s *store) references() ([]*plumbing.Reference, error) {
	found := map[plumbing.ReferenceName]plumbing.Hash{}
	if err := packedReferences(filepath.Join(s.common, "packed-refs"), found); err != nil {
		return nil, err
	}
	root := filepath.Join(s.common, "refs")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone since its directory was read
		}
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(path, ".lock") {
			return err
		}
		relative, err := filepath.Rel(s.common, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if hash := strings.TrimSpace(string(data)); plumbing.IsHash(hash) {
			found[plumbing.ReferenceName(filepath.ToSlash(relative))] = plumbing.NewHash(hash)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	refs := make([]*plumbing.Reference, 0, len(found))
	for name, hash := range found {
		refs = append(refs, plumbing.NewHashReference(name, hash))
	}
	sort.Slice(refs, func(i, j int) bool { return refs[i].Name() < refs[j].Name() })
	return refs, nil
}

// packedReferences reads git's file of references: lines "HASH NAME"; those that
// begin with # or ^ say nothing about names.
func packedReferences(file string, found map[plumbing.ReferenceName]plumbing.Hash) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		hash, name, ok := strings.Cut(lines.Text(), " ")
		if ok && plumbing.IsHash(hash) {
			found[plumbing.ReferenceName(name)] = plumbing.NewHash(hash)
		}
	}
	return lines.Err()
}

// selected returns the references that keep selects, as many as a result may hold.
func (s *store) selected(keep func(plumbing.ReferenceName) bool) (refs []*plumbing.Reference, truncated bool, err error) {
	all, err := s.references()
	if err != nil {
		return nil, false, err
	}
	for _, ref := range all {
		if keep(ref.Name()) {
			refs = append(refs, ref)
		}
	}
	if len(refs) > maxRefs {
		return refs[:maxRefs], true, nil
	}
	return refs, false, nil
}
