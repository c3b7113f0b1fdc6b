package search

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Document is one entry of a catalog.
type Document struct {
	// Name is the dotted name, unique in the catalog, such as
	// "records.lookup". It is what a query can equal exactly.
	Name string
	// Terms are alternative phrases for the same entry.
	Terms []string
	// Summary is the one-line text and Description the long one. A
	// description may repeat the summary.
	Summary, Description string
}

// Options choose how an index answers. The zero value is the strict mode.
type Options struct {
	// Relaxed makes every document that matches at least one token of the
	// query a candidate, ranked by a score of its own, and cuts runs of Han,
	// hiragana and katakana into words. See the package documentation.
	Relaxed bool
}

// A posting has bits for this many documents.
const (
	documentBits = 32 - postingShift
	maxDocuments = 1 << documentBits
)

// An Index answers queries over a fixed catalog. It is immutable and safe for
// concurrent use. Make one with [New].
type Index struct {
	documents []entry // ascending by name
	byFold    []int32 // positions in documents, ascending by folded name
	terms     vocabulary
	rank      ranker
	relaxed   bool
	scratch   sync.Pool
}

type entry struct {
	name     string
	position int32 // in the slice given to New
}

// New indexes the documents. It keeps their names and none of their other
// texts. Names must be non-empty and unique; an empty catalog is fine.
func New(documents []Document, options Options) (*Index, error) {
	if len(documents) > maxDocuments {
		return nil, fmt.Errorf("catalog: got %d documents, want at most %d", len(documents), maxDocuments)
	}
	entries := make([]entry, len(documents))
	for i := range documents {
		if documents[i].Name == "" {
			return nil, fmt.Errorf("document %d: got an empty name, want a name", i)
		}
		entries[i] = entry{name: documents[i].Name, position: int32(i)}
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	for i := 1; i < len(entries); i++ {
		if a, b := entries[i-1], entries[i]; a.name == b.name {
			return nil, fmt.Errorf("document %d: name %q is that of document %d, want unique names",
				max(a.position, b.position), a.name, min(a.position, b.position))
		}
	}
	b := newBuilder(len(documents), options.Relaxed)
	for i, e := range entries {
		b.add(i, &documents[e.position])
	}
	ix := &Index{documents: entries, terms: b.vocabulary(), relaxed: options.Relaxed}
	ix.rank = newRanker(b.lengths, options.Relaxed)
	ix.byFold = make([]int32, len(entries))
	for i := range ix.byFold {
		ix.byFold[i] = int32(i)
	}
	slices.SortFunc(ix.byFold, func(a, b int32) int {
		if order := compareFold(entries[a].name, entries[b].name); order != 0 {
			return order
		}
		return int(a - b)
	})
	ix.scratch.New = func() any { return &scratch{documents: make([]state, len(entries))} }
	return ix, nil
}

// Len returns the number of documents.
func (ix *Index) Len() int { return len(ix.documents) }

// named returns the documents whose name equals name but for case.
func (ix *Index) named(name string) []int32 {
	compare := func(i int32, name string) int { return compareFold(ix.documents[i].name, name) }
	start, _ := slices.BinarySearchFunc(ix.byFold, name, compare)
	end := start
	for end < len(ix.byFold) && compare(ix.byFold[end], name) == 0 {
		end++
	}
	return ix.byFold[start:end]
}
