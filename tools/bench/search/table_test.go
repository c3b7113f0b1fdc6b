package search_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/search/eval"
)

var (
	printTable = flag.Bool("table", false, "measure all catalogs, forms and modes, and bleve")
	tableFile  = flag.String("table-file", "", "also write the table to this file")
)

type measures [5]float64

func measure(r eval.Report) measures {
	return measures{r.Recall(1), r.Recall(5), r.Recall(20), r.MRR(20), r.NDCG(10)}
}

// TestTable prints the measures, and fails where the relaxed mode is behind
// bleve on any mean over the catalogs.
func TestTable(t *testing.T) {
	if !*printTable {
		t.Skip("indexing all catalogs with bleve takes a minute: pass -table")
	}
	engines := []string{"strict", "relaxed", "bleve standard", "bleve English"}
	means := map[string]measures{}
	var table strings.Builder
	fmt.Fprintln(&table, "| form | catalog | engine | R@1 | R@5 | R@20 | MRR@20 | nDCG@10 |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
	row := func(form, name, engine string, m measures) {
		fmt.Fprintf(&table, "| %s | %s | %s | %.3f | %.3f | %.3f | %.3f | %.3f |\n", form, name, engine, m[0], m[1], m[2], m[3], m[4])
	}
	for _, name := range catalogs {
		c := loadCatalog(t, name)
		searchers := []eval.Searcher{
			newIndex(t, c.documents, false), newIndex(t, c.documents, true),
			newBleve(t, c.documents, standardAnalyzer), newBleve(t, c.documents, englishAnalyzer),
		}
		for _, form := range forms {
			for i, engine := range engines {
				m := measure(eval.Run(searchers[i], c.queries[form]))
				row(label(form), name, engine, m)
				mean := means[form+engine]
				for k := range m {
					mean[k] += m[k] / float64(len(catalogs))
				}
				means[form+engine] = mean
			}
		}
	}
	for _, form := range forms {
		for _, engine := range engines {
			row(label(form), "mean", engine, means[form+engine])
		}
	}
	t.Log("\n" + table.String())
	if *tableFile != "" {
		if err := os.WriteFile(*tableFile, []byte(table.String()), 0o644); err != nil {
			t.Error(err)
		}
	}
	for _, form := range forms {
		for _, engine := range engines[2:] {
			for k, column := range []string{"R@1", "R@5", "R@20", "MRR@20", "nDCG@10"} {
				if ours, theirs := means[form+"relaxed"][k], means[form+engine][k]; ours <= theirs {
					t.Errorf("%s, mean %s: got %.3f, want more than the %.3f of %s", label(form), column, ours, theirs, engine)
				}
			}
		}
	}
}

func label(form string) string {
	if form == "" {
		return "whole"
	}
	return form
}
