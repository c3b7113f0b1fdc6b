package githost

import (
	"context"
	"errors"
	"fmt"

	"github.com/codemode-go/codemode/authz"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// TagsInput are the arguments of repo.tags: none.
type TagsInput struct{}

// TagsOutput lists tags by name.
type TagsOutput struct {
	Tags      []Tag `json:"tags"`
	Truncated bool  `json:"truncated"`
}

// A Tag is a name for a commit. Date is that of the tag if it is an annotated
// one, and else the commit's. Tags of what is no commit are left out.
type Tag struct {
	Name      string `json:"name"`
	Hash      string `json:"hash"`
	Annotated bool   `json:"annotated"`
	Date      string `json:"date"`
	Message   string `json:"message"`
	Subject   string `json:"subject"`
}

// Tags lists the tags of the repository with the commits that they name.
func (h *Host) Tags(ctx context.Context, _ authz.Subject, _ TagsInput) (TagsOutput, error) {
	var out TagsOutput
	err := h.with(ctx, func(s *store) error {
		refs, truncated, err := s.selected(plumbing.ReferenceName.IsTag)
		if err != nil {
			return err
		}
		out = TagsOutput{Tags: []Tag{}, Truncated: truncated}
		for _, ref := range refs {
			if err := ctx.Err(); err != nil {
				return err
			}
			t, err := s.tag(ref)
			if errors.Is(err, ErrRevision) {
				continue
			}
			if err != nil {
				return err
			}
			out.Tags = append(out.Tags, t)
		}
		return nil
	})
	return out, err
}

func (s *store) tag(ref *plumbing.Reference) (Tag, error) {
	c, err := s.peel(ref.Hash())
	if err != nil {
		return Tag{}, fmt.Errorf("tag %s: %w", ref.Name().Short(), err)
	}
	t := Tag{
		Name: ref.Name().Short(), Hash: c.Hash.String(),
		Date: formatDate(c.Committer.When), Subject: subject(c.Message),
	}
	if ref.Hash() == c.Hash {
		return t, nil
	}
	o, err := object.GetTag(s, ref.Hash())
	if err != nil {
		return Tag{}, fmt.Errorf("tag %s: %w", t.Name, err)
	}
	t.Annotated, t.Date, t.Message = true, formatDate(o.Tagger.When), clip(o.Message, maxSubject)
	return t, nil
}
