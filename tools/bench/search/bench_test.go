package search_test

import (
	"testing"

	"github.com/codemode-go/codemode/search/eval"
)

// BenchmarkSearch compares mean times; TestRatios compares medians.
func BenchmarkSearch(b *testing.B) {
	c := loadCatalog(b, "sealtools")
	engines := []struct {
		name  string
		index eval.Searcher
	}{
		{"strict", newIndex(b, c.documents, false)},
		{"relaxed", newIndex(b, c.documents, true)},
		{"bleve", newBleve(b, c.documents, standardAnalyzer)},
	}
	for _, form := range forms {
		for _, engine := range engines {
			b.Run("form="+label(form)+"/engine="+engine.name, func(b *testing.B) {
				queries := c.queries[form]
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, _, err := engine.index.Search(queries[i%len(queries)].Text, 20); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	c := loadCatalog(b, "sealtools")
	b.Run("tokenize", func(b *testing.B) {
		for b.Loop() {
			tokenize(c.documents)
		}
	})
	for name, relaxed := range map[string]bool{"strict": false, "relaxed": true} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				newIndex(b, c.documents, relaxed)
			}
		})
	}
	b.Run("bleve", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			newBleve(b, c.documents, standardAnalyzer)
		}
	})
}
