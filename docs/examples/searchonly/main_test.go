package main

import (
	"os"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/search/eval"
)

func TestSearch(t *testing.T) {
	for query, first := range map[string]string{
		"undo the last commit": "commit.reset",
		"branch.merge":         "branch.merge",
		"who changed a line":   "file.blame",
	} {
		var out strings.Builder
		if err := run(&out, query, true, 5); err != nil || !strings.HasPrefix(out.String(), first+" ") {
			t.Errorf("%q: got %v\n%s\nwant %s first", query, err, out.String(), first)
		}
	}
}

// TestQuality holds the catalog to the queries that it is for. Whoever changes
// a summary sees here what that does.
func TestQuality(t *testing.T) {
	file, err := os.Open("queries.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	queries, err := eval.ReadQueries(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []struct {
		name    string
		relaxed bool
		least   float64
	}{{"strict", false, 0.5}, {"relaxed", true, 0.8}} {
		index, _, err := newIndex(mode.relaxed)
		if err != nil {
			t.Fatal(err)
		}
		report := eval.Run(index, queries)
		t.Logf("%s: %v", mode.name, report)
		if got := report.MRR(20); got < mode.least {
			t.Errorf("%s: got MRR@20 %.3f, want at least %.3f", mode.name, got, mode.least)
		}
		for _, missed := range report.Missed(5) {
			t.Logf("%s: %q does not find %v", mode.name, missed.Query.Text, missed.Query.Relevant)
		}
	}
}
