// Searchonly ranks a catalog of commands with the search module and nothing
// else of CodeMode.
//
//	searchonly "undo the last commit"
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/codemode-go/codemode/search"
)

//go:embed catalog.jsonl
var catalog []byte

// newIndex reads one JSON object a line.
func newIndex(relaxed bool) (*search.Index, map[string]string, error) {
	var documents []search.Document
	summaries := make(map[string]string)
	for decoder := json.NewDecoder(bytes.NewReader(catalog)); ; {
		var entry struct {
			Name, Summary string
			Terms         []string
		}
		err := decoder.Decode(&entry)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		documents = append(documents, search.Document{Name: entry.Name, Terms: entry.Terms, Summary: entry.Summary})
		summaries[entry.Name] = entry.Summary
	}
	index, err := search.New(documents, search.Options{Relaxed: relaxed})
	return index, summaries, err
}

func main() {
	relaxed := flag.Bool("relaxed", true, "rank whatever matches one word")
	limit := flag.Int("limit", 5, "most results")
	flag.Parse()
	if err := run(os.Stdout, strings.Join(flag.Args(), " "), *relaxed, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "searchonly:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, query string, relaxed bool, limit int) error {
	index, summaries, err := newIndex(relaxed)
	if err != nil {
		return err
	}
	matches, total, err := index.Search(query, limit)
	if err != nil {
		return err
	}
	for _, m := range matches {
		fmt.Fprintf(out, "%-16s %s\n", m.Name, summaries[m.Name])
	}
	if rest := total - len(matches); rest > 0 {
		fmt.Fprintf(out, "and %d more\n", rest)
	}
	return nil
}
