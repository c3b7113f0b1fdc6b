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
	Matched  int  // query tokens that the document holds
	Required int  // query tokens that it must hold, unless Exact
	Rank     int  // 1 is first; 0 if not eligible
	Total    int  // eligible documents
	Score    float64
	Tokens   []TokenExplanation // one for each distinct query token, in order
}

// A TokenExplanation tells what one query token adds to a score.
type TokenExplanation struct {
	Token     string
	Documents int            // documents of the catalog that hold the token
	Score     float64        // before the factors that concern the whole query
	Evidence  []TermEvidence // none if the document does not hold the token
}

// A TermEvidence is one term of the document that matches a query token.
type TermEvidence struct {
	Term   string   // as indexed
	Kind   string   // "exact", "prefix", "joined" or "joined prefix"
	Fields []string // of "name", "terms", "summary", "description"
}

var fieldNames = [fieldCount]string{"name", "terms", "summary", "description"}

func (s fieldSet) names() []string {
	var names []string
	for f, name := range fieldNames {
		if s.has(field(f)) {
			names = append(names, name)
		}
	}
	return names
}

// Explain tells why the document of this exact name ranks where it does for
// the query. It fails with [ErrTooManyTokens] or [ErrUnknownName].
func (ix *Index) Explain(query, name string) (Explanation, error) {
	document, known := slices.BinarySearchFunc(ix.documents, name, func(e entry, name string) int {
		return strings.Compare(e.name, name)
	})
	s := ix.scratch.Get().(*scratch)
	defer ix.release(s)
	if err := s.query.parse(query); err != nil {
		return Explanation{}, err
	}
	if !known {
		return Explanation{}, ErrUnknownName
	}
	ix.evaluate(s)
	trimmed := strings.TrimSpace(query)
	e := Explanation{
		Name:     name,
		Relaxed:  ix.relaxed,
		Exact:    slices.Contains(ix.named(trimmed), int32(document)),
		Matched:  int(s.matched[document]),
		Required: ix.required(&s.query),
		Score:    float64(ix.total(s, int32(document))) / scoreUnit,
	}
	var best []candidate
	best, e.Total = ix.best(s, trimmed, len(ix.documents))
	e.Rank = 1 + slices.IndexFunc(best, func(c candidate) bool { return int(c.document) == document })
	e.Eligible = e.Rank > 0
	for i := range s.query.tokens {
		e.Tokens = append(e.Tokens, ix.explainToken(s, i, document))
	}
	return e, nil
}

func (ix *Index) explainToken(s *scratch, token, document int) TokenExplanation {
	t := s.query.tokens[token]
	e := TokenExplanation{Token: string(s.query.bytes(t.span))}
	e.Evidence = ix.evidence(nil, s.query.bytes(t.span), t.prefix, document, "")
	for _, run := range s.query.runs {
		if run.covers>>token&1 != 0 {
			e.Evidence = ix.evidence(e.Evidence, s.query.bytes(run.span), run.prefix, document, "joined")
		}
	}
	ix.markToken(s, token)
	e.Documents = len(s.marked)
	e.Score = float64(ix.rank.score(document, s.weights[token], s.marks[document])) / scoreUnit
	for _, marked := range s.marked {
		s.marks[marked] = 0
	}
	s.marked = s.marked[:0]
	return e
}

func (ix *Index) evidence(list []TermEvidence, text []byte, prefix bool, document int, joined string) []TermEvidence {
	lo, hi, exact := ix.terms.find(text)
	for i := lo; i < hi; i++ {
		kind := "prefix"
		if exact && i == lo {
			kind = "exact"
		} else if !prefix {
			break
		}
		switch {
		case joined != "" && kind == "exact":
			kind = joined
		case joined != "":
			kind = joined + " " + kind
		}
		for _, p := range ix.terms.of(i, i+1) {
			if p.document() == document {
				list = append(list, TermEvidence{ix.terms.term(i), kind, p.fields().names()})
			}
		}
	}
	return list
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
		fmt.Fprintf(&b, "  %s: %.3f, held by %d documents\n", t.Token, t.Score, t.Documents)
		for _, term := range t.Evidence {
			fmt.Fprintf(&b, "    %s match of %q in %s\n", term.Kind, term.Term, strings.Join(term.Fields, ", "))
		}
	}
	return b.String()
}
