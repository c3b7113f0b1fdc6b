package search_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/codemode-go/codemode/search"
	"github.com/codemode-go/codemode/search/eval"
)

var catalogs = []string{"metatool", "livemcp", "bfcl", "tldr", "sealtools"}

// shared holds the whole catalogs and the cases, beside a checkout of the
// repository.
var shared = filepath.Join("..", "..", "shared")

func needShared(t testing.TB) {
	t.Helper()
	if _, err := os.Stat(shared); err != nil {
		t.Skipf("the whole catalogs are not beside this checkout: %v", err)
	}
}

// A catalog is one of the labelled catalogs.
type catalog struct {
	documents []search.Document
	queries   map[string][]eval.Query // by form: "" for whole requests, "kw", "k3", "k2"
}

func loadCatalog(t testing.TB, dir, name string) catalog {
	t.Helper()
	dir = filepath.Join(dir, "retrieval", name)
	c := catalog{readLines[search.Document](t, filepath.Join(dir, "catalog.jsonl")), map[string][]eval.Query{}}
	for form, file := range map[string]string{"": "queries", "kw": "queries_kw", "k3": "queries_k3", "k2": "queries_k2"} {
		path := filepath.Join(dir, file+".jsonl")
		if _, err := os.Stat(path); err == nil {
			c.queries[form] = readLines[eval.Query](t, path)
		}
	}
	return c
}

func readLines[T any](t testing.TB, path string) []T {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list []T
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var value T
		if err := json.Unmarshal(lines.Bytes(), &value); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		list = append(list, value)
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return list
}

func newIndex(t testing.TB, relaxed bool, documents ...search.Document) *search.Index {
	t.Helper()
	index, err := search.New(documents, search.Options{Relaxed: relaxed})
	if err != nil {
		t.Fatal(err)
	}
	return index
}

// find returns the names that the query finds, best first.
func find(t testing.TB, index *search.Index, query string) []string {
	t.Helper()
	matches, total, err := index.Search(query, index.Len())
	if err != nil {
		t.Fatalf("Search(%q): %v", query, err)
	}
	if total != len(matches) {
		t.Errorf("Search(%q): got %d matches of %d eligible documents", query, len(matches), total)
	}
	names := []string{}
	for _, m := range matches {
		names = append(names, m.Name)
	}
	return names
}
