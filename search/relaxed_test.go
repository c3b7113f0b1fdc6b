package search_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/codemode-go/codemode/search"
)

func TestRelaxed(t *testing.T) {
	documents := docs{
		{Name: "billing.listInvoices", Summary: "List invoices."},
		{Name: "billing.visualize", Summary: "Visualize revenue."},
		{Name: "calendar.2024", Summary: "Archive."},
		{Name: "lang.typescript", Summary: "Compile."},
		{Name: "test.run", Summary: "Run a test."},
	}
	index := newIndex(t, true, documents...)
	for _, test := range []struct {
		rule, query string
		want        []string
	}{
		{"one token of many is enough", "invoices for the astronaut at sunset", []string{"billing.listInvoices"}},
		{"plural for singular", "invoices", []string{"billing.listInvoices"}},
		{"singular for plural", "invoice", []string{"billing.listInvoices"}},
		{"other forms of a word", "visualizing", []string{"billing.visualize"}},
		{"words that only begin alike", "visual", []string{"billing.visualize"}},
		{"words too different", "visitor", []string{}},
		{"prefix as in the strict mode", "inv", []string{"billing.listInvoices"}},
		{"two characters are no prefix", "ru", []string{}},
		{"numbers are not forms of one another", "2023", []string{}},
		{"numbers match by prefix", "202", []string{"calendar.2024"}},
		{"short words are not forms of one another", "tess", []string{}},
		{"two words for one", "type script", []string{"lang.typescript"}},
		{"split runs as in the strict mode", "TypeScript", []string{"lang.typescript"}},
		{"nothing matches", "astronaut", []string{}},
		{"connectors find nothing", "for the", []string{}},
	} {
		if got := find(t, index, test.query); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: Search(%q): got %q, want %q", test.rule, test.query, got, test.want)
		}
	}
}

// Function words find what only they match, and decide nothing else.
func TestRelaxedStopWords(t *testing.T) {
	index := newIndex(t, true,
		search.Document{Name: "a.help", Summary: "What you can do."},
		search.Document{Name: "z.invoice", Summary: "Send it."},
		search.Document{Name: "m.one", Summary: "Send one."}, search.Document{Name: "m.two", Summary: "Send two."},
	)
	if got := find(t, index, "what can send"); got[len(got)-1] != "a.help" {
		t.Errorf("got %q, want a.help last", got)
	}
	if got := find(t, index, "what can you do"); !reflect.DeepEqual(got, []string{"a.help"}) {
		t.Errorf("got %q, want a.help", got)
	}
}

func TestRelaxedScripts(t *testing.T) {
	index := newIndex(t, true,
		search.Document{Name: "archive.find", Summary: "查询归档记录"},
		search.Document{Name: "archive.drop", Summary: "删除归档"},
		search.Document{Name: "session.list", Summary: "session管理"},
		search.Document{Name: "session.sort", Summary: "理由和管道"},
		search.Document{Name: "kaigi.tsukuru", Summary: "会議室を予約する"},
		search.Document{Name: "kaigi.kesu", Summary: "カレンダーの予定を削除する"},
		search.Document{Name: "file.upload", Summary: "ファイルアップロード"},
	)
	for _, test := range []struct {
		rule, query, first string
	}{
		{"Chinese: a word inside a run", "记录", "archive.find"},
		{"Chinese: words of one run, apart", "归档查询", "archive.find"},
		{"Chinese: one character", "删", "archive.drop"},
		{"Chinese: neighbours before characters that happen to be there", "管理", "session.list"},
		{"Chinese beside Latin letters", "管理session", "session.list"},
		{"Japanese: Han in a sentence", "会議室の予約", "kaigi.tsukuru"},
		{"Japanese: katakana by its beginning", "カレン", "kaigi.kesu"},
		{"Japanese: katakana in another form", "ファイルアップロドー", "file.upload"},
		{"Japanese: particles decide little", "カレンダーをする", "kaigi.kesu"},
	} {
		if got := find(t, index, test.query); len(got) == 0 || got[0] != test.first {
			t.Errorf("%s: Search(%q): got %q, want %s first", test.rule, test.query, got, test.first)
		}
	}
	strict := newIndex(t, false, search.Document{Name: "archive.find", Summary: "查询归档记录"})
	if got := find(t, strict, "归档"); len(got) != 0 {
		t.Errorf("strict: got %q, want nothing: a run is one token", got)
	}
}

// Whatever the strict mode finds is a candidate of the relaxed one.
func TestRelaxedFindsMore(t *testing.T) {
	for _, name := range catalogs {
		c := loadCatalog(t, "testdata", name)
		strict, relaxed := newIndex(t, false, c.documents...), newIndex(t, true, c.documents...)
		for _, form := range []string{"", "kw", "k3"} {
			for _, q := range c.queries[form] {
				more := find(t, relaxed, q.Text)
				for _, name := range find(t, strict, q.Text) {
					if !slices.Contains(more, name) {
						t.Errorf("Search(%q): only the strict mode finds %s", q.Text, name)
					}
				}
			}
		}
	}
}
