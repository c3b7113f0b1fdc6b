package githost

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/codemode-go/codemode/authz"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// maxRefs bounds the references of one result.
const maxRefs = 1000

// BranchesInput are the arguments of repo.branches.
type BranchesInput struct {
	Remote *bool `json:"remote"`
}

// BranchesOutput lists branches by name. Current is the checked-out branch, and
// none when HEAD is detached; it may name a branch that has no commits yet.
type BranchesOutput struct {
	Branches  []Branch `json:"branches"`
	Current   *string  `json:"current"`
	Truncated bool     `json:"truncated"`
}

// A Branch is a branch with its last commit.
type Branch struct {
	Name    string `json:"name"`
	Hash    string `json:"hash"`
	Author  string `json:"author"`
	Date    string `json:"date"`
	Subject string `json:"subject"`
	Remote  bool   `json:"remote"`
}

// Branches lists the local branches and, if asked to, those of remotes.
func (h *Host) Branches(ctx context.Context, _ authz.Subject, in BranchesInput) (BranchesOutput, error) {
	out := BranchesOutput{}
	err := h.with(ctx, func(s *store) error {
		out = BranchesOutput{Branches: []Branch{}}
		current, err := s.head()
		if err != nil {
			return err
		}
		if current != "" {
			out.Current = &current
		}
		refs, truncated, err := s.selected(func(name plumbing.ReferenceName) bool {
			return name.IsBranch() || value(in.Remote) && name.IsRemote()
		})
		if err != nil {
			return err
		}
		out.Truncated = truncated
		for _, ref := range refs {
			if err := ctx.Err(); err != nil {
				return err
			}
			c, err := s.peel(ref.Hash())
			if err != nil {
				return fmt.Errorf("branch %s: %w", ref.Name().Short(), err)
			}
			out.Branches = append(out.Branches, branch(ref, c))
		}
		return nil
	})
	return out, err
}

func branch(ref *plumbing.Reference, c *object.Commit) Branch {
	return Branch{
		Name:    ref.Name().Short(),
		Hash:    c.Hash.String(),
		Author:  clip(c.Author.Name, maxName),
		Date:    formatDate(c.Author.When),
		Subject: subject(c.Message),
		Remote:  ref.Name().IsRemote(),
	}
}

// head is the branch that HEAD names; empty when it names a commit.
func (s *store) head() (string, error) {
	ref, err := s.Reference(plumbing.HEAD)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	name, ok := strings.CutPrefix(ref.Target().String(), "refs/heads/")
	if !ok {
		return "", nil
	}
	return name, nil
}
