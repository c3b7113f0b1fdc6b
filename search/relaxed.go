package search

import (
	"math"
	"unicode"
	"unicode/utf8"
)

// maxUnits bounds what a relaxed query is cut into: one token of the contract
// can be a whole sentence in a script without spaces.
const maxUnits = 64

// A unit is what the relaxed mode looks up: a token, or a piece of one.
type unit struct {
	span
	token int // the token that it is or belongs to
	stop  bool
}

// cut fills q.units, whose texts are adjacent in q.text, so that the joined
// form of two neighbours is a span too.
func (q *query) cut() {
	q.units = q.units[:0]
	for i, t := range q.tokens {
		q.pieces.cut(q.bytes(t.span), func(piece []byte) {
			if len(q.units) == maxUnits {
				return
			}
			start := len(q.text)
			q.text = append(q.text, piece...)
			q.units = append(q.units, unit{span{start, len(q.text)}, i, isStopWord(piece)})
		})
	}
}

// pairs returns the joined forms of the unit and its neighbours in the query:
// "type script" also asks for typescript, 管 beside 理 also for 管理.
func (q *query) pairs(i int) (pairs [2]span, n int) {
	if i > 0 {
		pairs[n] = span{q.units[i-1].start, q.units[i].end}
		n++
	}
	if i+1 < len(q.units) {
		pairs[n] = span{q.units[i].start, q.units[i+1].end}
		n++
	}
	return pairs, n
}

func (ix *Index) evaluateRelaxed(s *scratch) {
	s.query.cut()
	for i := range s.query.units {
		ix.gather(s, i)
		weight := ix.rank.relaxedWeight(len(s.marked), s.query.units[i].stop)
		s.weights = append(s.weights, weight)
		for _, document := range s.marked {
			s.add(document, relaxedScore(&weight, s.documents[document].evidence))
		}
		s.marked = s.marked[:0]
	}
}

// gather collects the evidence for one unit: its own, that of the runs it is
// part of, and that of its pairs. A document with any is marked.
func (ix *Index) gather(s *scratch, i int) {
	ix.similar(&s.query, i, func(term int, likeness int64, _ Kind) {
		for _, p := range ix.terms.of(term, term+1) {
			d := &s.documents[p.document()]
			if d.evidence == 0 {
				s.marked = append(s.marked, int32(p.document()))
			}
			d.evidence = ix.rank.evidence(d.evidence, p, likeness)
		}
	})
}

// similar calls f for every term that speaks for the unit, with what it is
// worth and the kind of the match.
func (ix *Index) similar(q *query, i int, f func(term int, likeness int64, kind Kind)) {
	u := q.units[i]
	ix.alike(q.bytes(u.span), func(term int, likeness int64) {
		kind := KindSimilar
		switch text := ix.terms.term(term); {
		case likeness == likenessUnit:
			kind = KindExact
		case len(text) > u.end-u.start && text[:u.end-u.start] == string(q.bytes(u.span)):
			kind = KindPrefix
		}
		f(term, likeness, kind)
	})
	for _, run := range q.runs {
		if run.covers>>u.token&1 == 0 {
			continue
		}
		lo, hi, exact := ix.terms.find(q.bytes(run.span))
		for term := lo; term < hi; term++ {
			switch {
			case exact && term == lo:
				f(term, joinedLikeness, KindJoined)
			case run.prefix:
				f(term, joinedPrefixLikeness, KindJoinedPrefix)
			}
		}
	}
	pairs, n := q.pairs(i)
	for _, pair := range pairs[:n] {
		if term, exact := ix.terms.lookup(q.bytes(pair)); exact {
			f(term, pairLikeness, KindPair)
		}
	}
}

// alike calls f for the term itself and for those that begin like it. Numbers
// are not forms of one another: 2024 is not nearly 2023.
func (ix *Index) alike(text []byte, f func(term int, likeness int64)) {
	length := utf8.RuneCount(text)
	if length < minPrefix {
		if term, exact := ix.terms.lookup(text); exact {
			f(term, likenessUnit)
		}
		return
	}
	shared := length
	if first, _ := utf8.DecodeRune(text); !unicode.IsDigit(first) {
		shared = max(minPrefix, int(math.Ceil(alike*float64(length))))
		for n := minPrefix + 1; n < shared; n++ { // words that begin the token and are too short to share so much
			if term, exact := ix.terms.lookup(text[:prefixLength(text, n)]); exact {
				f(term, likeness(length, n, n))
			}
		}
	}
	lo, hi, _ := ix.terms.find(text[:prefixLength(text, shared)])
	for i := lo; i < hi; i++ {
		term := ix.terms.term(i)
		if worth := likeness(length, utf8.RuneCountInString(term), commonLength(text, term)); worth > 0 {
			f(i, worth)
		}
	}
}

// prefixLength returns the length in bytes of the first n characters.
func prefixLength(text []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(text); n-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}

// commonLength returns how many characters the two begin with in common.
func commonLength(a []byte, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n < len(a) && n > 0 && !utf8.RuneStart(a[n]) {
		n--
	}
	return utf8.RuneCount(a[:n])
}
