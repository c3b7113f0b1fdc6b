package search_test

import (
	"flag"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/search"
	"github.com/codemode-go/codemode/search/eval"
)

var checkRatios = flag.Bool("ratios", false, "check the ratios of speed and memory; needs a quiet machine")

const rounds = 7 // of which the median counts

// worstQuery has 16 three-letter prefixes that many words begin with.
const worstQuery = "con pro dis int com per str res tra sta app cal des ana rec inf"

// TestRatios measures at 4,076 entries.
func TestRatios(t *testing.T) {
	if !*checkRatios {
		t.Skip("ratios need a quiet machine: pass -ratios")
	}
	c := loadCatalog(t, "sealtools")
	strict, relaxed := newIndex(t, c.documents, false), newIndex(t, c.documents, true)
	bleve := newBleve(t, c.documents, standardAnalyzer)
	for _, form := range forms {
		queries := c.queries[form][:200]
		var gainStrict, gainRelaxed []float64
		var ours time.Duration
		for range rounds {
			s, r, b := p50(t, strict, queries), p50(t, relaxed, queries), p50(t, bleve, queries)
			gainStrict = append(gainStrict, float64(b)/float64(s))
			gainRelaxed = append(gainRelaxed, float64(b)/float64(r))
			ours = r
		}
		t.Logf("%-5s p50 of bleve is %.0f times that of the strict mode, %.0f times that of the relaxed mode (%v)",
			label(form), median(gainStrict), median(gainRelaxed), ours)
		for _, gain := range [][]float64{gainStrict, gainRelaxed} {
			if got := median(gain); got < 10 {
				t.Errorf("%s: got %.1f times the speed of bleve at p50, want at least 10", label(form), got)
			}
		}
	}
	for _, isRelaxed := range []bool{false, true} {
		checkBuild(t, c, isRelaxed)
	}
	for mode, index := range map[string]*search.Index{"strict": strict, "relaxed": relaxed} {
		got := p50(t, index, slices.Repeat([]eval.Query{{Text: worstQuery}}, 100))
		t.Logf("%s: the worst query takes %v", mode, got)
		if got > 3*time.Millisecond {
			t.Errorf("%s: the worst query takes %v, want at most 3ms", mode, got)
		}
	}
}

func checkBuild(t *testing.T, c catalog, relaxed bool) {
	var ratios []float64
	for range 3 * rounds {
		start := time.Now()
		tokenize(c.documents)
		tokenized := time.Now()
		newIndex(t, c.documents, relaxed)
		ratios = append(ratios, float64(time.Since(tokenized))/float64(tokenized.Sub(start)))
	}
	before := heap()
	index := newIndex(t, c.documents, relaxed)
	share := (heap() - before) / metadata(c.documents)
	runtime.KeepAlive(index)
	t.Logf("relaxed %v: building takes %.2f times tokenising; the heap is %.2f of the metadata", relaxed, median(ratios), share)
	if got := median(ratios); got > 2 {
		t.Errorf("relaxed %v: got %.2f times the time of tokenising, want at most 2", relaxed, got)
	}
	if share > 1 {
		t.Errorf("relaxed %v: got a heap of %.2f of the metadata, want at most 1", relaxed, share)
	}
}

func p50(t *testing.T, index eval.Searcher, queries []eval.Query) time.Duration {
	t.Helper()
	var times []time.Duration
	for _, q := range queries {
		start := time.Now()
		if _, _, err := index.Search(q.Text, 20); err != nil {
			t.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	return median(times)
}

func median[T float64 | time.Duration](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}

func tokenize(documents []search.Document) {
	for _, d := range documents {
		search.Tokenize(d.Name)
		for _, phrase := range d.Terms {
			search.Tokenize(phrase)
		}
		search.Tokenize(d.Summary)
		search.Tokenize(d.Description)
	}
}

func metadata(documents []search.Document) float64 {
	bytes := 0
	for _, d := range documents {
		bytes += len(d.Name) + len(d.Summary) + len(d.Description)
		for _, phrase := range d.Terms {
			bytes += len(phrase)
		}
	}
	return float64(bytes)
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}
