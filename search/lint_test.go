package search_test

import (
	"reflect"
	"testing"

	"github.com/codemode-go/codemode/search"
)

func TestLint(t *testing.T) {
	good := docs{
		{Name: "billing.invoice", Summary: "Send an invoice to a customer."},
		{Name: "storage.upload", Summary: "Upload a file to the bucket."},
		{Name: "calendar.meeting", Summary: "Schedule a meeting with colleagues."},
		{Name: "weather.forecast", Summary: "Forecast rain and temperature.", Terms: []string{"weather forecast"}},
	}
	for _, test := range []struct {
		rule      string
		documents docs
		want      []string
	}{
		{"nothing to say", nil, nil},
		{"own-summary", docs{
			{Name: "payments.undo", Summary: "Refund money undo."},
			{Name: "money.refund", Summary: "Return funds, refund, undo."},
		}, []string{"payments.undo: its own summary finds money.refund first (own-summary)"}},
		{"vague-summary: no words", docs{{Name: "misc.run", Summary: "–"}}, []string{
			"misc.run: its summary has no words (vague-summary)",
			`misc.run: neither summary nor description has a word of "run" (unexplained-name)`}},
		{"unexplained-name", docs{{Name: "admin.xqz", Summary: "Purge stale sessions."}}, []string{
			`admin.xqz: neither summary nor description has a word of "xqz" (unexplained-name)`}},
		{"unexplained-name: other forms of a word explain it", docs{{Name: "admin.purges", Summary: "Purging stale sessions."}}, nil},
		{"near-duplicate", docs{
			{Name: "v1.purge", Summary: "Purge stale sessions of tenants quickly."},
			{Name: "v2.purge", Summary: "Purge stale sessions of tenants."},
		}, []string{
			"v1.purge: 4 of 5 words are also those of v2.purge (near-duplicate)",
			"v2.purge: 4 of 4 words are also those of v1.purge (near-duplicate)"}},
		{"names in order", docs{{Name: "b.xqz", Summary: "One."}, {Name: "a.xqz", Summary: "Two."}}, []string{
			`a.xqz: neither summary nor description has a word of "xqz" (unexplained-name)`,
			`b.xqz: neither summary nor description has a word of "xqz" (unexplained-name)`}},
	} {
		var got []string
		for _, finding := range search.Lint(append(test.documents, good...)) {
			got = append(got, finding.String())
		}
		if len(got) == 0 && len(test.want) == 0 {
			continue
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

func TestLintVagueSummary(t *testing.T) {
	documents := docs{{Name: "x.tool", Summary: "Use this tool."}}
	for _, name := range []string{"alpha", "beta", "gamma", "delta"} {
		documents = append(documents, search.Document{Name: "x." + name, Summary: "Use this tool for " + name + "."})
	}
	for _, finding := range search.Lint(documents) {
		if finding.Rule == search.RuleVagueSummary {
			if want := `x.tool: its summary has no telling word: even "use" is in 5 documents (vague-summary)`; finding.String() != want {
				t.Errorf("got %s, want %s", finding, want)
			}
			return
		}
	}
	t.Error("got no vague-summary, want one for x.tool")
}

func TestLintRefusedCatalog(t *testing.T) {
	got := search.Lint(docs{{Name: "a.b"}, {Name: "a.b"}})
	want := []search.Finding{{Rule: search.RuleCatalog, Message: `document 1: name "a.b" is that of document 0, want unique names`}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
