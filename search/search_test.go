package search_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/codemode-go/codemode/search"
)

func names(matches []search.Match) []string {
	list := []string{}
	for _, m := range matches {
		list = append(list, m.Name)
	}
	return list
}

func TestSearch(t *testing.T) {
	docs := []search.Document{
		{Name: "GitHub.Pulls.createReview", Summary: "Create a review."},
		{Name: "auth.token", Summary: "OAuth2 code."},
	}
	ix, err := search.New(docs, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		query string
		want  []string
	}{
		{"github", []string{"GitHub.Pulls.createReview"}}, {"GitHub", []string{"GitHub.Pulls.createReview"}},
		{"git hub", []string{"GitHub.Pulls.createReview"}}, {"hub", []string{"GitHub.Pulls.createReview"}},
		{"OAuth2", []string{"auth.token"}}, {"oauth2", []string{"auth.token"}}, {"oauth", []string{"auth.token"}},
		{"ithub", []string{}}, {"AUTH.token", []string{"auth.token"}},
	} {
		got, total, err := ix.Search(test.query, 20)
		if err != nil || !reflect.DeepEqual(names(got), test.want) || total != len(test.want) {
			t.Errorf("Search(%q): got %v, %d, %v, want %v", test.query, names(got), total, err, test.want)
		}
	}
	query := ""
	for i := range 17 {
		query += fmt.Sprintf("%c%c ", 'z', 'a'+i)
	}
	if _, _, err := ix.Search(query, 20); !errors.Is(err, search.ErrTooManyTokens) {
		t.Errorf("17 tokens: got %v, want ErrTooManyTokens", err)
	}
	e, err := ix.Explain("GitHub create", "GitHub.Pulls.createReview")
	if err != nil {
		t.Fatal(err)
	}
	if e.Rank != 1 {
		t.Errorf("got rank %d, want 1:\n%s", e.Rank, e)
	}
}
