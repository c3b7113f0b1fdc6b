package search_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/search"
)

type docs = []search.Document

func TestSearch(t *testing.T) {
	for _, test := range []struct {
		rule      string
		documents docs
		queries   []string
		want      string // names, separated by spaces
	}{
		{"a blank query finds nothing", docs{{Name: "a.b"}}, []string{"", " ", "\u2003\t"}, ""},
		{"a query of separators finds nothing", docs{{Name: "a.b"}}, []string{"...", "🚀", "--_"}, ""},
		{"a query of connectors finds nothing", docs{{Name: "the.to"}}, []string{"the", "to the", "A AN AND BY FOR FROM IN OF ON OR THE TO WITH"}, ""},
		{"connectors do not count", docs{{Name: "x.y", Summary: "Close an incident."}}, []string{"close the incident", "to close an incident"}, "x.y"},
		{"every field is searched", docs{{Name: "n.a"}, {Name: "n.b", Terms: []string{"x", "a"}}, {Name: "n.c", Summary: "a b"}, {Name: "n.d", Description: "b"}},
			[]string{"b"}, "n.b n.c n.d"},
		{"one token: it must match", docs{{Name: "r.list"}, {Name: "r.get"}}, []string{"list", "LIST", " list. "}, "r.list"},
		{"two tokens: both must match", docs{{Name: "crm.contacts"}, {Name: "crm.company"}}, []string{"contacts company", "contacts for a company"}, ""},
		{"two of three are enough", docs{{Name: "p.one", Summary: "alpha beta"}, {Name: "p.two", Summary: "alpha"}}, []string{"alpha beta gamma"}, "p.one"},
		{"three of four are needed", docs{{Name: "p.one", Summary: "alpha beta"}, {Name: "p.two", Summary: "alpha beta delta"}}, []string{"alpha beta gamma delta"}, "p.two"},
		{"four of five are needed", docs{{Name: "p.one", Summary: "alpha beta gamma"}, {Name: "p.two", Summary: "alpha beta gamma delta"}},
			[]string{"alpha beta gamma delta epsilon"}, "p.two"},
		{"tokens of different fields add up", docs{{Name: "r.list", Terms: []string{"fetch"}, Summary: "Entries."}}, []string{"list fetch entries"}, "r.list"},
		{"repeated tokens count once", docs{{Name: "r.list"}, {Name: "r.get"}}, []string{"list List LIST"}, "r.list"},
		{"three characters match a prefix", docs{{Name: "cron.add", Summary: "Scheduled."}}, []string{"sch", "schedul"}, "cron.add"},
		{"two do not", docs{{Name: "paper.print"}, {Name: "code.pr"}}, []string{"pr"}, "code.pr"},
		{"characters are not bytes", docs{{Name: "x.y", Summary: "查询记录"}}, []string{"查询", "é"}, ""},
		{"three characters of any script", docs{{Name: "x.y", Summary: "查询记录 éèêë"}}, []string{"查询记", "éèê"}, "x.y"},
		{"a query token is no prefix's extension", docs{{Name: "x.pull"}}, []string{"pulls"}, ""},
		{"nothing matches inside a word", docs{{Name: "x.mysql"}}, []string{"sql", "ysql"}, ""},
		{"nothing is folded", docs{{Name: "x.y", Summary: "straße"}}, []string{"strasse"}, ""},
		{"a query of digits", docs{{Name: "http.status", Summary: "404 pages"}}, []string{"404", "٤ 404 pages"}, "http.status"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			index := newIndex(t, false, test.documents...)
			for _, query := range test.queries {
				if got := find(t, index, query); strings.Join(got, " ") != test.want {
					t.Errorf("Search(%q): got %q, want %q", query, got, test.want)
				}
			}
		})
	}
}

// A run that the camel, acronym or digit rules split is found by its parts and
// as a whole.
func TestSplitRuns(t *testing.T) {
	index := newIndex(t, false,
		search.Document{Name: "GitHub.Pulls.createReview", Summary: "Create a review."},
		search.Document{Name: "auth.exchange", Summary: "OAuth2 code."},
		search.Document{Name: "gitlab.merge", Summary: "Plain github mirror."},
		search.Document{Name: "cluster.pods", Terms: []string{"k8s"}},
	)
	for query, want := range map[string]string{
		"github":         "GitHub.Pulls.createReview gitlab.merge",
		"GitHub":         "GitHub.Pulls.createReview gitlab.merge",
		"GITHUB":         "GitHub.Pulls.createReview gitlab.merge",
		"git hub":        "GitHub.Pulls.createReview",
		"hub":            "GitHub.Pulls.createReview",
		"githu":          "GitHub.Pulls.createReview gitlab.merge",
		"GitHu":          "GitHub.Pulls.createReview gitlab.merge",
		"createreview":   "GitHub.Pulls.createReview",
		"github pulls":   "GitHub.Pulls.createReview",
		"github mirror":  "gitlab.merge",
		"GitHub mirror":  "gitlab.merge GitHub.Pulls.createReview", // git and hub are two of three
		"ithub":          "",
		"reviewcreate":   "",
		"OAuth2":         "auth.exchange",
		"oauth2":         "auth.exchange",
		"oauth":          "auth.exchange",
		"auth":           "auth.exchange",
		"auth2":          "auth.exchange",
		"uth2":           "",
		"k8s":            "cluster.pods",
		"K8S pods":       "cluster.pods",
		"k 8":            "cluster.pods",
		"kubernetes k8s": "cluster.pods",
	} {
		if got := find(t, index, query); strings.Join(got, " ") != want {
			t.Errorf("Search(%q): got %q, want %q", query, got, want)
		}
	}
}

// A run of the query whose joined form is a connector is no wildcard.
func TestJoinedConnector(t *testing.T) {
	index := newIndex(t, false, search.Document{Name: "x.y", Summary: "With the from."})
	if got := find(t, index, "wiTh"); len(got) != 0 {
		t.Errorf("Search(wiTh): got %q, want nothing", got)
	}
}

func TestExactName(t *testing.T) {
	documents := docs{
		{Name: "crm.addPersonList", Terms: []string{"add person crm"}, Summary: "crm add person crm."},
		{Name: "crm.addPerson"}, {Name: "CRM.addperson"}, {Name: "crm.ADDPERSON"}, {Name: "to.the"},
	}
	for _, relaxed := range []bool{false, true} {
		index := newIndex(t, relaxed, documents...)
		for query, want := range map[string]string{
			"crm.addPersonList":        "crm.addPersonList",
			"\u00a0CRM.ADDPERSONLIST ": "crm.addPersonList",
			"crm.addPerson":            "crm.addPerson",
			"crm.ADDPERSON":            "crm.ADDPERSON",
			"CRM.addperson\n":          "CRM.addperson",
			"to.the":                   "to.the",
			"TO.The":                   "to.the",
		} {
			got := find(t, index, query)
			if len(got) == 0 || got[0] != want {
				t.Errorf("relaxed %v: Search(%q): got %q, want %s first", relaxed, query, got, want)
			}
			if strings.Contains(want, "addperson") && len(got) < 3 {
				t.Errorf("relaxed %v: Search(%q): got %q, want all names that differ in case only", relaxed, query, got)
			}
		}
		if got := find(t, index, "crm.addPerson"); !reflect.DeepEqual(got[1:3], []string{"CRM.addperson", "crm.ADDPERSON"}) &&
			!reflect.DeepEqual(got[1:3], []string{"crm.ADDPERSON", "CRM.addperson"}) {
			t.Errorf("relaxed %v: got %q, want names that differ in case only before all others", relaxed, got)
		}
		if got := find(t, index, "crm addPerson"); got[0] == "to.the" || len(got) < 4 {
			t.Errorf("relaxed %v: got %q for a query that is no name", relaxed, got)
		}
	}
}

func TestTooManyTokens(t *testing.T) {
	words := strings.Fields("za zb zc zd ze zf zg zh zi zj zk zl zm zn zo zp zq")
	documents := docs{{Name: strings.Join(words, ".")}, {Name: "za.zb"}}
	for _, relaxed := range []bool{false, true} {
		index := newIndex(t, relaxed, documents...)
		for _, test := range []struct {
			rule, query string
			fails       bool
		}{
			{"16 tokens", strings.Join(words[:16], " "), false},
			{"17 tokens", strings.Join(words, " "), true},
			{"17 tokens that are an exact name", documents[0].Name, true},
			{"16 tokens and connectors", strings.Join(words[:16], " the ") + " to with", false},
			{"16 tokens, repeated", strings.Repeat(strings.Join(words[:16], " ")+" ", 3), false},
			{"parts count, runs do not", "a0 b1 c2 d3 e4 f5 g6 h7 i8", true},
			{"one long run is one token", strings.Repeat("查", 300), false},
		} {
			_, _, err := index.Search(test.query, 20)
			if errors.Is(err, search.ErrTooManyTokens) != test.fails || (err != nil) != test.fails {
				t.Errorf("relaxed %v: %s: got error %v, want one: %v", relaxed, test.rule, err, test.fails)
			}
		}
	}
}

func TestLimit(t *testing.T) {
	var documents docs
	for i := range 50 {
		documents = append(documents, search.Document{Name: fmt.Sprintf("bulk.op%02d", 49-i), Summary: "Bulk item."})
	}
	index := newIndex(t, false, documents...)
	for _, limit := range []int{-1, 0, 1, 7, 50, 1 << 40} {
		matches, total, err := index.Search("bulk", limit)
		if err != nil || total != 50 || len(matches) != min(max(limit, 0), 50) {
			t.Fatalf("limit %d: got %d matches of %d, %v", limit, len(matches), total, err)
		}
		for i, m := range matches {
			if want := fmt.Sprintf("bulk.op%02d", i); m.Name != want || documents[m.Document].Name != want {
				t.Errorf("limit %d, match %d: got %s at position %d, want %s", limit, i, m.Name, m.Document, want)
			}
		}
	}
	if matches, total, _ := index.Search("bulk.op33", 1); total != 50 || matches[0].Name != "bulk.op33" {
		t.Errorf("got %v of %d, want bulk.op33 of 50: an exact name is eligible once", matches, total)
	}
}

func TestNewRefuses(t *testing.T) {
	for rule, test := range map[string]struct {
		documents docs
		want      string
	}{
		"an empty name":   {docs{{Name: "a.b"}, {}}, "document 1: got an empty name, want a name"},
		"a repeated name": {docs{{Name: "a.b"}, {Name: "c"}, {Name: "a.b"}}, `document 2: name "a.b" is that of document 0, want unique names`},
	} {
		if _, err := search.New(test.documents, search.Options{}); err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", rule, err, test.want)
		}
	}
	if got := find(t, newIndex(t, false), "anything"); len(got) != 0 {
		t.Errorf("empty catalog: got %q", got)
	}
}

// What another goroutine searches does not show, and neither does what was
// searched before with the same scratch space.
func TestConcurrentSearches(t *testing.T) {
	for _, relaxed := range []bool{false, true} {
		c := loadCatalog(t, "testdata", "tldr")
		index := newIndex(t, relaxed, c.documents...)
		want := make([][]search.Match, len(c.queries["k3"]))
		for i, q := range c.queries["k3"] {
			want[i], _, _ = newIndex(t, relaxed, c.documents...).Search(q.Text, 20)
		}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for i, q := range c.queries["k3"] {
					if got, _, _ := index.Search(q.Text, 20); !reflect.DeepEqual(got, want[i]) {
						t.Errorf("Search(%q): got %v, want %v", q.Text, got, want[i])
					}
				}
			})
		}
		group.Wait()
	}
}

// A search allocates its result and nothing that grows with the catalog.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("allocations differ under the race detector")
	}
	c := loadCatalog(t, "testdata", "sealtools")
	for _, relaxed := range []bool{false, true} {
		index := newIndex(t, relaxed, c.documents...)
		for _, query := range []string{worstQuery, "calculate tax", "OAuth2 getProfit", c.documents[0].Name, "nothing of the kind"} {
			if got := testing.AllocsPerRun(100, func() { index.Search(query, 20) }); got > 2 {
				t.Errorf("relaxed %v: Search(%q): got %v allocations, want at most 2", relaxed, query, got)
			}
		}
	}
}
