package search

import "math"

// Scores are sums of integers, in units of 1/scoreUnit: equal evidence gives
// equal scores whatever the order of the sum, and no fused multiply-add of
// some processor can tell two processes apart.
const scoreUnit = 1 << 24

const weightUnit = 1 << 12 // of field weights

// fieldWeights are the strict weights, in the contract's order of fields.
var fieldWeights = [fieldCount]float64{nameField: 3, termsField: 2.5, summaryField: 1.75, descriptionField: 1}

// lengthDiscounts are the largest shares of its weight that a field loses for
// being long. Less than what would bring a field below the next one, or an
// exact match below a prefix match.
var lengthDiscounts = [fieldCount]float64{nameField: 0.05, summaryField: 0.1, descriptionField: 0.2}

// prefixFactor is what a prefix match is worth of an exact one.
const prefixFactor = 0.5

// A ranker holds what a score needs of a catalog.
type ranker struct {
	weights [][fieldCount]uint16 // of each document's fields, in 1/weightUnit
}

func newRanker(lengths [][fieldCount]uint16) ranker {
	var total [fieldCount]float64
	for _, l := range lengths {
		for f, n := range l {
			total[f] += float64(n)
		}
	}
	r := ranker{weights: make([][fieldCount]uint16, len(lengths))}
	for i, l := range lengths {
		for f, n := range l {
			average := total[f] / float64(len(lengths))
			share := 0.0 // of the largest discount; 1/2 at the average length
			if n > 0 {
				share = float64(n) / (float64(n) + average)
			}
			weight := fieldWeights[f] * (1 - lengthDiscounts[f]*share)
			r.weights[i][f] = uint16(math.Round(weight * weightUnit))
		}
	}
	return r
}

// A tokenWeight is what one query token is worth in this catalog.
type tokenWeight struct{ exact, prefix int64 } // in scoreUnit/weightUnit

// weigh takes how many documents hold the token as it is, and how many at all.
// The more documents hold it, the less it is worth. All of a prefix's words
// count together, so that it is never worth more than the word itself.
func (r *ranker) weigh(exact, all int) tokenWeight {
	idf := func(holders int) float64 {
		if holders == 0 {
			return 0
		}
		return math.Log(1+float64(len(r.weights))/float64(holders)) * (scoreUnit / weightUnit)
	}
	return tokenWeight{int64(math.Round(idf(exact))), int64(math.Round(idf(all) * prefixFactor))}
}

// score returns what one token adds to a document that holds it as m says.
func (r *ranker) score(document int, w tokenWeight, m mark) int64 {
	weights, sum := &r.weights[document], int64(0)
	exact, prefix := m.exact(), m.prefix()
	for f := range fieldCount {
		switch {
		case exact.has(f):
			sum += int64(weights[f]) * w.exact
		case prefix.has(f):
			sum += int64(weights[f]) * w.prefix
		}
	}
	return sum
}

// total turns the sum over all tokens into the score: of two documents with
// equal sums the one that matches more tokens is better.
func total(sum int64, matched, tokens int) int64 {
	return sum * int64(matched) / int64(tokens)
}
