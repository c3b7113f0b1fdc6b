package eval_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/search"
	"github.com/codemode-go/codemode/search/eval"
)

// answers is a Searcher whose results are written down.
type answers map[string][]string

var errRefused = errors.New("refused")

func (a answers) Search(query string, limit int) ([]search.Match, int, error) {
	if query == "refused" {
		return nil, 0, errRefused
	}
	var matches []search.Match
	for _, name := range a[query] {
		matches = append(matches, search.Match{Name: name})
	}
	return matches[:min(len(matches), limit)], len(matches), nil
}

func TestMeasures(t *testing.T) {
	long := strings.Fields(strings.Repeat("x ", 30))
	long[19] = "a"
	index := answers{
		"first": {"a", "x"}, "third": {"x", "y", "a"}, "two": {"a", "x", "b", "y"}, "none": {"x"}, "deep": long,
	}
	for _, test := range []struct {
		rule                        string
		query                       eval.Query
		r1, r3, r20, mrr2, mrr, dcg float64
	}{
		{"relevant first", eval.Query{Text: "first", Relevant: []string{"a"}}, 1, 1, 1, 1, 1, 1},
		{"relevant third", eval.Query{Text: "third", Relevant: []string{"a"}}, 0, 1, 1, 0, 1.0 / 3, 0.5},
		{"two relevant", eval.Query{Text: "two", Relevant: []string{"b", "a", "a"}}, 0.5, 1, 1, 1, 1, (1 + 0.5) / (1 + 1/math.Log2(3))},
		{"one of two", eval.Query{Text: "first", Relevant: []string{"a", "b"}}, 0.5, 0.5, 0.5, 1, 1, 1 / (1 + 1/math.Log2(3))},
		{"nothing relevant", eval.Query{Text: "none", Relevant: []string{"a"}}, 0, 0, 0, 0, 0, 0},
		{"no result", eval.Query{Text: "?", Relevant: []string{"a"}}, 0, 0, 0, 0, 0, 0},
		{"a refused query finds nothing", eval.Query{Text: "refused", Relevant: []string{"a"}}, 0, 0, 0, 0, 0, 0},
		{"the twentieth result still counts", eval.Query{Text: "deep", Relevant: []string{"a"}}, 0, 0, 1, 0, 0.05, 0},
	} {
		r := eval.Run(index, []eval.Query{test.query})
		got := []float64{r.Recall(1), r.Recall(3), r.Recall(20), r.MRR(2), r.MRR(20), r.NDCG(10)}
		want := []float64{test.r1, test.r3, test.r20, test.mrr2, test.mrr, test.dcg}
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("%s: got %v, want %v", test.rule, got, want)
				break
			}
		}
	}
}

func TestReport(t *testing.T) {
	index := answers{"first": {"a"}, "third": {"x", "y", "a"}}
	report := eval.Run(index, []eval.Query{
		{Text: "first", Relevant: []string{"a"}}, {Text: "third", Relevant: []string{"a"}},
		{Text: "unlabelled"}, {Text: "refused", Relevant: []string{"a"}},
	})
	if got, want := report.String(), "3 queries: R@1 0.333, R@5 0.667, R@20 0.667, MRR@20 0.444, nDCG@10 0.500"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var missed []string
	for _, result := range report.Missed(2) {
		missed = append(missed, result.Query.Text)
	}
	if want := []string{"third", "refused"}; !reflect.DeepEqual(missed, want) {
		t.Errorf("got %q missed, want %q", missed, want)
	}
	if err := report.Results[2].Err; !errors.Is(err, errRefused) {
		t.Errorf("got error %v, want that of the search", err)
	}
	if empty := eval.Run(index, nil); empty.MRR(20) != 0 || empty.Recall(1) != 0 || empty.NDCG(10) != 0 {
		t.Errorf("got %v for no queries, want zeros", empty)
	}
}

func TestReadQueries(t *testing.T) {
	queries, err := eval.ReadQueries(strings.NewReader("{\"query\":\"a b\",\"relevant\":[\"x.y\"]}\n\n{\"query\":\"c\",\"relevant\":[]}"))
	want := []eval.Query{{Text: "a b", Relevant: []string{"x.y"}}, {Text: "c", Relevant: []string{}}}
	if err != nil || !reflect.DeepEqual(queries, want) {
		t.Errorf("got %v, %v, want %v", queries, err, want)
	}
	if _, err := eval.ReadQueries(strings.NewReader("{}\n{")); err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
		t.Errorf("got %v, want an error that names line 2", err)
	}
}

func ExampleRun() {
	index, err := search.New([]search.Document{
		{Name: "records.lookup", Summary: "Look up one record by key."},
		{Name: "records.list", Summary: "List all records."},
	}, search.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	report := eval.Run(index, []eval.Query{
		{Text: "all records", Relevant: []string{"records.list"}},
		{Text: "look up record", Relevant: []string{"records.lookup"}},
		{Text: "find entry", Relevant: []string{"records.lookup"}},
	})
	fmt.Println(report)
	for _, result := range report.Missed(20) {
		fmt.Println("missed:", result.Query.Text)
	}
	// Output:
	// 3 queries: R@1 0.667, R@5 0.667, R@20 0.667, MRR@20 0.667, nDCG@10 0.667
	// missed: find entry
}
