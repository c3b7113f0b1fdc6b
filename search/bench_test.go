package search_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"github.com/codemode-go/codemode/search"
)

// benchmarkCatalog is the largest catalog at hand: 4,076 entries beside a
// checkout with the whole catalogs, 80 otherwise.
func benchmarkCatalog(b *testing.B) catalog {
	if _, err := os.Stat(shared); err == nil {
		return loadCatalog(b, shared, "sealtools")
	}
	return loadCatalog(b, "testdata", "sealtools")
}

func mode(relaxed bool) string {
	if relaxed {
		return "relaxed"
	}
	return "strict"
}

func BenchmarkTokenize(b *testing.B) {
	c := benchmarkCatalog(b)
	b.ReportAllocs()
	b.SetBytes(int64(metadata(c.documents)))
	for b.Loop() {
		for _, d := range c.documents {
			search.Tokenize(d.Name)
			for _, phrase := range d.Terms {
				search.Tokenize(phrase)
			}
			search.Tokenize(d.Summary)
			search.Tokenize(d.Description)
		}
	}
}

// BenchmarkNew also reports the heap of an index per byte of the catalog.
func BenchmarkNew(b *testing.B) {
	c := benchmarkCatalog(b)
	for _, relaxed := range []bool{false, true} {
		b.Run(mode(relaxed), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(metadata(c.documents)))
			for b.Loop() {
				newIndex(b, relaxed, c.documents...)
			}
			b.ReportMetric(heapShare(b, c, relaxed), "heap/metadata")
		})
	}
}

func heapShare(b *testing.B, c catalog, relaxed bool) float64 {
	before := heap()
	index := newIndex(b, relaxed, c.documents...)
	after := heap()
	runtime.KeepAlive(index)
	return (after - before) / float64(metadata(c.documents))
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

func metadata(documents docs) int {
	bytes := 0
	for _, d := range documents {
		bytes += len(d.Name) + len(d.Summary) + len(d.Description)
		for _, phrase := range d.Terms {
			bytes += len(phrase)
		}
	}
	return bytes
}

func BenchmarkSearch(b *testing.B) {
	c := benchmarkCatalog(b)
	for _, relaxed := range []bool{false, true} {
		index := newIndex(b, relaxed, c.documents...)
		for _, form := range []string{"", "kw", "k3"} {
			b.Run(fmt.Sprintf("%s/form=%s", mode(relaxed), form), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if _, _, err := index.Search(c.queries[form][i%len(c.queries[form])].Text, 20); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		b.Run(mode(relaxed)+"/worst", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := index.Search(worstQuery, 20); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// worstQuery has 16 three-letter prefixes that many words begin with.
const worstQuery = "con pro dis int com per str res tra sta app cal des ana rec inf"
