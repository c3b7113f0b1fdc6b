package search

import "math"

// This file is the ranking: every number that decides an order is here, with
// its reason; those that decide who is eligible are the contract's and in
// query.go. The numbers were chosen on five public catalogs with labelled
// queries, each time on four of them and checked on the fifth. The optimum is
// flat, so round numbers were taken.
//
// Scores are sums of integers: equal evidence gives equal scores whatever the
// order of the sum, and no processor's fused multiply-add can tell two
// processes apart.

const (
	scoreUnit  = 1 << 24 // of scores
	weightUnit = 1 << 12 // of field weights
)

// weighting says how much a match in each field is worth.
type weighting struct {
	weight [fieldCount]float64
	length [fieldCount]float64 // how far a field's length matters, from 0 to 1
}

// strictWeighting keeps the contract's precedence. A word in a long field says
// less than in a short one, and length takes at most its share of the weight:
// even the longest name (2.85) stays above terms (2.5), and even in the longest
// field an exact match (0.8 of its weight) stays above a prefix match
// (prefixShare).
var strictWeighting = weighting{
	weight: [fieldCount]float64{nameField: 3, termsField: 2.5, summaryField: 1.75, descriptionField: 1},
	length: [fieldCount]float64{nameField: 0.05, termsField: 0, summaryField: 0.1, descriptionField: 0.2},
}

// prefixShare is what a prefix match is worth of an exact one. Anything from
// 0.3 to 0.7 measures the same.
const prefixShare = 0.5

// relaxedWeighting is free of the contract's precedence. Names of
// capabilities are picked with care; terms are often mere categories.
// Repetitions count and length is normalised as in BM25F (Robertson, Zaragoza,
// Taylor 2004): by the field, before the fields are added.
var relaxedWeighting = weighting{
	weight: [fieldCount]float64{nameField: 4, termsField: 1.5, summaryField: 1, descriptionField: 1},
	length: [fieldCount]float64{nameField: 0.3, termsField: 0.3, summaryField: 0.5, descriptionField: 0.6},
}

const (
	// saturation is BM25's k1, in units of evidence: at 3 a token earns half of
	// what it can. A name alone (4) earns 4/7. Lower values drown the
	// difference between fields.
	saturation   = 3 * evidenceUnit
	evidenceUnit = 1 << 14

	// stopParts divides the worth of a function word. Rarity alone does not
	// do it: catalogs seldom say "me", so it would count as a rare word.
	stopParts = 5

	// Terms that begin alike count as forms of one word, which replaces a
	// stemmer in every script that is written with letters: 0.8 of their
	// likeness (common beginning / longer word) from 0.7 on, and half of it
	// below where the one begins with the whole other.
	likenessUnit = 1 << 8
	alike        = 0.7
	alikeShare   = 0.8
	partShare    = 0.5

	// A joined form is as good as the words that it joins. Asking for two
	// neighbours of the query as one word (pair) finds a little more: "type
	// script" for typescript.
	joinedLikeness       = likenessUnit
	joinedPrefixLikeness = likenessUnit / 2
	pairLikeness         = likenessUnit
)

// A ranker knows what each field of each document is worth.
type ranker struct {
	fields [][fieldCount]uint16 // in 1/weightUnit
}

func newRanker(lengths [][fieldCount]uint16, relaxed bool) ranker {
	var total [fieldCount]float64
	for _, l := range lengths {
		for f, n := range l {
			total[f] += float64(n)
		}
	}
	r := ranker{make([][fieldCount]uint16, len(lengths))}
	for i, l := range lengths {
		for f, n := range l {
			if n == 0 {
				continue
			}
			ratio := float64(n) * float64(len(lengths)) / total[f] // to the average length
			weight := strictWeighting.weight[f] * (1 - strictWeighting.length[f]*ratio/(ratio+1))
			if relaxed {
				b := relaxedWeighting.length[f]
				weight = relaxedWeighting.weight[f] / (1 - b + float64(b*ratio)) // the conversion forbids to fuse
			}
			r.fields[i][f] = uint16(max(1, math.Round(weight*weightUnit)))
		}
	}
	return r
}

// rarity returns the worth of a token that so many documents hold. It counts
// documents that hold the token in any way: a prefix that many words share is
// as common as all of them together, so never rarer than the word itself.
func (r *ranker) rarity(holders int) float64 {
	if holders == 0 {
		return 0
	}
	return math.Log(1 + float64(len(r.fields))/float64(holders))
}

// A tokenWeight is what one query token is worth in this catalog: in the strict
// mode by the level of the match (in weightUnit/scoreUnit), in the relaxed mode
// at most (in 1/scoreUnit).
type tokenWeight struct {
	strict  [levels]int64
	relaxed int64
}

// strictWeight takes how many documents hold the token as it is, and how many
// in any way.
func (r *ranker) strictWeight(exact, all int) tokenWeight {
	const unit = scoreUnit / weightUnit
	whole := int64(math.Round(r.rarity(exact) * unit))
	prefix := int64(math.Round(r.rarity(all) * prefixShare * unit))
	return tokenWeight{strict: [levels]int64{0, prefix, whole, whole}}
}

// strictScore returns what one token adds to a document that holds it as m
// says: its strongest match, to which those in other fields add nothing. The
// contract wants it so, and a tenth of them would gain .001 in MRR@20. It does
// not branch: which fields match is no more foreseeable than a coin.
func (r *ranker) strictScore(document int32, w *tokenWeight, m mark) int64 {
	fields := &r.fields[document]
	name := int64(fields[nameField]) * w.strict[m.level(nameField)]
	terms := int64(fields[termsField]) * w.strict[m.level(termsField)]
	summary := int64(fields[summaryField]) * w.strict[m.level(summaryField)]
	description := int64(fields[descriptionField]) * w.strict[m.level(descriptionField)]
	return max(name, terms, summary, description)
}

// strictTotal turns the sum over all tokens into a score: of two documents
// with equal sums the one that holds more tokens is better.
func strictTotal(sum int64, matched, tokens int) int64 {
	return sum * int64(matched) / int64(tokens)
}

// evidence adds to a document's evidence what one posting says for a term of
// this likeness.
func (r *ranker) evidence(evidence uint32, p posting, likeness int64) uint32 {
	w := &r.fields[p.document()]
	sum := int64(w[nameField])*p.count(nameField) + int64(w[termsField])*p.count(termsField) +
		int64(w[summaryField])*p.count(summaryField) + int64(w[descriptionField])*p.count(descriptionField)
	return uint32(min(int64(evidence)+max(1, sum*likeness/(weightUnit*likenessUnit/evidenceUnit)), math.MaxUint32))
}

func (r *ranker) relaxedWeight(holders int, stop bool) tokenWeight {
	weight := int64(math.Round(r.rarity(holders) * scoreUnit))
	if stop {
		weight /= stopParts
	}
	return tokenWeight{relaxed: weight}
}

// relaxedScore returns what a token adds to a document with this evidence. No
// product is added to anything here, so floating point is the same everywhere.
func relaxedScore(w *tokenWeight, evidence uint32) int64 {
	e := float64(evidence)
	return int64(float64(w.relaxed) * (e / (saturation + e)))
}

// likeness returns what a term is worth of a token, from 0 to likenessUnit,
// given their lengths and the length of their common beginning in characters.
func likeness(token, term, common int) int64 {
	share := float64(common) / float64(max(token, term))
	switch {
	case common == token && common == term:
		return likenessUnit
	case common < minPrefix:
		return 0
	case share >= alike && (common > minPrefix || common == token || common == term):
		share *= alikeShare
	case common == token, common == term && common > minPrefix:
		share *= partShare
	default:
		return 0
	}
	return max(1, int64(math.Round(share*likenessUnit)))
}
