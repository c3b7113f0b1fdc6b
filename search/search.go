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
	Score    float64 // comparable within one result only
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
		e := &ix.documents[c.document]
		matches[i] = Match{int(e.position), e.name, float64(c.score) / scoreUnit}
	}
	return matches, total, nil
}

// A mark says in which fields a document holds a query token: exactly in the
// lower half of the bits, as a prefix in the upper.
type mark uint8

func (m mark) exact() fieldSet  { return fieldSet(m) & allFields }
func (m mark) prefix() fieldSet { return fieldSet(m>>fieldCount) &^ m.exact() }

// A scratch holds what one search needs for each document. Between searches
// everything that is as long as the catalog is zero.
type scratch struct {
	query    query
	marks    []mark        // strict: where a document holds the current token
	evidence []int64       // relaxed: how much speaks for it
	marked   []int32       // documents that hold the current token
	sums     []int64       // scores so far
	matched  []uint8       // tokens held so far
	found    []int32       // documents that hold any
	weights  []tokenWeight // of the tokens so far
	best     []candidate
}

type candidate struct {
	document int32
	score    int64
}

func newScratch(documents int, relaxed bool) *scratch {
	s := &scratch{sums: make([]int64, documents), matched: make([]uint8, documents)}
	if relaxed {
		s.evidence = make([]int64, documents)
	} else {
		s.marks = make([]mark, documents)
	}
	return s
}

func (ix *Index) release(s *scratch) {
	for _, document := range s.found {
		s.sums[document], s.matched[document] = 0, 0
	}
	s.found, s.weights = s.found[:0], s.weights[:0]
	ix.scratch.Put(s)
}

// add gives a document the score of one token that it holds.
func (s *scratch) add(document int32, score int64) {
	if s.matched[document] == 0 {
		s.found = append(s.found, document)
	}
	s.matched[document]++
	s.sums[document] += score
}

// unmark forgets the current token.
func (s *scratch) unmark() {
	for _, document := range s.marked {
		if s.marks != nil {
			s.marks[document] = 0
		} else {
			s.evidence[document] = 0
		}
	}
	s.marked = s.marked[:0]
}

// evaluate fills sums, matched, found and weights.
func (ix *Index) evaluate(s *scratch) {
	if ix.relaxed {
		ix.evaluateRelaxed(s)
		return
	}
	for i := range s.query.tokens {
		ix.markToken(s, i)
		exact := 0
		for _, document := range s.marked {
			if s.marks[document].exact() != 0 {
				exact++
			}
		}
		weight := ix.rank.strictWeight(exact, len(s.marked))
		s.weights = append(s.weights, weight)
		for _, document := range s.marked {
			s.add(document, ix.rank.strictScore(document, weight, s.marks[document]))
		}
		s.unmark()
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
		for _, p := range ix.terms.of(lo, lo+1) {
			s.mark(p, mark(p.fields()))
		}
		lo++
	}
	if t.prefix {
		for _, p := range ix.terms.of(lo, hi) {
			s.mark(p, mark(p.fields())<<fieldCount)
		}
	}
}

func (s *scratch) mark(p posting, m mark) {
	document := p.document()
	if s.marks[document] == 0 {
		s.marked = append(s.marked, int32(document))
	}
	s.marks[document] |= m
}

// best selects up to limit eligible documents: first those that the query
// names, then by score, then by name. total counts all that are eligible.
func (ix *Index) best(s *scratch, name string, limit int) (best []candidate, total int) {
	named := ix.named(name)
	required := ix.required(&s.query)
	s.best = s.best[:0]
	for _, document := range s.found {
		if int(s.matched[document]) >= required && !slices.Contains(named, document) {
			total++
			s.offer(candidate{document, ix.total(s, document)}, limit)
		}
	}
	slices.SortFunc(s.best, candidate.compare)
	if len(named) == 0 {
		return s.best, total
	}
	return s.prepend(ix.firstNamed(s, named, name), limit), total + len(named)
}

// required returns how many tokens a document must hold.
func (ix *Index) required(q *query) int {
	if ix.relaxed {
		return min(1, len(q.tokens))
	}
	return q.required()
}

func (ix *Index) total(s *scratch, document int32) int64 {
	if ix.relaxed || s.matched[document] == 0 {
		return s.sums[document]
	}
	return strictTotal(s.sums[document], int(s.matched[document]), len(s.query.tokens))
}

// firstNamed orders the documents that differ from name in case only: the one
// written like it is first.
func (ix *Index) firstNamed(s *scratch, named []int32, name string) []candidate {
	first := make([]candidate, len(named))
	for i, document := range named {
		first[i] = candidate{document, ix.total(s, document)}
	}
	slices.SortFunc(first, func(a, b candidate) int {
		switch name {
		case ix.documents[a.document].name:
			return -1
		case ix.documents[b.document].name:
			return 1
		}
		return a.compare(b)
	})
	return first
}

func (s *scratch) prepend(first []candidate, limit int) []candidate {
	s.best = slices.Insert(s.best, 0, first...)
	return s.best[:min(len(s.best), limit)]
}

// compare orders candidates best first. Documents are numbered by name.
func (c candidate) compare(other candidate) int {
	if order := cmp.Compare(other.score, c.score); order != 0 {
		return order
	}
	return cmp.Compare(c.document, other.document)
}

// offer keeps c if it is among the best limit so far. s.best is a heap with
// the worst on top.
func (s *scratch) offer(c candidate, limit int) {
	if len(s.best) < limit {
		s.best = append(s.best, c)
		for i := len(s.best) - 1; i > 0; {
			parent := (i - 1) / 2
			if s.best[i].compare(s.best[parent]) <= 0 {
				break
			}
			s.best[i], s.best[parent] = s.best[parent], s.best[i]
			i = parent
		}
		return
	}
	if limit == 0 || c.compare(s.best[0]) >= 0 {
		return
	}
	s.best[0] = c
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < limit; child++ {
			if s.best[child].compare(s.best[worst]) > 0 {
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
