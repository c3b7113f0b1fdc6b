package search_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/search"
)

// filler makes a field as long as length can matter.
var filler = strings.Repeat("lorem ipsum dolor sit amet ", 2000)

func TestFieldPrecedence(t *testing.T) {
	for _, test := range []struct {
		rule        string
		first, then search.Document
	}{
		{"name before terms", search.Document{Name: "z.alpha"}, search.Document{Name: "a.x", Terms: []string{"alpha"}}},
		{"name before terms, summary and description together",
			search.Document{Name: "z.alpha"}, search.Document{Name: "a.x", Terms: []string{"alpha"}, Summary: "alpha", Description: "alpha"}},
		{"a long name before short terms",
			search.Document{Name: "z." + strings.Repeat("lorem_", 200) + "alpha"}, search.Document{Name: "a.x", Terms: []string{"alpha"}}},
		{"terms before summary", search.Document{Name: "z.x", Terms: []string{"alpha"}}, search.Document{Name: "a.x", Summary: "alpha"}},
		{"many terms before a short summary",
			search.Document{Name: "z.x", Terms: []string{filler, "alpha"}}, search.Document{Name: "a.x", Summary: "alpha", Description: "alpha"}},
		{"summary before description", search.Document{Name: "z.x", Summary: "alpha"}, search.Document{Name: "a.x", Description: "alpha"}},
		{"a long summary before a short description",
			search.Document{Name: "z.x", Summary: filler + "alpha"}, search.Document{Name: "a.x", Description: "alpha"}},
		{"repetition in a field does not count",
			search.Document{Name: "a.x", Summary: "alpha"}, search.Document{Name: "z.x", Summary: "alpha alpha alpha"}},
		{"only the strongest field of a token counts",
			search.Document{Name: "a.alpha"}, search.Document{Name: "z.alpha", Terms: []string{"alpha"}, Summary: "alpha", Description: "alpha"}},
		{"only the strongest match of a token in a field counts",
			search.Document{Name: "a.x", Terms: []string{"alpha"}}, search.Document{Name: "z.x", Terms: []string{"alpha", "alphabet", "alphabetic"}}},
		{"more tokens before fewer",
			search.Document{Name: "z.x", Description: "alpha beta gamma"}, search.Document{Name: "a.x", Description: "alpha beta"}},
		{"equal scores by name", search.Document{Name: "a.x", Summary: "alpha"}, search.Document{Name: "b.x", Summary: "alpha"}},
		{"names in byte order", search.Document{Name: "B.x", Summary: "alpha"}, search.Document{Name: "a.x", Summary: "alpha"}},
	} {
		query := "alpha"
		if strings.Contains(test.rule, "tokens") {
			query = "alpha beta gamma"
		}
		// Padding keeps all lengths away from their catalog's averages.
		index := newIndex(t, false, test.then, test.first,
			search.Document{Name: "p.one", Terms: []string{"p"}, Summary: "p", Description: "p"})
		if got, want := find(t, index, query), []string{test.first.Name, test.then.Name}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", test.rule, got, want)
		}
	}
}

// Within one field an exact match is worth more than a prefix match, however
// long the one field and short the other, and however rare the longer word.
func TestExactBeforePrefix(t *testing.T) {
	fields := map[string]func(name, text string) search.Document{
		"name": func(name, text string) search.Document {
			return search.Document{Name: name + "." + strings.ReplaceAll(text, " ", "_")}
		},
		"terms":       func(name, text string) search.Document { return search.Document{Name: name, Terms: []string{text}} },
		"summary":     func(name, text string) search.Document { return search.Document{Name: name, Summary: text} },
		"description": func(name, text string) search.Document { return search.Document{Name: name, Description: text} },
	}
	for name, field := range fields {
		documents := docs{field("z", filler+"record"), field("a", "records")}
		for i := range 30 { // makes "record" common and leaves "records" rare
			documents = append(documents, field("m"+strings.Repeat("m", i), filler+"record"))
		}
		got := find(t, newIndex(t, false, documents...), "record")
		if last := got[len(got)-1]; !strings.HasPrefix(last, "a") {
			t.Errorf("%s: got %s last of %d, want the prefix match", name, last, len(got))
		}
	}
}

func TestRareTokensCountMore(t *testing.T) {
	documents := docs{
		{Name: "a.common", Summary: "alpha other word"},
		{Name: "z.rare", Summary: "beta other word"},
	}
	for _, name := range []string{"m.a", "m.b", "m.c", "m.d"} {
		documents = append(documents, search.Document{Name: name, Summary: "alpha third word"})
	}
	for _, relaxed := range []bool{false, true} {
		got := find(t, newIndex(t, relaxed, documents...), "alpha beta other")
		if got[0] != "z.rare" || got[1] != "a.common" {
			t.Errorf("relaxed %v: got %q, want the document with the rarer token first", relaxed, got)
		}
	}
}

// The order of the slice given to New decides nothing but Match.Document.
func TestOrderOfDocuments(t *testing.T) {
	c := loadCatalog(t, "testdata", "sealtools")
	random := rand.New(rand.NewPCG(1, 2))
	for _, relaxed := range []bool{false, true} {
		index := newIndex(t, relaxed, c.documents...)
		shuffled := append(docs(nil), c.documents...)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		other := newIndex(t, relaxed, shuffled...)
		for _, q := range c.queries["k3"] {
			want, _, _ := index.Search(q.Text, 20)
			got, _, _ := other.Search(q.Text, 20)
			for i := range got {
				if shuffled[got[i].Document].Name != got[i].Name {
					t.Fatalf("Search(%q): match %d is not at position %d", q.Text, i, got[i].Document)
				}
				got[i].Document = want[i].Document
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("Search(%q): got %v, want %v", q.Text, got, want)
			}
		}
	}
}

// Scores are known numbers: they change only on purpose, and never from one
// processor to another.
func TestScores(t *testing.T) {
	documents := docs{
		{Name: "records.lookup", Terms: []string{"fetch entry"}, Summary: "Look up one record.", Description: "Look up one record by its key."},
		{Name: "records.list", Summary: "List all records."},
	}
	for _, test := range []struct {
		relaxed bool
		query   string
		want    []float64
	}{
		{false, "record", []float64{1.8201470375061035, 1.0140550136566162}},
		{false, "fetch records", []float64{4.7739779353141785}},
		{true, "records fetch", []float64{0.7406776547431946, 0.4356918931007385}},
	} {
		matches, _, err := newIndex(t, test.relaxed, documents...).Search(test.query, 20)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for _, m := range matches {
			got = append(got, m.Score)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("relaxed %v: Search(%q): got scores %v, want %v", test.relaxed, test.query, got, test.want)
		}
	}
}
