package githost

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/codemode-go/codemode/authz"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

const (
	defaultCommits = 100
	maxCommits     = 1000
	// maxPage bounds the text of a page of commits, well below the contract's
	// 1 MiB for one value.
	maxPage = 512 << 10
	// maxScan bounds how many commits one call looks at for a filter that
	// matches few of them. The cursor goes on from there.
	maxScan = 50_000
)

// CommitsInput are the arguments of repo.commits.
type CommitsInput struct {
	Revision *string `json:"revision"`
	Author   *string `json:"author"`
	Path     *string `json:"path"`
	Since    *string `json:"since"`
	Until    *string `json:"until"`
	Limit    *int64  `json:"limit"`
	Cursor   *string `json:"cursor"`
}

// CommitsOutput is a page of commits.
type CommitsOutput struct {
	Commits    []CommitSummary `json:"commits"`
	NextCursor *string         `json:"next_cursor"`
}

// A CommitSummary is a commit in a list.
type CommitSummary struct {
	Hash      string   `json:"hash"`
	Author    string   `json:"author"`
	Email     string   `json:"email"`
	Date      string   `json:"date"`
	Committed string   `json:"committed"`
	Subject   string   `json:"subject"`
	Parents   []string `json:"parents"`
}

// Commits lists commits, newest first. It reads no more history than the page
// needs.
func (h *Host) Commits(ctx context.Context, _ authz.Subject, in CommitsInput) (CommitsOutput, error) {
	limit, err := bounded("limit", in.Limit, defaultCommits, maxCommits)
	if err != nil {
		return CommitsOutput{}, err
	}
	out := CommitsOutput{Commits: []CommitSummary{}}
	err = h.with(ctx, func(s *store) error {
		w, f, q, err := s.openLog(ctx, in)
		if err != nil {
			return err
		}
		out.Commits = out.Commits[:0]
		more, err := f.fill(ctx, w, limit, &out)
		if err == nil && more {
			cursor := w.mark(q).String()
			out.NextCursor = &cursor
		}
		return err
	})
	return out, err
}

// openLog starts the walk that a call asks for, from its cursor or its revision.
func (s *store) openLog(ctx context.Context, in CommitsInput) (*history, filter, query, error) {
	q := query{
		Revision: value(in.Revision), Author: value(in.Author), Path: value(in.Path),
		Since: value(in.Since), Until: value(in.Until),
	}
	var m mark
	var err error
	if in.Cursor != nil {
		if m, err = parseMark(*in.Cursor); err != nil {
			return nil, filter{}, q, err
		}
		if q != (query{}) && q != m.Query {
			return nil, filter{}, q, fmt.Errorf("%w: cursor belongs to a call with other filters; repeat those or give the cursor alone", ErrArgument)
		}
		q = m.Query
	}
	f, err := newFilter(q)
	if err != nil {
		return nil, f, q, err
	}
	path, err := cleanPath(q.Path)
	if err != nil {
		return nil, f, q, err
	}
	if in.Cursor != nil {
		w := newHistory(s, plumbing.NewHash(m.Tip), path, f.since)
		return w, f, q, w.resume(ctx, m)
	}
	tip, err := s.revision(q.Revision)
	if err != nil {
		return nil, f, q, err
	}
	w := newHistory(s, tip.Hash, path, f.since)
	return w, f, q, w.start(ctx)
}

// A filter selects commits by author and committer date, as git does.
type filter struct {
	author       string
	since, until int64
}

func newFilter(q query) (filter, error) {
	f := filter{author: strings.ToLower(q.Author), since: math.MinInt64, until: math.MaxInt64}
	set := func(name, value string, to *int64) error {
		if value == "" {
			return nil
		}
		t, err := parseDate(name, value)
		*to = t.Unix()
		return err
	}
	if err := set("since", q.Since, &f.since); err != nil {
		return f, err
	}
	return f, set("until", q.Until, &f.until)
}

func (f filter) match(c *object.Commit) bool {
	date := c.Committer.When.Unix()
	if date < f.since || date > f.until {
		return false
	}
	return f.author == "" || strings.Contains(strings.ToLower(c.Author.Name+" <"+c.Author.Email+">"), f.author)
}

// fill takes a page from a walk and reports whether there may be more.
func (f filter) fill(ctx context.Context, w *history, limit int, out *CommitsOutput) (more bool, err error) {
	size := 0
	for scanned := 0; scanned < maxScan && len(out.Commits) < limit && size < maxPage; scanned++ {
		c, changes, err := w.next(ctx)
		if err != nil {
			return false, err
		}
		if c == nil {
			return false, nil
		}
		if changes && f.match(c) {
			summary := summarize(c)
			size += len(summary.Author) + len(summary.Email) + len(summary.Subject) + 42*len(summary.Parents) + 200
			out.Commits = append(out.Commits, summary)
		}
	}
	return len(w.queue) > 0, nil
}

func summarize(c *object.Commit) CommitSummary {
	return CommitSummary{
		Hash:      c.Hash.String(),
		Author:    clip(c.Author.Name, maxName),
		Email:     clip(c.Author.Email, maxName),
		Date:      formatDate(c.Author.When),
		Committed: formatDate(c.Committer.When),
		Subject:   subject(c.Message),
		Parents:   hashes(c.ParentHashes),
	}
}

const (
	maxName    = 256
	maxSubject = 512
)

// subject is the first paragraph of a message on one line, as git shows it.
func subject(message string) string {
	paragraph, _, _ := strings.Cut(strings.TrimLeft(message, "\n"), "\n\n")
	return clip(strings.TrimSpace(strings.ReplaceAll(paragraph, "\n", " ")), maxSubject)
}

// clip shortens a text to so many bytes, between two characters.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

func hashes(list []plumbing.Hash) []string {
	out := make([]string, len(list))
	for i, h := range list {
		out[i] = h.String()
	}
	return out
}

// bounded reads an optional number between 1 and most.
func bounded(name string, given *int64, standard, most int) (int, error) {
	if given == nil {
		return standard, nil
	}
	if *given < 1 || *given > int64(most) {
		return 0, fmt.Errorf("%w: %s: got %d, want 1 to %d", ErrArgument, name, *given, most)
	}
	return int(*given), nil
}

func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
