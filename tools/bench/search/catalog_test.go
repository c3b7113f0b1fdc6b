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

var (
	catalogs = []string{"metatool", "livemcp", "bfcl", "tldr", "sealtools"}
	forms    = []string{"", "kw", "k3", "k2"}
)

// A catalog is one of the labelled catalogs beside the checkout.
type catalog struct {
	documents []search.Document
	queries   map[string][]eval.Query // by form; "" is the whole request
}

func loadCatalog(t testing.TB, name string) catalog {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "..", "shared", "retrieval", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the labelled catalogs are not beside this checkout: %v", err)
	}
	c := catalog{queries: map[string][]eval.Query{}}
	file := open(t, filepath.Join(dir, "catalog.jsonl"))
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var d search.Document
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		c.documents = append(c.documents, d)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for _, form := range forms {
		path := "queries.jsonl"
		if form != "" {
			path = "queries_" + form + ".jsonl"
		}
		queries, err := eval.ReadQueries(open(t, filepath.Join(dir, path)))
		if err != nil {
			t.Fatal(err)
		}
		c.queries[form] = queries
	}
	return c
}

func open(t testing.TB, path string) *os.File {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func newIndex(t testing.TB, documents []search.Document, relaxed bool) *search.Index {
	t.Helper()
	index, err := search.New(documents, search.Options{Relaxed: relaxed})
	if err != nil {
		t.Fatal(err)
	}
	return index
}
