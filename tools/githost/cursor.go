package githost

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// maxFrontier is the most open lines of history that a cursor names. A walk
// with more of them goes on by walking again from the tip.
const maxFrontier = 256

// A mark is the content of a cursor: where a walk over history stood. It names
// the commits at which the walk goes on, so nothing before them is read again,
// and no state is kept in the host between two calls.
//
// What it does not name are the commits that were already returned. They cannot
// come up again as long as commits are not older than their parents, which git
// does not enforce. [history.doubtful] finds the commits for which that matters.
type mark struct {
	Query  query  `json:"q"`
	Tip    string `json:"t"`
	Popped int    `json:"n"`
	Oldest int64  `json:"o"`
	Ended  bool   `json:"e,omitempty"`
	// Frontier holds the hashes of the queue in its order.
	Frontier []byte `json:"f,omitempty"`
}

// A query is what a cursor was made for.
type query struct {
	Revision string `json:"r,omitempty"`
	Author   string `json:"a,omitempty"`
	Path     string `json:"p,omitempty"`
	Since    string `json:"s,omitempty"`
	Until    string `json:"u,omitempty"`
}

func (h *history) mark(q query) mark {
	m := mark{Query: q, Tip: h.tip.String(), Popped: h.popped, Oldest: h.oldest, Ended: h.ended}
	if len(h.queue) > maxFrontier {
		return m
	}
	open := append(queue(nil), h.queue...)
	sort.Sort(open)
	for _, entry := range open {
		m.Frontier = append(m.Frontier, entry.commit.Hash[:]...)
	}
	return m
}

func (m mark) String() string {
	data, err := json.Marshal(m)
	if err != nil {
		panic(err) // strings, numbers and bytes always encode
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

func parseMark(cursor string) (mark, error) {
	var m mark
	data, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil || m.Popped < 0 || !plumbing.IsHash(m.Tip) || len(m.Frontier)%len(plumbing.ZeroHash) != 0 {
		return mark{}, fmt.Errorf("%w: cursor is not one that repo.commits returned", ErrArgument)
	}
	return m, nil
}

// resume goes on at a mark.
func (h *history) resume(ctx context.Context, m mark) error {
	if len(m.Frontier) == 0 {
		return h.skip(ctx, m.Popped)
	}
	var hash plumbing.Hash
	for rest := m.Frontier; len(rest) > 0; rest = rest[len(hash):] {
		copy(hash[:], rest)
		if err := h.push(ctx, hash); err != nil {
			return err
		}
	}
	h.popped, h.oldest, h.ended = m.Popped, m.Oldest, m.Ended
	h.resumed = &resumption{
		popped: m.Popped,
		oldest: m.Oldest,
		// With a single open line and none ended, all that was returned
		// descends from the commit at which the walk goes on.
		single: len(h.queue) == 1 && !m.Ended,
	}
	return nil
}

// skip walks the first n commits again.
func (h *history) skip(ctx context.Context, n int) error {
	if err := h.start(ctx); err != nil {
		return err
	}
	for h.popped < n {
		c, _, err := h.next(ctx)
		if err != nil {
			return err
		}
		if c == nil {
			break
		}
	}
	return nil
}

// doubtful reports whether a resumed walk may have returned the commit before it
// was resumed: it did not if the commit is older than all that was returned.
func (h *history) doubtful(c *object.Commit) bool {
	return h.resumed != nil && !h.resumed.single && c.Committer.When.Unix() >= h.resumed.oldest
}

// recall walks the earlier part again, to know what it had seen.
func (h *history) recall(ctx context.Context) error {
	r := h.resumed
	h.resumed = nil
	before := newHistory(h.store, h.tip, h.path, h.since)
	if err := before.skip(ctx, r.popped); err != nil {
		return err
	}
	for hash := range before.seen {
		h.seen[hash] = true
	}
	return nil
}
