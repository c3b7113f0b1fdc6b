package search

import (
	"fmt"
	"slices"
	"strings"
)

// An Explanation tells why a document ranks where it does for a query.
type Explanation struct {
	Name     string
	Relaxed  bool // the mode of the index
	Exact    bool // the query is the name, but for case
	Eligible bool // Search returns the document if the limit allows it
	Matched  int  // tokens that the document holds
	Required int  // tokens that it must hold, unless Exact
	Rank     int  // 1 is first; 0 if not eligible
	Total    int  // eligible documents
	Score    float64
	// Tokens has one element for each distinct token of the query, in order.
	// In the relaxed mode, a token of a script without spaces is cut, and
	// each of its pieces has one.
	Tokens []TokenExplanation
}

// A TokenExplanation tells what one query token adds to a score.
type TokenExplanation struct {
	Token     string
	Documents int     // documents of the catalog that hold the token
	Score     float64 // before the share of matched tokens scales the sum
	Terms     []TermMatch
}

// A TermMatch is one term of the document that matches a query token.
type TermMatch struct {
	Term   string // as indexed
	Kind   Kind
	Fields []string // of "name", "terms", "summary", "description"
}

// A Kind is a way in which a term matches a query token.
type Kind string

const (
	KindExact        Kind = "exact"         // the token itself
	KindPrefix       Kind = "prefix"        // a term that the token begins
	KindJoined       Kind = "joined"        // the run of the query that the token was split from
	KindJoinedPrefix Kind = "joined prefix" // a term that such a run begins
	KindSimilar      Kind = "similar"       // relaxed: a term that begins like the token
	KindPair         Kind = "pair"          // relaxed: the token joined with its neighbour
)

var fieldNames = [fieldCount]string{"name", "terms", "summary", "description"}

func (s fieldSet) names() []string {
	var names []string
	for f, name := range fieldNames {
		if s>>f&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Explain tells why the document of exactly this name ranks where it does for
// the query. It fails with [ErrTooManyTokens] or [ErrUnknownName].
func (ix *Index) Explain(query, name string) (Explanation, error) {
	s := ix.scratch.Get().(*scratch)
	defer ix.release(s)
	if err := s.query.parse(query); err != nil {
		return Explanation{}, err
	}
	at, known := slices.BinarySearchFunc(ix.documents, name, func(e entry, name string) int {
		return strings.Compare(e.name, name)
	})
	if !known {
		return Explanation{}, ErrUnknownName
	}
	document := int32(at)
	ix.evaluate(s)
	trimmed := strings.TrimSpace(query)
	best, total := ix.best(s, trimmed, len(ix.documents))
	rank := 1 + slices.IndexFunc(best, func(c candidate) bool { return c.document() == document })
	e := Explanation{
		Name:     name,
		Relaxed:  ix.relaxed,
		Exact:    slices.Contains(ix.named(trimmed), document),
		Eligible: rank > 0,
		Matched:  int(s.documents[document].matched),
		Required: ix.required(&s.query),
		Rank:     rank,
		Total:    total,
		Score:    float64(ix.total(s, document)) / scoreUnit,
	}
	for i := range s.weights {
		e.Tokens = append(e.Tokens, ix.explainToken(s, i, document))
	}
	return e, nil
}

// explainToken looks token i up once more, as evaluate does.
func (ix *Index) explainToken(s *scratch, i int, document int32) TokenExplanation {
	var e TokenExplanation
	score, matches := int64(0), ix.strictTerms
	if ix.relaxed {
		e.Token = string(s.query.bytes(s.query.units[i].span))
		matches = ix.relaxedTerms
		ix.gather(s, i)
		score = relaxedScore(&s.weights[i], s.documents[document].evidence)
	} else {
		e.Token = string(s.query.bytes(s.query.tokens[i].span))
		ix.markToken(s, i)
		score = ix.rank.strictScore(document, &s.weights[i], s.documents[document].mark)
	}
	e.Score, e.Documents = float64(score)/scoreUnit, len(s.marked)
	for _, marked := range s.marked {
		s.documents[marked].evidence, s.documents[marked].mark = 0, 0
	}
	s.marked = s.marked[:0]
	matches(&s.query, i, func(term int, kind Kind) {
		for _, p := range ix.terms.of(term, term+1) {
			if int32(p.document()) == document {
				e.Terms = append(e.Terms, TermMatch{ix.terms.term(term), kind, p.fields().names()})
			}
		}
	})
	return e
}

// strictTerms calls f for every term that markToken reads.
func (ix *Index) strictTerms(q *query, token int, f func(term int, kind Kind)) {
	each := func(t queryToken, whole, beginning Kind) {
		lo, hi, exact := ix.terms.find(q.bytes(t.span))
		for term := lo; term < hi; term++ {
			switch {
			case exact && term == lo:
				f(term, whole)
			case t.prefix:
				f(term, beginning)
			}
		}
	}
	each(q.tokens[token], KindExact, KindPrefix)
	for _, run := range q.runs {
		if run.covers>>token&1 != 0 {
			each(run.queryToken, KindJoined, KindJoinedPrefix)
		}
	}
}

func (ix *Index) relaxedTerms(q *query, unit int, f func(term int, kind Kind)) {
	ix.similar(q, unit, func(term int, _ int64, kind Kind) { f(term, kind) })
}

// String renders the explanation for people, one line for each fact.
func (e Explanation) String() string {
	var b strings.Builder
	switch {
	case e.Exact:
		fmt.Fprintf(&b, "%s: rank %d of %d, score %.3f, named by the query\n", e.Name, e.Rank, e.Total, e.Score)
	case e.Eligible:
		fmt.Fprintf(&b, "%s: rank %d of %d, score %.3f, holds %d of %d tokens, needs %d\n",
			e.Name, e.Rank, e.Total, e.Score, e.Matched, len(e.Tokens), e.Required)
	default:
		fmt.Fprintf(&b, "%s: not eligible, holds %d of %d tokens, needs %d\n", e.Name, e.Matched, len(e.Tokens), e.Required)
	}
	for _, t := range e.Tokens {
		fmt.Fprintf(&b, "  %s: %.3f, documents with it: %d\n", t.Token, t.Score, t.Documents)
		for _, m := range t.Terms {
			fmt.Fprintf(&b, "    %s match of %q in %s\n", m.Kind, m.Term, strings.Join(m.Fields, ", "))
		}
	}
	return b.String()
}
