package githost

import (
	"context"

	"github.com/codemode-go/codemode/authz"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

const (
	defaultFiles = 1000
	maxFiles     = 5000
	maxMessage   = 16 << 10
)

// CommitInput are the arguments of repo.commit.
type CommitInput struct {
	Revision *string `json:"revision"`
	Limit    *int64  `json:"limit"`
}

// CommitOutput is one commit.
type CommitOutput struct {
	Commit CommitDetail `json:"commit"`
}

// A CommitDetail is a commit with what it changed. Additions, Deletions and
// FilesChanged cover all files, also where Files was cut short.
type CommitDetail struct {
	Hash           string       `json:"hash"`
	Author         string       `json:"author"`
	Email          string       `json:"email"`
	Date           string       `json:"date"`
	Committer      string       `json:"committer"`
	CommitterEmail string       `json:"committer_email"`
	Committed      string       `json:"committed"`
	Subject        string       `json:"subject"`
	Message        string       `json:"message"`
	Parents        []string     `json:"parents"`
	Merge          bool         `json:"merge"`
	FilesChanged   int          `json:"files_changed"`
	Additions      int          `json:"additions"`
	Deletions      int          `json:"deletions"`
	Files          []FileChange `json:"files"`
	FilesTruncated bool         `json:"files_truncated"`
}

// Commit returns one commit with the lines that it added to and deleted from
// each file, as "git log --numstat --no-renames" counts them: a merge changes
// nothing.
func (h *Host) Commit(ctx context.Context, _ authz.Subject, in CommitInput) (CommitOutput, error) {
	limit, err := bounded("limit", in.Limit, defaultFiles, maxFiles)
	if err != nil {
		return CommitOutput{}, err
	}
	var out CommitOutput
	err = h.with(ctx, func(s *store) error {
		c, err := s.revision(value(in.Revision))
		if err != nil {
			return err
		}
		out.Commit = detail(c)
		if out.Commit.Merge {
			return nil
		}
		return s.fillFiles(ctx, c, limit, &out.Commit)
	})
	return out, err
}

func detail(c *object.Commit) CommitDetail {
	return CommitDetail{
		Hash:           c.Hash.String(),
		Author:         clip(c.Author.Name, maxName),
		Email:          clip(c.Author.Email, maxName),
		Date:           formatDate(c.Author.When),
		Committer:      clip(c.Committer.Name, maxName),
		CommitterEmail: clip(c.Committer.Email, maxName),
		Committed:      formatDate(c.Committer.When),
		Subject:        subject(c.Message),
		Message:        clip(c.Message, maxMessage),
		Parents:        hashes(c.ParentHashes),
		Merge:          len(c.ParentHashes) > 1,
		Files:          []FileChange{},
	}
}

func (s *store) fillFiles(ctx context.Context, c *object.Commit, limit int, out *CommitDetail) error {
	var parent plumbing.Hash
	if len(c.ParentHashes) > 0 {
		p, err := s.commit(c.ParentHashes[0])
		if err != nil {
			return err
		}
		parent = p.TreeHash
	}
	attributes, err := s.attributesOf()
	if err != nil {
		return err
	}
	size := 0
	return s.changes(ctx, parent, c.TreeHash, "", func(ch change) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, _, err := s.measure(ch, attributes)
		if err != nil {
			return err
		}
		out.FilesChanged++
		out.Additions += f.Additions
		out.Deletions += f.Deletions
		if size += len(f.Path) + 80; len(out.Files) < limit && size < maxPage {
			out.Files = append(out.Files, f)
		} else {
			out.FilesTruncated = true
		}
		return nil
	})
}
