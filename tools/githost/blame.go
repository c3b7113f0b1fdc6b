package githost

import (
	"container/heap"
	"context"
	"fmt"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/tools/githost/internal/linediff"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// maxRanges bounds the ranges of one result.
const maxRanges = 3000

// BlameInput are the arguments of repo.blame.
type BlameInput struct {
	Path      string  `json:"path"`
	Revision  *string `json:"revision"`
	FirstLine *int64  `json:"first_line"`
	LastLine  *int64  `json:"last_line"`
}

// BlameOutput tells who last changed the lines of a file.
type BlameOutput struct {
	Blame Blame `json:"blame"`
}

// A Blame covers the lines of a file that were asked for, in order. Truncated
// reports that it has more ranges than fit; ask for later lines to go on.
type Blame struct {
	Path      string       `json:"path"`
	Commit    string       `json:"commit"`
	Lines     int          `json:"lines"`
	Ranges    []BlameRange `json:"ranges"`
	Truncated bool         `json:"truncated"`
}

// A BlameRange is a run of lines, counted from 1, that one commit brought in.
type BlameRange struct {
	FirstLine int    `json:"first_line"`
	LastLine  int    `json:"last_line"`
	Hash      string `json:"hash"`
	Author    string `json:"author"`
	Email     string `json:"email"`
	Date      string `json:"date"`
	Subject   string `json:"subject"`
}

// Blame finds for each line of a file the commit that last changed it. It does
// not follow renames: a renamed file begins with its rename.
func (h *Host) Blame(ctx context.Context, _ authz.Subject, in BlameInput) (BlameOutput, error) {
	var out BlameOutput
	first, last := int(value(in.FirstLine)), int(value(in.LastLine))
	if first < 0 || last < 0 || last > 0 && last < first {
		return out, fmt.Errorf("%w: first_line and last_line: got %d to %d", ErrArgument, first, last)
	}
	err := h.with(ctx, func(s *store) error {
		c, err := s.revision(value(in.Revision))
		if err != nil {
			return err
		}
		name, entry, err := s.file(c, in.Path)
		if err != nil {
			return err
		}
		b := blaming{store: s, path: name, suspects: map[plumbing.Hash]*suspect{}}
		text, err := b.text(entry)
		if err != nil {
			return err
		}
		n := len(linediff.Split(text))
		if last == 0 || last > n {
			last = n
		}
		b.start(c, entry, n, max(first, 1)-1, last)
		if err := b.run(ctx); err != nil {
			return err
		}
		out.Blame = Blame{Path: name, Commit: c.Hash.String(), Lines: n}
		out.Blame.Ranges, out.Blame.Truncated = b.ranges()
		return nil
	})
	return out, err
}

// A blaming passes lines from commits to their parents, the newest commit first,
// until each line has come to the commit whose parents do not have it.
type blaming struct {
	store    *store
	path     string
	suspects map[plumbing.Hash]*suspect
	queue    queue
	guilty   []*object.Commit // for each line of the file
	order    int
}

// A suspect is a commit that may have brought in some lines.
type suspect struct {
	entry object.TreeEntry
	lines []suspicion
}

// A suspicion is a line of the file that was asked for, and its position in the
// suspect's version of the file.
type suspicion struct{ line, here int }

func (b *blaming) start(c *object.Commit, entry object.TreeEntry, lines, from, to int) {
	b.guilty = make([]*object.Commit, lines)
	var all []suspicion
	for i := from; i < to; i++ {
		all = append(all, suspicion{i, i})
	}
	b.accuse(c, entry, all)
}

// accuse passes lines to a commit.
func (b *blaming) accuse(c *object.Commit, entry object.TreeEntry, lines []suspicion) {
	if len(lines) == 0 {
		return
	}
	if s := b.suspects[c.Hash]; s != nil {
		s.lines = append(s.lines, lines...)
		return
	}
	b.suspects[c.Hash] = &suspect{entry, lines}
	b.order++
	heap.Push(&b.queue, queued{c, c.Committer.When.Unix(), b.order})
}

func (b *blaming) run(ctx context.Context) error {
	for len(b.queue) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := heap.Pop(&b.queue).(queued).commit
		s := b.suspects[c.Hash]
		delete(b.suspects, c.Hash)
		if err := b.question(c, s); err != nil {
			return err
		}
	}
	return nil
}

// question passes on what the parents of a commit have, a parent with the same
// file first, and leaves the commit with the rest.
func (b *blaming) question(c *object.Commit, s *suspect) error {
	type parent struct {
		commit *object.Commit
		entry  object.TreeEntry
	}
	var parents []parent
	for _, h := range c.ParentHashes {
		p, err := b.store.commit(h)
		if err != nil {
			return err
		}
		same, err := b.store.same(c.TreeHash, p.TreeHash, b.path)
		if err != nil {
			return err
		}
		if same {
			b.accuse(p, s.entry, s.lines)
			return nil
		}
		e, err := b.store.find(p.TreeHash, b.path)
		if err != nil {
			return err
		}
		if e.Hash == s.entry.Hash { // though another mode
			b.accuse(p, e, s.lines)
			return nil
		}
		if e.Mode.IsFile() {
			parents = append(parents, parent{p, e})
		}
	}
	rest := s.lines
	for _, p := range parents {
		passed, kept, err := b.divide(p.entry, s.entry, rest)
		if err != nil {
			return err
		}
		b.accuse(p.commit, p.entry, passed)
		rest = kept
	}
	for _, l := range rest {
		b.guilty[l.line] = c
	}
	return nil
}

// divide separates the lines that an older version of the file has.
func (b *blaming) divide(old, new object.TreeEntry, lines []suspicion) (passed, kept []suspicion, err error) {
	before, err := b.text(old)
	if err != nil {
		return nil, nil, err
	}
	after, err := b.text(new)
	if err != nil {
		return nil, nil, err
	}
	origin := linediff.Compare(before, after).Origins()
	for _, l := range lines {
		if at := origin[l.here]; at >= 0 {
			passed = append(passed, suspicion{l.line, at})
		} else {
			kept = append(kept, l)
		}
	}
	return passed, kept, nil
}

// text is the content of a version; older ones may be binary, which no line of
// the newer came from.
func (b *blaming) text(e object.TreeEntry) ([]byte, error) {
	data, large, err := b.store.blob(e.Hash)
	if err != nil {
		return nil, err
	}
	if large || isBinary(data) {
		return nil, nil
	}
	return data, nil
}

func (b *blaming) ranges() (list []BlameRange, truncated bool) {
	list = []BlameRange{}
	var last *object.Commit
	for i, c := range b.guilty {
		switch {
		case c == nil:
		case c == last:
			list[len(list)-1].LastLine = i + 1
		case len(list) == maxRanges:
			return list, true
		default:
			list = append(list, BlameRange{
				FirstLine: i + 1, LastLine: i + 1, Hash: c.Hash.String(),
				Author: clip(c.Author.Name, maxName), Email: clip(c.Author.Email, maxName),
				Date: formatDate(c.Author.When), Subject: clip(subject(c.Message), 80),
			})
		}
		last = c
	}
	return list, false
}
