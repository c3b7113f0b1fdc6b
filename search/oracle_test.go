package search_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/codemode-go/codemode/search"
)

// A plainDocument is a document as the plain model sees it.
type plainDocument struct {
	name  string
	terms []string
}

func plain(documents []search.Document) []plainDocument {
	list := make([]plainDocument, len(documents))
	for i, d := range documents {
		list[i].name = d.Name
		for _, text := range append([]string{d.Name, d.Summary, d.Description}, d.Terms...) {
			for _, run := range runsOf(text) {
				list[i].terms = append(append(list[i].terms, run...), strings.Join(run, ""))
			}
		}
		slices.Sort(list[i].terms)
		list[i].terms = slices.Compact(list[i].terms)
	}
	return list
}

// eligible is the contract's rule of eligibility written down once more, as
// slowly and plainly as possible. It reports false if the query is refused.
func eligible(query string, documents []plainDocument) (names []string, ok bool) {
	connectors := strings.Fields("a an and by for from in of on or the to with")
	runs := runsOf(query)
	var tokens []string
	for _, run := range runs {
		for _, token := range run {
			if !slices.Contains(connectors, token) && !slices.Contains(tokens, token) {
				tokens = append(tokens, token)
			}
		}
	}
	if len(tokens) > 16 {
		return nil, false
	}
	required := len(tokens)
	if required > 2 {
		required = (2*required + 2) / 3
	}
	for _, d := range documents {
		holds := func(word string) bool {
			return slices.ContainsFunc(d.terms, func(term string) bool {
				return term == word || utf8.RuneCountInString(word) >= 3 && strings.HasPrefix(term, word)
			})
		}
		matched := 0
		for _, token := range tokens {
			found := holds(token)
			for _, run := range runs {
				joined := strings.Join(run, "")
				if len(run) > 1 && slices.Contains(run, token) && !slices.Contains(connectors, joined) && holds(joined) {
					found = true
				}
			}
			if found {
				matched++
			}
		}
		if len(tokens) > 0 && matched >= required || strings.EqualFold(strings.TrimSpace(query), d.name) {
			names = append(names, d.name)
		}
	}
	slices.Sort(names)
	return names, true
}

// fuzzDocuments have something for each rule.
var fuzzDocuments = []search.Document{
	{Name: "GitHub.Pulls.createReview", Terms: []string{"code review", "PR"}, Summary: "Create a review.", Description: "Creates a review of a pull_request."},
	{Name: "auth.exchange", Summary: "Exchange an OAuth2 code with the HTTPServer from a v1beta2 API."},
	{Name: "archive.find", Summary: "查询记录", Description: "session管理 ファイル を 探す"},
	{Name: "İstanbul.ara", Summary: "ışık, straße, re\u0301sume\u0301, résumé", Terms: []string{"٣٤"}},
	{Name: "to.the", Summary: "With or without."}, {Name: "records.lookup"}, {Name: "Records.Lookup"},
}

func TestEligibleDocuments(t *testing.T) {
	if raceEnabled {
		t.Skip("one goroutine, and ten times slower under the race detector")
	}
	for _, name := range catalogs {
		c := loadCatalog(t, "testdata", name)
		index, model := newIndex(t, false, c.documents...), plain(c.documents)
		for _, form := range []string{"", "kw", "k3"} {
			for _, q := range c.queries[form] {
				checkEligible(t, index, model, q.Text)
			}
		}
		for _, d := range c.documents {
			checkEligible(t, index, model, d.Name)
		}
	}
}

func checkEligible(t *testing.T, index *search.Index, documents []plainDocument, query string) {
	t.Helper()
	want, ok := eligible(query, documents)
	matches, total, err := index.Search(query, len(documents))
	if (err == nil) != ok {
		t.Fatalf("Search(%q): got error %v, want one: %v", query, err, !ok)
	}
	var got []string
	for _, m := range matches {
		got = append(got, m.Name)
	}
	slices.Sort(got)
	if !reflect.DeepEqual(got, want) || total != len(want) {
		t.Fatalf("Search(%q): got %q of %d, want %q", query, got, total, want)
	}
}

func FuzzSearch(f *testing.F) {
	for _, seed := range []string{"github", "OAuth2 code", "查询记", "HTTPServer v1", "TO.THE", "records.lookup", "createRev pull", "a0 b1 c2 d3 e4 f5 g6 h7 i8", "\xffıİ"} {
		f.Add(seed, "Create a review.")
	}
	f.Fuzz(func(t *testing.T, query, summary string) {
		documents := append(slices.Clone(fuzzDocuments), search.Document{Name: "fuzz.it", Summary: summary})
		checkEligible(t, newIndex(t, false, documents...), plain(documents), query)

		relaxed := newIndex(t, true, documents...)
		strict, _ := eligible(query, plain(documents))
		matches, total, err := relaxed.Search(query, len(documents))
		if err != nil {
			return
		}
		if len(matches) != total {
			t.Fatalf("relaxed: got %d matches of %d", len(matches), total)
		}
		for _, name := range strict {
			if !slices.ContainsFunc(matches, func(m search.Match) bool { return m.Name == name }) {
				t.Fatalf("Search(%q): only the strict mode finds %s", query, name)
			}
		}
		for i := range matches {
			if i > 0 && !strings.EqualFold(strings.TrimSpace(query), matches[i-1].Name) && matches[i].Score > matches[i-1].Score {
				t.Fatalf("Search(%q): match %d has a higher score than the one before", query, i)
			}
		}
	})
}
