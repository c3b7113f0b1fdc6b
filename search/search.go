package search

import (
	"cmp"
	"slices"
	"strings"
)

// A Match is one result of a search.
type Match struct {
	Document int     // position in the slice given to New
	Name     string  // the document's name
	Score    float64 // comparable within one result only; of a document that the query names it may be the lowest
}

// Search returns the best documents for the query, best first and at most
// limit of them, and how many documents are eligible in total. It fails only
// with [ErrTooManyTokens]. A query without tokens has no matches, unless it is
// a document's name.
func (ix *Index) Search(query string, limit int) (matches []Match, total int, err error) {
	s := ix.scratch.Get().(*scratch)
	defer ix.release(s)
	if err := s.query.parse(query); err != nil {
		return nil, 0, err
	}
	ix.evaluate(s)
	best, total := ix.best(s, strings.TrimSpace(query), max(limit, 0))
	if len(best) == 0 {
		return nil, total, nil
	}
	matches = make([]Match, len(best))
	for i, c := range best {
		e := &ix.documents[c.document()]
		matches[i] = Match{int(e.position), e.name, float64(c.score()) / scoreUnit}
	}
	return matches, total, nil
}

// A mark says in which fields a document holds a query token: exactly in the
// lower half of the bits, as a prefix in the upper.
type mark uint8

func (m mark) exact() bool { return m&allFields != 0 }

// level is 0 if the field does not hold the token, 1 if only as a prefix, 2 or
// 3 if exactly.
func (m mark) level(f field) mark { return m>>f&1<<1 | m>>(f+fieldCount)&1 }

const levels = 4

// A scratch is the memory of one search.
type scratch struct {
	query     query
	documents []state       // as long as the catalog, all zero between searches
	marked    []int32       // documents that hold the current token
	found     []int32       // documents that hold any token so far
	weights   []tokenWeight // of the tokens so far
	best      []candidate
}

// A state is what a search knows of one document. All of it lies together, as
// documents are visited in no order that a cache could foresee.
type state struct {
	sum      int64  // the score so far
	evidence uint32 // relaxed: what speaks for the current token
	mark     mark   // strict: where the document holds the current token
	matched  uint8  // tokens held so far
}

// A candidate is a document with its score, in one number: the better it is, the
// greater. The score is in the upper bits and what decides a tie in the lower,
// since documents are numbered by name.
type candidate int64

func newCandidate(document int32, score int64) candidate {
	return candidate(score<<documentBits | int64(maxDocuments-1-document))
}

func (c candidate) document() int32 { return maxDocuments - 1 - int32(c&(maxDocuments-1)) }
func (c candidate) score() int64    { return int64(c >> documentBits) }

func (ix *Index) release(s *scratch) {
	for _, document := range s.found {
		s.documents[document] = state{}
	}
	s.found, s.weights = s.found[:0], s.weights[:0]
	ix.scratch.Put(s)
}

// add gives a document the score of the current token and forgets the token.
func (s *scratch) add(document int32, score int64) {
	d := &s.documents[document]
	if d.matched == 0 {
		s.found = append(s.found, document)
	}
	*d = state{sum: d.sum + score, matched: d.matched + 1}
}

// evaluate gives every document that holds a token its score.
func (ix *Index) evaluate(s *scratch) {
	if ix.relaxed {
		ix.evaluateRelaxed(s)
		return
	}
	for i := range s.query.tokens {
		ix.markToken(s, i)
		exact := 0
		for _, document := range s.marked {
			if s.documents[document].mark.exact() {
				exact++
			}
		}
		weight := ix.rank.strictWeight(exact, len(s.marked))
		s.weights = append(s.weights, weight)
		for _, document := range s.marked {
			s.add(document, ix.rank.strictScore(document, &weight, s.documents[document].mark))
		}
		s.marked = s.marked[:0]
	}
}

// markToken marks every document that holds the token, or the joined form of
// a run that the token is part of.
func (ix *Index) markToken(s *scratch, token int) {
	ix.markTerm(s, s.query.tokens[token])
	for _, run := range s.query.runs {
		if run.covers>>token&1 != 0 {
			ix.markTerm(s, run.queryToken)
		}
	}
}

func (ix *Index) markTerm(s *scratch, t queryToken) {
	lo, hi, exact := ix.terms.find(s.query.bytes(t.span))
	if exact {
		s.mark(ix.terms.of(lo, lo+1), 0)
		lo++
	}
	if t.prefix {
		s.mark(ix.terms.of(lo, hi), fieldCount)
	}
}

// mark marks the documents of the postings. shift is 0 for exact matches and
// fieldCount for prefixes.
func (s *scratch) mark(postings []posting, shift field) {
	for _, p := range postings {
		d := &s.documents[p.document()]
		if d.mark == 0 {
			s.marked = append(s.marked, int32(p.document()))
		}
		d.mark |= mark(p.fields()) << shift
	}
}

// best selects up to limit eligible documents: first those that the query
// names, then by score, then by name. total counts all that are eligible.
func (ix *Index) best(s *scratch, name string, limit int) (best []candidate, total int) {
	named := ix.named(name)
	required := ix.required(&s.query)
	s.best = s.best[:0]
	for _, document := range s.found {
		if int(s.documents[document].matched) < required || slices.Contains(named, document) {
			continue
		}
		total++
		s.offer(newCandidate(document, ix.total(s, document)), limit)
	}
	slices.Sort(s.best)
	slices.Reverse(s.best)
	if len(named) == 0 {
		return s.best, total
	}
	s.best = slices.Insert(s.best, 0, ix.firstNamed(s, named, name)...)
	return s.best[:min(len(s.best), limit)], total + len(named)
}

// required returns how many tokens a document must hold.
func (ix *Index) required(q *query) int {
	if ix.relaxed {
		return min(1, len(q.tokens))
	}
	return q.required()
}

func (ix *Index) total(s *scratch, document int32) int64 {
	d := &s.documents[document]
	if ix.relaxed || d.matched == 0 {
		return d.sum
	}
	return strictTotal(d.sum, int(d.matched), len(s.query.tokens))
}

// firstNamed orders the documents that differ from name in case only: the one
// written like it is first.
func (ix *Index) firstNamed(s *scratch, named []int32, name string) []candidate {
	first := make([]candidate, len(named))
	for i, document := range named {
		first[i] = newCandidate(document, ix.total(s, document))
	}
	slices.SortFunc(first, func(a, b candidate) int {
		switch name {
		case ix.documents[a.document()].name:
			return -1
		case ix.documents[b.document()].name:
			return 1
		}
		return cmp.Compare(b, a)
	})
	return first
}

// offer keeps c if it is among the best limit so far. s.best is a heap with
// the worst on top.
func (s *scratch) offer(c candidate, limit int) {
	switch {
	case len(s.best) < limit:
		s.best = append(s.best, c)
		s.siftUp()
	case limit > 0 && c > s.best[0]:
		s.best[0] = c
		s.siftDown()
	}
}

func (s *scratch) siftUp() {
	for i := len(s.best) - 1; i > 0; {
		parent := (i - 1) / 2
		if s.best[i] >= s.best[parent] {
			return
		}
		s.best[i], s.best[parent] = s.best[parent], s.best[i]
		i = parent
	}
}

func (s *scratch) siftDown() {
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(s.best); child++ {
			if s.best[child] < s.best[worst] {
				worst = child
			}
		}
		if worst == i {
			return
		}
		s.best[i], s.best[worst] = s.best[worst], s.best[i]
		i = worst
	}
}
