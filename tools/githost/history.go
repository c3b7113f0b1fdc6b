package githost

import (
	"container/heap"
	"context"
	"math"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// A history walks commits in the order of "git log": the newest committer date
// first, commits of the same date in the order in which they were reached. It
// reads a commit when one of its children is returned, so a walk that stops
// early has read little more than it returned.
type history struct {
	store *store
	path  string // only commits that change it; "" for all
	since int64  // commits before it end their line

	tip    plumbing.Hash
	queue  queue
	seen   map[plumbing.Hash]bool
	pushed int

	// What a cursor needs; see [history.mark].
	popped int
	oldest int64 // the least date popped
	ended  bool  // a line of history has ended

	// resumed is set for a walk that began in the midst of another, until it
	// knows all that the other had seen.
	resumed *resumption
}

type resumption struct {
	oldest int64
	single bool
	popped int
}

func newHistory(s *store, tip plumbing.Hash, path string, since int64) *history {
	return &history{
		store: s, path: path, since: since, tip: tip,
		seen: map[plumbing.Hash]bool{}, oldest: math.MaxInt64,
	}
}

// start begins at the tip.
func (h *history) start(ctx context.Context) error { return h.push(ctx, h.tip) }

// next returns the next commit of the walk and whether it changes the path. It
// returns nil at the end.
func (h *history) next(ctx context.Context) (c *object.Commit, changes bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	if len(h.queue) == 0 {
		return nil, false, nil
	}
	c = heap.Pop(&h.queue).(queued).commit
	date := c.Committer.When.Unix()
	h.popped++
	h.oldest = min(h.oldest, date)
	if date < h.since {
		h.ended = true
		return c, false, nil
	}
	parents, changes, err := h.follow(c)
	if err != nil {
		return nil, false, err
	}
	h.ended = h.ended || len(parents) == 0
	for _, p := range parents {
		if err := h.push(ctx, p); err != nil {
			return nil, false, err
		}
	}
	return c, changes, nil
}

// follow decides which parents to go on with. With a path that is git's default
// simplification: a merge that took the path unchanged from one parent adds
// nothing, and only that parent's history tells how the path came to be.
func (h *history) follow(c *object.Commit) (parents []plumbing.Hash, changes bool, err error) {
	if h.path == "" {
		return c.ParentHashes, true, nil
	}
	if len(c.ParentHashes) == 0 {
		here, err := h.store.find(c.TreeHash, h.path)
		return nil, !here.Hash.IsZero(), err
	}
	for _, p := range c.ParentHashes {
		parent, err := h.store.commit(p)
		if err != nil {
			return nil, false, err
		}
		same, err := h.store.same(c.TreeHash, parent.TreeHash, h.path)
		if err != nil {
			return nil, false, err
		}
		if same {
			return []plumbing.Hash{p}, false, nil
		}
	}
	return c.ParentHashes, true, nil
}

func (h *history) push(ctx context.Context, hash plumbing.Hash) error {
	if h.seen[hash] {
		return nil
	}
	c, err := h.store.commit(hash)
	if err != nil {
		return err
	}
	if h.doubtful(c) {
		if err := h.recall(ctx); err != nil {
			return err
		}
		if h.seen[hash] {
			return nil
		}
	}
	h.seen[hash] = true
	h.pushed++
	heap.Push(&h.queue, queued{c, c.Committer.When.Unix(), h.pushed})
	return nil
}

// queue is a heap of commits, the newest on top.
type queue []queued

type queued struct {
	commit *object.Commit
	date   int64
	order  int
}

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q queue) Less(i, j int) bool {
	if q[i].date != q[j].date {
		return q[i].date > q[j].date
	}
	return q[i].order < q[j].order
}
func (q *queue) Push(x any) { *q = append(*q, x.(queued)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	(*q)[last] = queued{}
	*q = (*q)[:last]
	return x
}
