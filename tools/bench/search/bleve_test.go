package search_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/standard"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/mapping"

	"github.com/codemode-go/codemode/search"
)

// The analyzers, by the names that bleve knows them by.
const (
	standardAnalyzer = standard.Name
	englishAnalyzer  = en.AnalyzerName
)

// A bleveIndex makes bleve an eval.Searcher.
type bleveIndex struct {
	index     bleve.Index
	documents []search.Document
}

func newBleve(t testing.TB, documents []search.Document, analyzer string) bleveIndex {
	t.Helper()
	index, err := bleve.NewMemOnly(bleveMapping(analyzer))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { index.Close() })
	batch := index.NewBatch()
	for i, d := range documents {
		text := strings.Join([]string{
			strings.Join(search.Tokenize(d.Name), " "), strings.Join(d.Terms, " "), d.Summary, d.Description,
		}, "\n")
		if err := batch.Index(strconv.Itoa(i), map[string]any{"text": text}); err != nil {
			t.Fatal(err)
		}
	}
	if err := index.Batch(batch); err != nil {
		t.Fatal(err)
	}
	return bleveIndex{index, documents}
}

func bleveMapping(analyzer string) mapping.IndexMapping {
	text := bleve.NewTextFieldMapping()
	text.Store, text.IncludeTermVectors, text.IncludeInAll, text.DocValues = false, false, false, false
	text.Analyzer = analyzer
	document := bleve.NewDocumentStaticMapping()
	document.AddFieldMappingsAt("text", text)
	m := bleve.NewIndexMapping()
	m.DefaultMapping = document
	m.ScoringModel = "bm25"
	return m
}

func (b bleveIndex) Search(query string, limit int) ([]search.Match, int, error) {
	match := bleve.NewMatchQuery(query)
	match.SetField("text")
	result, err := b.index.Search(bleve.NewSearchRequestOptions(match, limit, 0, false))
	if err != nil {
		return nil, 0, err
	}
	matches := make([]search.Match, len(result.Hits))
	for i, hit := range result.Hits {
		position, err := strconv.Atoi(hit.ID)
		if err != nil {
			return nil, 0, err
		}
		matches[i] = search.Match{Document: position, Name: b.documents[position].Name, Score: hit.Score}
	}
	return matches, int(result.Total), nil
}
