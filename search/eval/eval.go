// Package eval measures how well a search index finds what it should, given
// queries with the names that answer them. It is meant for a test of a host's
// own catalog:
//
//	report := eval.Run(index, queries)
//	if got := report.MRR(20); got < 0.6 {
//		t.Errorf("got MRR@20 %.3f, want at least 0.6", got)
//	}
//
// [Report.Missed] lists the queries to look at. Write the queries down before
// the summaries that they should find: the other way round they measure memory.
package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/codemode-go/codemode/search"
)

// Depth is how many results of each query are looked at.
const Depth = 20

// A Query is a query with the names that answer it.
type Query struct {
	Text     string   `json:"query"`
	Relevant []string `json:"relevant"`
}

// ReadQueries reads one JSON object a line, with the members "query" and
// "relevant". Blank lines are skipped.
func ReadQueries(r io.Reader) ([]Query, error) {
	var queries []Query
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var q Query
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		queries = append(queries, q)
	}
	return queries, lines.Err()
}

// A Searcher is what Run measures. A [search.Index] is one.
type Searcher interface {
	Search(query string, limit int) (matches []search.Match, total int, err error)
}

// A Result tells how one query went.
type Result struct {
	Query Query
	Names []string // the first results, at most Depth
	Ranks []int    // where relevant names are among them, ascending from 1
	Err   error    // of the search; such a query counts as finding nothing
}

// A Report holds the results of all queries that have a relevant name.
// Its measures are means over these queries, from 0 to 1.
type Report struct {
	Results []Result
}

// Run searches for every query. A query without a relevant name is left out; a
// relevant name that the index does not have can never be found.
func Run(index Searcher, queries []Query) Report {
	var report Report
	for _, q := range queries {
		q.Relevant = slices.Compact(slices.Sorted(slices.Values(q.Relevant)))
		if len(q.Relevant) == 0 {
			continue
		}
		result := Result{Query: q}
		var matches []search.Match
		matches, _, result.Err = index.Search(q.Text, Depth)
		for i, m := range matches {
			result.Names = append(result.Names, m.Name)
			if slices.Contains(q.Relevant, m.Name) {
				result.Ranks = append(result.Ranks, i+1)
			}
		}
		report.Results = append(report.Results, result)
	}
	return report
}

// Recall returns the share of relevant names among the first k results.
func (r Report) Recall(k int) float64 {
	return r.mean(func(result Result) float64 {
		return float64(len(result.within(k))) / float64(len(result.Query.Relevant))
	})
}

// MRR returns the mean reciprocal rank: one divided by the rank of the first
// relevant name, 0 if it is not among the first k results.
func (r Report) MRR(k int) float64 {
	return r.mean(func(result Result) float64 {
		if ranks := result.within(k); len(ranks) > 0 {
			return 1 / float64(ranks[0])
		}
		return 0
	})
}

// NDCG returns the normalised discounted cumulative gain of the first k
// results: a relevant name gains 1/log2(rank+1), and the sum is divided by
// that of the best possible order (Järvelin, Kekäläinen 2002, binary gains).
func (r Report) NDCG(k int) float64 {
	gain := func(rank int) float64 { return 1 / math.Log2(float64(rank)+1) }
	return r.mean(func(result Result) float64 {
		got, best := 0.0, 0.0
		for _, rank := range result.within(k) {
			got += gain(rank)
		}
		for rank := 1; rank <= min(k, len(result.Query.Relevant)); rank++ {
			best += gain(rank)
		}
		if best == 0 {
			return 0
		}
		return got / best
	})
}

// Missed returns the results without any relevant name among the first k.
func (r Report) Missed(k int) []Result {
	var missed []Result
	for _, result := range r.Results {
		if len(result.within(k)) == 0 {
			missed = append(missed, result)
		}
	}
	return missed
}

// String returns the usual measures in one line.
func (r Report) String() string {
	return fmt.Sprintf("%d queries: R@1 %.3f, R@5 %.3f, R@20 %.3f, MRR@20 %.3f, nDCG@10 %.3f",
		len(r.Results), r.Recall(1), r.Recall(5), r.Recall(20), r.MRR(20), r.NDCG(10))
}

// within returns the ranks up to k.
func (r Result) within(k int) []int {
	n, _ := slices.BinarySearch(r.Ranks, k+1)
	return r.Ranks[:n]
}

func (r Report) mean(measure func(Result) float64) float64 {
	if len(r.Results) == 0 {
		return 0
	}
	sum := 0.0
	for _, result := range r.Results {
		sum += measure(result)
	}
	return sum / float64(len(r.Results))
}
