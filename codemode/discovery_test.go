package codemode_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

func TestDescribe(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	got, err := w.Describe("records.lookup")
	wantClass(t, err, nil)
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"records.lookup","signature":"records.lookup(*, key: str, limit: int | None)","summary":"Look up one record by key.",` +
		`"description":"Look up one record by key.","input":[{"name":"key","type":"str","required":true},{"name":"limit","type":"int | None","required":false}],` +
		`"output":[{"name":"key","type":"str","required":true},{"name":"count","type":"int","required":true}]}`
	if string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
	for _, name := range []codemode.CapabilityName{"records.Lookup", " records.lookup", "records", "records.entry.lookup", ""} {
		_, err := w.Describe(name)
		wantClass(t, err, codemode.ErrNotFound)
	}
}

func TestDescribeWithoutFieldsHasEmptyArrays(t *testing.T) {
	got, err := newWorld(t, codemode.Options{}).Describe("records.broken")
	if err != nil || got.Input == nil || got.Output == nil || got.Signature != "records.broken()" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestDescriptionIsACopy(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	first, _ := w.Describe("records.lookup")
	first.Input[0].Name = "changed"
	second, _ := w.Describe("records.lookup")
	if second.Input[0].Name != "key" {
		t.Error("a caller changed the catalog")
	}
}

func TestSearchFindsNothing(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	for _, query := range []string{"", "  ", "the of and", "...", "zebra"} {
		response, err := w.Search(query)
		wantClass(t, err, nil)
		if text, _ := json.Marshal(response); string(text) != `{"results":[],"truncated":false}` {
			t.Errorf("%q: got %s", query, text)
		}
	}
}

func TestSearchLimits(t *testing.T) {
	w := newWorld(t, codemode.Options{Limits: codemode.Limits{MaxSearchQueryBytes: 100, MaxSearchResults: 2}})
	_, err := w.Search("records" + strings.Repeat(" ", 93))
	wantClass(t, err, nil)
	_, err = w.Search("records" + strings.Repeat(" ", 94))
	wantClass(t, err, codemode.ErrResourceLimit)
	_, err = w.Search("b c d e f g h i j k l m n o p q")
	wantClass(t, err, nil)
	_, err = w.Search("b c d e f g h i j k l m n o p q r")
	wantClass(t, err, codemode.ErrResourceLimit)
	response, err := w.Search("records")
	if err != nil || len(response.Results) != 2 || !response.Truncated {
		t.Errorf("got %v, %v, want two results of more", response, err)
	}
}

// TestSearchResponseIsBounded fills a response past its bytes: it stays a
// prefix of the ranking, compact JSON within the bound, and says so.
func TestSearchResponseIsBounded(t *testing.T) {
	b := codemode.New(codemode.Options{Authorizer: authz.AllowAll(), Limits: codemode.Limits{MaxSearchResults: 4000}})
	for i := range 200 {
		codemode.Register(b, valid(func(c *sample) {
			c.Name = codemode.CapabilityName(fmt.Sprintf("x.c%03d", i))
			c.Summary = "zebra " + strings.Repeat("y", 500)
		}))
	}
	server, err := b.Build()
	wantClass(t, err, nil)
	defer server.Close()
	response, err := server.Search("zebra")
	wantClass(t, err, nil)
	text, _ := json.Marshal(response)
	if n := len(response.Results); n == 0 || n == 200 || !response.Truncated || len(text) > 32<<10 {
		t.Errorf("got %d results in %d bytes, truncated %t", n, len(text), response.Truncated)
	}
	for i, result := range response.Results {
		if want := fmt.Sprintf("x.c%03d", i); result.Name != want {
			t.Fatalf("result %d is %s, want %s", i, result.Name, want)
		}
	}
}

func TestRelaxedSearchIsOptIn(t *testing.T) {
	const query = "lookup zebra giraffe"
	strict, err := newWorld(t, codemode.Options{}).Search(query)
	if err != nil || len(strict.Results) != 0 {
		t.Errorf("strict: got %v, %v", strict, err)
	}
	relaxed, err := newWorld(t, codemode.Options{RelaxedSearch: true}).Search(query)
	if err != nil || len(relaxed.Results) != 1 || relaxed.Results[0].Name != "records.lookup" {
		t.Errorf("relaxed: got %v, %v", relaxed, err)
	}
}

func TestExplainAndLint(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	if _, err := w.Explain("record", "records.lookup"); err != nil {
		t.Error(err)
	}
	_, err := w.Explain("record", "records.gone")
	wantClass(t, err, codemode.ErrNotFound)
	_ = w.Lint()
}
