package githost

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// minPrefix is the fewest hexadecimal digits that may stand for a commit.
const minPrefix = 4

// revision finds the commit that a revision names: HEAD (also "@" or nothing), a
// branch, a tag, a full reference name, a hash or the start of one, each
// followed by any number of ~N, ^N or ^{commit}. Of git's grammar these are the
// forms that mean the same everywhere; searches and reflogs are left out.
func (s *store) revision(name string) (*object.Commit, error) {
	base, steps := name, ""
	if i := strings.IndexAny(name, "~^"); i >= 0 {
		base, steps = name[:i], name[i:]
	}
	h, err := s.base(base)
	if err != nil {
		return nil, fmt.Errorf("revision %q: %w", name, err)
	}
	c, err := s.peel(h)
	for err == nil && steps != "" {
		c, steps, err = s.step(c, steps)
	}
	if err != nil {
		return nil, fmt.Errorf("revision %q: %w", name, err)
	}
	return c, nil
}

// base resolves the part of a revision before any ~ or ^.
func (s *store) base(name string) (plumbing.Hash, error) {
	if name == "" || name == "@" {
		name = "HEAD"
	}
	if len(name) == 40 && isHex(name) {
		return plumbing.NewHash(name), nil
	}
	for i, format := range plumbing.RefRevParseRules {
		if i == 0 && !strings.HasPrefix(name, "refs/") && strings.ToUpper(name) != name {
			continue // of the files beside HEAD only HEAD's like are references
		}
		ref, err := storer.ResolveReference(s, plumbing.ReferenceName(fmt.Sprintf(format, name)))
		if err == nil {
			return ref.Hash(), nil
		}
		if name == "HEAD" && errors.Is(err, plumbing.ErrReferenceNotFound) {
			return plumbing.ZeroHash, ErrEmpty
		}
	}
	if len(name) >= minPrefix && isHex(name) {
		return s.abbreviated(name)
	}
	return plumbing.ZeroHash, ErrRevision
}

// abbreviated finds the one commit or tag whose hash begins with a prefix.
func (s *store) abbreviated(prefix string) (plumbing.Hash, error) {
	prefix = strings.ToLower(prefix)
	whole, _ := hex.DecodeString(prefix[:len(prefix)&^1])
	found := map[plumbing.Hash]bool{}
	storages := append([]*filesystem.ObjectStorage{&s.ObjectStorage}, s.alternates...)
	for _, st := range storages {
		hashes, err := st.HashesWithPrefix(whole)
		if err != nil {
			return plumbing.ZeroHash, err
		}
		for _, h := range hashes {
			if strings.HasPrefix(h.String(), prefix) {
				if _, err := s.peel(h); err == nil {
					found[h] = true
				}
			}
		}
	}
	if len(found) > 1 {
		return plumbing.ZeroHash, fmt.Errorf("%w: %d commits begin with it", ErrRevision, len(found))
	}
	for h := range found {
		return h, nil
	}
	return plumbing.ZeroHash, ErrRevision
}

// peel follows tags to a commit.
func (s *store) peel(h plumbing.Hash) (*object.Commit, error) {
	for range 10 {
		obj, err := s.EncodedObject(plumbing.AnyObject, h)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			return nil, fmt.Errorf("%w: object %s is not in the repository", ErrRevision, h)
		}
		if err != nil {
			return nil, err
		}
		switch obj.Type() {
		case plumbing.CommitObject:
			return s.commit(h)
		case plumbing.TagObject:
			tag, err := object.DecodeTag(s, obj)
			if err != nil {
				return nil, err
			}
			h = tag.Target
		default:
			return nil, fmt.Errorf("%w: it names a %s", ErrRevision, obj.Type())
		}
	}
	return nil, fmt.Errorf("%w: too many tags of tags", ErrRevision)
}

// step takes the first ~N, ^N or ^{commit} of steps.
func (s *store) step(c *object.Commit, steps string) (*object.Commit, string, error) {
	kind, rest := steps[0], steps[1:]
	if kind == '^' && strings.HasPrefix(rest, "{") {
		for _, peel := range []string{"{commit}", "{}"} {
			if after, ok := strings.CutPrefix(rest, peel); ok {
				return c, after, nil
			}
		}
		return nil, "", fmt.Errorf("%w: %q is not understood", ErrRevision, steps)
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	n := 1
	if digits > 0 {
		var err error
		if n, err = strconv.Atoi(rest[:digits]); err != nil {
			return nil, "", fmt.Errorf("%w: %q is not understood", ErrRevision, steps)
		}
	}
	rest = rest[digits:]
	if rest != "" && rest[0] != '~' && rest[0] != '^' {
		return nil, "", fmt.Errorf("%w: %q is not understood", ErrRevision, steps)
	}
	if kind == '^' {
		c, err := s.parent(c, n)
		return c, rest, err
	}
	var err error
	for i := 0; i < n && err == nil; i++ {
		c, err = s.parent(c, 1)
	}
	return c, rest, err
}

// parent returns the n-th parent, counted from 1; 0 is the commit itself.
func (s *store) parent(c *object.Commit, n int) (*object.Commit, error) {
	if n == 0 {
		return c, nil
	}
	if n > len(c.ParentHashes) {
		if s.shallow[c.Hash] {
			return nil, fmt.Errorf("%w: %s is where this shallow clone ends", ErrRevision, c.Hash)
		}
		return nil, fmt.Errorf("%w: %s has no parent %d", ErrRevision, c.Hash, n)
	}
	return s.commit(c.ParentHashes[n-1])
}

func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdefABCDEF") == ""
}
