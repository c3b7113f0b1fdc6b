package githost

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// CreateBranchInput are the arguments of repo.create_branch.
type CreateBranchInput struct {
	Name     string  `json:"name"`
	Revision *string `json:"revision"`
}

// CreateBranchOutput is the new branch.
type CreateBranchOutput struct {
	Branch Branch `json:"branch"`
}

// CreateBranch creates a branch at a revision. It refuses a name that exists, and
// checks nothing out.
func (h *Host) CreateBranch(ctx context.Context, _ authz.Subject, in CreateBranchInput) (CreateBranchOutput, error) {
	var out CreateBranchOutput
	err := h.with(ctx, func(s *store) error {
		c, err := s.revision(value(in.Revision))
		if err != nil {
			return err
		}
		ref := plumbing.NewHashReference(plumbing.NewBranchReferenceName(in.Name), c.Hash)
		out.Branch = branch(ref, c)
		return h.change(s, func(w changer) error { return w.create(ref.Name(), c.Hash) })
	})
	return out, err
}

// CreateTagInput are the arguments of repo.create_tag.
type CreateTagInput struct {
	Name     string  `json:"name"`
	Revision *string `json:"revision"`
	Message  *string `json:"message"`
}

// CreateTagOutput is the new tag.
type CreateTagOutput struct {
	Tag Tag `json:"tag"`
}

// CreateTag creates a tag at a revision: an annotated one by the subject if there
// is a message, and else a lightweight one. It refuses a name that exists.
func (h *Host) CreateTag(ctx context.Context, subject authz.Subject, in CreateTagInput) (CreateTagOutput, error) {
	var out CreateTagOutput
	err := h.with(ctx, func(s *store) error {
		c, err := s.revision(value(in.Revision))
		if err != nil {
			return err
		}
		return h.change(s, func(w changer) error {
			name := plumbing.NewTagReferenceName(in.Name)
			if err := w.checkFree(name); err != nil {
				return err
			}
			hash := c.Hash
			if message := value(in.Message); message != "" {
				if hash, err = s.annotate(c, in.Name, message, subject); err != nil {
					return err
				}
			}
			if err := w.create(name, hash); err != nil {
				return err
			}
			out.Tag, err = s.tag(plumbing.NewHashReference(name, hash))
			return err
		})
	})
	return out, err
}

// annotate stores a tag object.
func (s *store) annotate(c *object.Commit, name, message string, subject authz.Subject) (plumbing.Hash, error) {
	// These end a name in git's own format.
	tagger := strings.NewReplacer("<", "", ">", "", "\n", " ", "\x00", "").Replace(string(subject.ID))
	tag := object.Tag{
		Name:       name,
		Tagger:     object.Signature{Name: tagger, When: time.Now()},
		Message:    strings.TrimRight(message, "\n") + "\n",
		TargetType: plumbing.CommitObject,
		Target:     c.Hash,
	}
	obj := s.NewEncodedObject()
	if err := tag.Encode(obj); err != nil {
		return plumbing.ZeroHash, err
	}
	return s.SetEncodedObject(obj)
}

// DeleteBranchInput are the arguments of repo.delete_branch.
type DeleteBranchInput struct {
	Name string `json:"name"`
}

// DeleteBranchOutput is the branch that is gone.
type DeleteBranchOutput struct {
	Deleted DeletedBranch `json:"deleted"`
}

// A DeletedBranch names the commit that the branch pointed to, by which it can
// be created again.
type DeletedBranch struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
}

// DeleteBranch deletes a local branch, merged or not. It refuses one that a
// working tree has checked out.
func (h *Host) DeleteBranch(ctx context.Context, _ authz.Subject, in DeleteBranchInput) (DeleteBranchOutput, error) {
	var out DeleteBranchOutput
	err := h.with(ctx, func(s *store) error {
		name := plumbing.NewBranchReferenceName(in.Name)
		if err := name.Validate(); err != nil {
			return fmt.Errorf("%w: %q is no valid name", ErrArgument, in.Name)
		}
		return h.change(s, func(w changer) error {
			busy, err := w.checkedOut(name)
			if err != nil {
				return err
			}
			if busy {
				return fmt.Errorf("%w: branch %s is checked out", ErrRefused, in.Name)
			}
			hash, err := w.remove(name)
			out.Deleted = DeletedBranch{Name: in.Name, Hash: hash.String()}
			return err
		})
	})
	return out, err
}
