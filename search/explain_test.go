package search_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/search"
)

// An explanation says what Search does, for every document of a catalog.
func TestExplainAgreesWithSearch(t *testing.T) {
	c := loadCatalog(t, "testdata", "tldr")
	for _, relaxed := range []bool{false, true} {
		index := newIndex(t, relaxed, c.documents...)
		for _, q := range append(c.queries["k3"], c.queries[""]...) {
			matches, total, err := index.Search(q.Text, index.Len())
			if err != nil {
				t.Fatal(err)
			}
			rank, score := map[string]int{}, map[string]float64{}
			for i, m := range matches {
				rank[m.Name], score[m.Name] = i+1, m.Score
			}
			for _, d := range c.documents {
				e, err := index.Explain(q.Text, d.Name)
				if err != nil {
					t.Fatal(err)
				}
				if e.Name != d.Name || e.Rank != rank[d.Name] || e.Eligible != (e.Rank > 0) || e.Total != total || e.Relaxed != relaxed ||
					e.Eligible && e.Score != score[d.Name] {
					t.Fatalf("Explain(%q, %q): got %+v, want rank %d of %d, score %v", q.Text, d.Name, e, rank[d.Name], total, score[d.Name])
				}
				checkTokens(t, e)
			}
		}
	}
}

func checkTokens(t *testing.T, e search.Explanation) {
	t.Helper()
	sum, matched := 0.0, 0
	for _, token := range e.Tokens {
		sum += token.Score
		if len(token.Terms) > 0 {
			matched++
		}
		if (len(token.Terms) > 0) != (token.Score > 0) {
			t.Fatalf("%s: token %q: got score %v with terms %v", e.Name, token.Token, token.Score, token.Terms)
		}
	}
	if !e.Relaxed && e.Matched > 0 {
		sum *= float64(e.Matched) / float64(len(e.Tokens))
	}
	if matched != e.Matched || math.Abs(sum-e.Score) > 1e-5 {
		t.Fatalf("%s: tokens sum up to %v with %d matched, want %v with %d", e.Name, sum, matched, e.Score, e.Matched)
	}
}

func TestExplainString(t *testing.T) {
	documents := docs{
		{Name: "GitHub.Pulls.createReview", Summary: "Create a review."},
		{Name: "gitlab.merges", Summary: "Merge branches of a typescript project."},
	}
	strict, relaxed := newIndex(t, false, documents...), newIndex(t, true, documents...)
	for _, test := range []struct {
		rule        string
		index       *search.Index
		query, name string
		want        []string // among the lines
	}{
		{"eligible", strict, "GitHub create", "GitHub.Pulls.createReview", []string{
			"GitHub.Pulls.createReview: rank 1 of 1, score ", "holds 3 of 3 tokens, needs 2",
			"documents with it: 1", `exact match of "git" in name`, `joined match of "github" in name`,
			`exact match of "create" in name, summary`, `prefix match of "createreview" in name`}},
		{"not eligible", strict, "merge request approval", "gitlab.merges", []string{
			"gitlab.merges: not eligible, holds 1 of 3 tokens, needs 2", `exact match of "merge" in summary`, "approval: 0.000, documents with it: 0"}},
		{"an exact name", strict, "GITLAB.merges", "gitlab.merges", []string{"gitlab.merges: rank 1 of 1, score ", "named by the query"}},
		{"a beginning of a joined run", strict, "createRev", "GitHub.Pulls.createReview", []string{`joined prefix match of "createreview" in name`}},
		{"a similar word", relaxed, "merged type script", "gitlab.merges", []string{
			`similar match of "merge" in summary`, `pair match of "typescript" in summary`}},
	} {
		e, err := test.index.Explain(test.query, test.name)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range test.want {
			if !strings.Contains(e.String(), want) {
				t.Errorf("%s: got\n%swant %s", test.rule, e, want)
			}
		}
	}
}

func TestExplainFails(t *testing.T) {
	index := newIndex(t, false, search.Document{Name: "a.b"})
	if _, err := index.Explain("b", "A.b"); !errors.Is(err, search.ErrUnknownName) {
		t.Errorf("got %v, want ErrUnknownName: the name is taken as it is", err)
	}
	if _, err := index.Explain("za zb zc zd ze zf zg zh zi zj zk zl zm zn zo zp zq", "a.b"); !errors.Is(err, search.ErrTooManyTokens) {
		t.Errorf("got %v, want ErrTooManyTokens", err)
	}
}
