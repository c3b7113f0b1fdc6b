// Package search measures the module search against bleve, in the same
// program, on the same catalogs and queries.
//
//	go test github.com/codemode-go/codemode/tools/bench/search -v -run Table -table
//	go test github.com/codemode-go/codemode/tools/bench/search -v -run Ratios -ratios
//
// The first prints recall, MRR and nDCG for each catalog, form of query and
// mode. The second checks the ratios that the project has set itself, all terms
// interleaved in one run, by the median of several rounds. Both need the
// labelled catalogs beside the checkout.
//
// bleve runs in memory with its BM25 model, its standard or its English analyzer
// (stop words, stemming), and one text
// for each document: names split beforehand by [search.Tokenize], terms, summary,
// description.
package search
