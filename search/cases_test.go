package search_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/codemode-go/codemode/search"
)

// A searchCase is one of the real cases, drawn from public reports.
type searchCase struct {
	ID    string
	Kind  string
	Setup json.RawMessage
	Input json.RawMessage

	Expected struct {
		OK        bool
		Names     []string
		AnyOf     [][]string `json:"names_any_of"`
		Count     *int
		Truncated *bool
		Text      string
	}
}

type searchSetup struct {
	Capabilities []search.Document
	Disabled     []string
}

// ambiguous cases are those that leave a choice: the rule for runs that are
// split finds hub in GitHub.
var ambiguous = map[string][]string{"se-github-hub": {"GitHub.Pulls.createReview"}}

func TestCases(t *testing.T) {
	needShared(t)
	ran := 0
	for _, c := range readLines[searchCase](t, filepath.Join(shared, "cases", "cases.jsonl")) {
		if c.Kind != "search" {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) { runCase(t, c) })
	}
	if ran == 0 {
		t.Error("got no search case")
	}
}

func runCase(t *testing.T, c searchCase) {
	var setup searchSetup
	var input struct{ Arguments struct{ Query string } }
	if err := errors.Join(json.Unmarshal(c.Setup, &setup), json.Unmarshal(c.Input, &input)); err != nil {
		t.Fatal(err)
	}
	documents := slices.DeleteFunc(setup.Capabilities, func(d search.Document) bool { return slices.Contains(setup.Disabled, d.Name) })
	matches, total, err := newIndex(t, false, documents...).Search(input.Arguments.Query, 20)
	if c.Expected.Text == "resource limit exceeded" {
		if !errors.Is(err, search.ErrTooManyTokens) {
			t.Errorf("got error %v, want ErrTooManyTokens", err)
		}
		return
	}
	names := []string{}
	for _, m := range matches {
		names = append(names, m.Name)
	}
	want := c.Expected.AnyOf
	if c.Expected.Names != nil {
		want = append(want, c.Expected.Names)
	}
	if settled, is := ambiguous[c.ID]; is {
		want = [][]string{settled}
	}
	switch {
	case err != nil:
		t.Errorf("got error %v", err)
	case want != nil && !slices.ContainsFunc(want, func(w []string) bool { return reflect.DeepEqual(names, w) }):
		t.Errorf("got %q, want one of %q", names, want)
	case c.Expected.Count != nil && len(names) != *c.Expected.Count:
		t.Errorf("got %d matches, want %d", len(names), *c.Expected.Count)
	case c.Expected.Truncated != nil && (total > len(names)) != *c.Expected.Truncated:
		t.Errorf("got %d matches of %d, want truncated %v", len(names), total, *c.Expected.Truncated)
	}
}
