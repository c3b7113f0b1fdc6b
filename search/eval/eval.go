// Package eval measures how well an index finds what it should.
package eval

import (
	"math"

	"github.com/codemode-go/codemode/search"
)

// A Query is a query with the names that answer it.
type Query struct {
	Text     string   `json:"query"`
	Relevant []string `json:"relevant"`
}

// A Searcher is what Run measures. *search.Index is one.
type Searcher interface {
	Search(query string, limit int) (matches []search.Match, total int, err error)
}

// A Report holds means over all queries.
type Report struct {
	Queries                                   int
	Recall1, Recall5, Recall20, MRR20, NDCG10 float64
	Empty                                     int // queries without any match
}

// Run searches for every query and compares the first 20 results.
func Run(index Searcher, queries []Query) Report {
	r := Report{Queries: len(queries)}
	for _, q := range queries {
		matches, _, err := index.Search(q.Text, 20)
		if err != nil || len(matches) == 0 {
			r.Empty++
			continue
		}
		rel := map[string]bool{}
		for _, n := range q.Relevant {
			rel[n] = true
		}
		var hits1, hits5, hits20, dcg, rr float64
		for i, m := range matches {
			if !rel[m.Name] {
				continue
			}
			if rr == 0 {
				rr = 1 / float64(i+1)
			}
			if i < 1 {
				hits1++
			}
			if i < 5 {
				hits5++
			}
			if i < 10 {
				dcg += 1 / math.Log2(float64(i+2))
			}
			hits20++
		}
		n := float64(len(rel))
		var ideal float64
		for i := 0; i < len(rel) && i < 10; i++ {
			ideal += 1 / math.Log2(float64(i+2))
		}
		r.Recall1 += hits1 / n
		r.Recall5 += hits5 / n
		r.Recall20 += hits20 / n
		r.MRR20 += rr
		r.NDCG10 += dcg / ideal
	}
	if r.Queries > 0 {
		c := float64(r.Queries)
		r.Recall1 /= c
		r.Recall5 /= c
		r.Recall20 /= c
		r.MRR20 /= c
		r.NDCG10 /= c
	}
	return r
}
