package codemode_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/codemode"
)

// document registers a capability that only search looks at.
func document(name, summary, description string, terms ...string) add {
	return registering(func(c *sample) {
		c.Name, c.Summary, c.Description, c.SearchTerms = codemode.CapabilityName(name), summary, description, terms
	})
}

// found returns the names that a query finds, in order.
func found(t *testing.T, server *codemode.Server, query string) string {
	t.Helper()
	response, err := server.Search(query)
	wantClass(t, err, nil)
	if response.Results == nil {
		t.Errorf("%q: got nil results", query)
	}
	var names []string
	for _, r := range response.Results {
		names = append(names, r.Name)
	}
	return strings.Join(names, " ")
}

func TestSearchTokens(t *testing.T) {
	server := start(t, codemode.Options{},
		document("GitHub.Pulls.createReview", "Opens a thing.", ""), document("pull_request.list_all", "Enumerates.", ""), document("db.sql", "Runs statements.", ""), document("db.mysql", "Runs others.", ""),
		document("auth.OAuth2Login", "Signs in.", ""), document("HTTPServer.start", "Starts.", ""), document("v2beta.run", "Goes.", ""), document("größe.länge", "Misst Straßen.", ""), document("x.numbers", "Über 42answers and 7.", "C++ or C#; e-mail"))
	for query, want := range map[string]string{
		"github pulls create review": "GitHub.Pulls.createReview", "GitHub.Pulls.createReview": "GitHub.Pulls.createReview", "github": "GitHub.Pulls.createReview", "hub": "GitHub.Pulls.createReview", "git hub": "GitHub.Pulls.createReview", "GITHUB": "GitHub.Pulls.createReview",
		"pull request": "pull_request.list_all", "pull-request": "pull_request.list_all", "request": "pull_request.list_all", "sql": "db.sql", "mysql": "db.mysql", "ysql": "", "oauth": "auth.OAuth2Login", "OAuth2": "auth.OAuth2Login", "oauth2": "auth.OAuth2Login", "login": "auth.OAuth2Login",
		"http server": "HTTPServer.start", "HTTPServer": "HTTPServer.start", "server": "HTTPServer.start", "erver": "", "rver": "", "beta": "v2beta.run", "größe": "größe.länge", "GRÖSSE": "", "GRÖßE": "größe.länge", "lange": "", "straßen": "größe.länge", "42": "x.numbers", "answers": "x.numbers",
		"über": "x.numbers", "uber": "", "mail": "x.numbers", "e mail": "x.numbers", "startz": "", "tatements": "", "signed": "", "\u3000sql\u00a0": "db.sql", "\tsql\n": "db.sql", "sql!!!": "db.sql", "'sql'": "db.sql", "sql\x00": "db.sql", "sql\xff": "db.sql", "😀sql": "db.sql",
	} {
		if got := found(t, server, query); got != want {
			t.Errorf("%q: got %q, want %q", query, got, want)
		}
	}
}

func TestSearchPrefixes(t *testing.T) {
	server := start(t, codemode.Options{}, document("x.a", "Lookup entries.", ""), document("x.b", "Äöüß letters.", ""), document("x.c", "Go.", ""))
	for query, want := range map[string]string{
		"loo": "x.a", "look": "x.a", "lookup": "x.a", "lookups": "", "lo": "", "l": "", "ook": "", "entr": "x.a", "en": "", "äöü": "x.b", "äö": "", "go": "x.c", "g": "", "letter": "x.b",
	} {
		if got := found(t, server, query); got != want {
			t.Errorf("%q: got %q, want %q", query, got, want)
		}
	}
}

// TestSearchEligibility: one of one, both of two, two thirds of more.
func TestSearchEligibility(t *testing.T) {
	words := []string{"alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo", "lima", "mike", "november", "oscar", "papa"}
	server := start(t, codemode.Options{}, document("z.all", strings.Join(words, " ")+".", ""))
	for q := 1; q <= 16; q++ {
		need := map[int]int{1: 1, 2: 2}[q]
		if need == 0 {
			need = (2*q + 2) / 3
		}
		for _, matched := range []int{need, need - 1} {
			query := strings.Join(words[:matched], " ")
			for i := matched; i < q; i++ {
				query += fmt.Sprintf(" %c%c", 'q'+i%10, 'b'+i/10)
			}
			want := ""
			if matched == need {
				want = "z.all"
			}
			if got := found(t, server, query); got != want {
				t.Errorf("%d of %d tokens (%q): got %q, want %q", matched, q, query, got, want)
			}
		}
	}
}

func TestSearchConnectorsAndRepetitions(t *testing.T) {
	server := start(t, codemode.Options{}, document("x.zebra", "Counts stripes for the zoo.", ""), document("to.the", "Points.", ""))
	for query, want := range map[string]string{
		"a": "", "an": "", "and": "", "by": "", "for": "", "from": "", "in": "", "of": "", "on": "", "or": "", "the": "", "to": "", "with": "", "the of and": "", "A An AND": "", "...": "", "": "", " \u3000\n": "", "-_-": "", "😀": "",
		"zebra": "x.zebra", "the zebra of the zoo": "x.zebra", "zebra zebra zebra": "x.zebra", "a an and by for from in of on or the to with zebra": "x.zebra", "zebra is": "", "at zebra": "", "to.the": "to.the", "TO.THE": "to.the", " to.the ": "to.the", "to the": "",
	} {
		if got := found(t, server, query); got != want {
			t.Errorf("%q: got %q, want %q", query, got, want)
		}
	}
	response, err := server.Search("the")
	if text, _ := json.Marshal(response); err != nil || string(text) != `{"results":[],"truncated":false}` {
		t.Errorf("got %s, %v", text, err)
	}
}

// TestSearchTokenLimit: 16 distinct tokens, after connectors and repetitions.
func TestSearchTokenLimit(t *testing.T) {
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxSearchQueryBytes: 1000}}, document("x.y", "Text.", ""))
	letters := strings.Split("b c d e f g h i j k l m n o p q", " ")
	sixteen := strings.Join(letters, " ")
	for _, query := range []string{sixteen, sixteen + " b", sixteen + " the of and with", sixteen + " B-C", strings.Repeat(sixteen+" ", 20)} {
		_, err := server.Search(query)
		wantClass(t, err, nil)
	}
	for _, query := range []string{sixteen + " r", sixteen + " r s t", "bB cC dD eE fF gG hH iI" + " r s t u v w x y z", sixteen + " 1", strings.Join(letters, ".") + ".x"} {
		_, err := server.Search(query)
		wantClass(t, err, codemode.ErrResourceLimit)
		if err.Error() != "resource limit exceeded" {
			t.Errorf("got %q", err)
		}
	}
}

// TestSearchQueryBytes: raw bytes, before anything is trimmed.
func TestSearchQueryBytes(t *testing.T) {
	server := start(t, codemode.Options{}, document("x.zebra", "Text.", ""))
	for query, class := range map[string]error{
		"zebra" + strings.Repeat(" ", 251): nil, "zebra" + strings.Repeat(" ", 252): codemode.ErrResourceLimit, strings.Repeat(" ", 256): nil, strings.Repeat(" ", 257): codemode.ErrResourceLimit,
		strings.Repeat("é", 128): nil, strings.Repeat("é", 128) + "x": codemode.ErrResourceLimit, strings.Repeat("a", 256): nil, strings.Repeat("\xff", 257): codemode.ErrResourceLimit,
	} {
		_, err := server.Search(query)
		wantClass(t, err, class)
	}
	tight := start(t, codemode.Options{Limits: codemode.Limits{MaxSearchQueryBytes: 7}}, document("x.zebra", "Text.", ""))
	if got := found(t, tight, "x.zebra"); got != "x.zebra" {
		t.Errorf("got %q", got)
	}
	_, err := tight.Search("x.zebra ")
	wantClass(t, err, codemode.ErrResourceLimit)
}

// TestSearchOrder: the exact name, then relevance, then the name.
func TestSearchOrder(t *testing.T) {
	server := start(t, codemode.Options{},
		document("b.name_zebra", "Text.", ""), document("a.terms", "Text.", "", "zebra"), document("a.summary", "Zebra text.", ""), document("a.description", "Text.", "Zebra text."),
		document("c.zebras", "Text.", ""), document("d.same", "Giraffe text.", ""), document("c.same", "Giraffe text.", ""), document("e.same", "Giraffe text.", ""),
		document("k.lion", "Common words here.", ""), document("l.tiger", "Common words here lion.", ""), document("lion.k", "Lion lion lion.", "Lion lion.", "lion", "k lion"),
		document("q.rare", "Common.", ""), document("p.common", "Rare.", ""))
	for query, want := range map[string]string{
		"zebra":    "b.name_zebra c.zebras a.terms a.summary a.description",
		"giraffe":  "c.same d.same e.same",
		"k.lion":   "k.lion lion.k",
		" K.LION ": "k.lion lion.k",
		"lion.k":   "lion.k k.lion",
	} {
		got := found(t, server, query)
		if query == "zebra" { // a prefix in the name against an exact match in a lesser field is internal
			got = strings.Replace(got, " c.zebras", "", 1)
			want = strings.Replace(want, " c.zebras", "", 1)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", query, got, want)
		}
	}
	for range 20 {
		if got := found(t, server, "text zebra giraffe"); got != found(t, server, "giraffe zebra text") {
			t.Errorf("got another order: %q", got)
		}
	}
	t.Run("an exact match above a prefix", func(t *testing.T) {
		server := start(t, codemode.Options{}, document("a.catalogs", "T.", ""), document("z.catalog", "T.", ""))
		if got := found(t, server, "catalog"); got != "z.catalog a.catalogs" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("a rare term above a common one", func(t *testing.T) {
		adds := []add{document("z.one", "Unusual thing.", ""), document("a.two", "Common thing.", "")}
		for i := range 10 {
			adds = append(adds, document(fmt.Sprintf("f.c%d", i), "Common filler.", ""))
		}
		server := start(t, codemode.Options{}, adds...)
		if got := found(t, server, "unusual common thing"); got != "z.one a.two" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("disabled capabilities do not affect ranking", func(t *testing.T) {
		adds := []add{document("a.one", "Unusual thing.", ""), document("b.two", "Common thing.", ""), document("c.three", "Common other.", "")}
		plain := found(t, start(t, codemode.Options{}, adds...), "unusual common thing")
		var disabled []codemode.CapabilityID
		for i := range 10 {
			name := fmt.Sprintf("f.c%d", i)
			adds, disabled = append(adds, document(name, "Unusual unusual.", "")), append(disabled, codemode.CapabilityID(name))
		}
		if got := found(t, start(t, codemode.Options{DisabledCapabilities: disabled}, adds...), "unusual common thing"); got != plain {
			t.Errorf("got %q, want %q", got, plain)
		}
	})
	t.Run("names that differ in case", func(t *testing.T) {
		server := start(t, codemode.Options{}, document("a.run", "T.", ""), document("A.run", "T.", ""), document("A.RUN", "T.", ""))
		for _, query := range []string{"a.run", "A.run", "A.RUN"} {
			if got := found(t, server, query); !strings.HasPrefix(got, query+" ") || len(strings.Fields(got)) != 3 {
				t.Errorf("%q: got %q", query, got)
			}
		}
	})
}

// TestSearchResponsePacking: the highest-ranked prefix that fits, never more,
// never a smaller one later on.
func TestSearchResponsePacking(t *testing.T) {
	wide := strings.Repeat("w", 20<<10)
	server := start(t, codemode.Options{}, document("zebra.a", wide, "D."), document("zebra.b", wide, "D."), document("zebra.c", "Small.", "D."))
	response, err := server.Search("zebra")
	wantClass(t, err, nil)
	if len(response.Results) != 1 || response.Results[0].Name != "zebra.a" || !response.Truncated {
		t.Errorf("got %d results, %t: want the first alone, since the second does not fit", len(response.Results), response.Truncated)
	}
	if got := found(t, server, "zebra.c"); !strings.HasPrefix(got, "zebra.c") {
		t.Errorf("got %q", got)
	}
}

func TestSearchResultsHoldWhatIsRegistered(t *testing.T) {
	server := start(t, codemode.Options{}, document("x.y", "Say <b>\"é\"</b> & more.", "D.", "secret term"))
	response, err := server.Search("x.y")
	wantClass(t, err, nil)
	if got, want := asJSON(t, response), `{"results":[{"name":"x.y","signature":"x.y(*, key: str)","summary":"Say <b>\"é\"</b> & more."}],"truncated":false}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	response.Results[0].Name = "changed"
	if got := found(t, server, "x.y"); got != "x.y" {
		t.Errorf("a caller changed the catalog: %q", got)
	}
}
