package codemode

import (
	"encoding/json"
	"errors"
	"math"

	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/search"
)

// maxResponseBytes bounds the compact JSON of a SearchResponse.
const maxResponseBytes = 32 << 10

// An entry is one enabled capability.
type entry struct {
	*registration
	result      SearchResult
	resultBytes int
	input       []FieldShape
	output      []FieldShape
}

// A catalog holds the enabled capabilities. It is immutable; a capability that
// was disabled has left no trace in it.
type catalog struct {
	entries   []*entry
	byName    map[CapabilityName]*entry
	byID      map[CapabilityID]*entry
	longestID int
	info      Info
}

func newCatalog(registrations []*registration, options Options) *catalog {
	c := &catalog{byName: make(map[CapabilityName]*entry), byID: make(map[CapabilityID]*entry)}
	disabled := make(map[CapabilityID]bool)
	for _, id := range options.DisabledCapabilities {
		disabled[id] = true
	}
	for _, r := range registrations {
		if disabled[r.id] || options.ReadOnly && !r.effect.ReadOnly() {
			continue
		}
		e := newEntry(r)
		c.entries = append(c.entries, e)
		c.byName[r.name], c.byID[r.id] = e, e
		c.longestID = max(c.longestID, len(r.id))
	}
	c.info = summarize(c.entries)
	return c
}

func newEntry(r *registration) *entry {
	e := &entry{
		registration: r,
		result: SearchResult{
			Name:      string(r.name),
			Signature: r.plan.Input().Signature(string(r.name)),
			Summary:   r.summary,
		},
		input:  fieldShapes(r.plan.InputShapes()),
		output: fieldShapes(r.plan.OutputShapes()),
	}
	e.resultBytes = compactBytes(e.result)
	return e
}

func fieldShapes(shapes []binding.Shape) []FieldShape {
	fields := make([]FieldShape, len(shapes))
	for i, shape := range shapes {
		fields[i] = FieldShape(shape)
	}
	return fields
}

// compactBytes returns the size of the compact JSON of v, which has no value
// that JSON cannot hold.
func compactBytes(v any) int {
	text, err := json.Marshal(v)
	if err != nil {
		return math.MaxInt
	}
	return len(text)
}

// emptyResponseBytes is the size of a response around its results.
var emptyResponseBytes = compactBytes(SearchResponse{Results: []SearchResult{}, Truncated: false})

func (c *catalog) documents() []search.Document {
	documents := make([]search.Document, len(c.entries))
	for i, e := range c.entries {
		documents[i] = search.Document{Name: string(e.name), Terms: e.terms, Summary: e.summary, Description: e.description}
	}
	return documents
}

// checkResults refuses every capability that no search could return.
func (c *catalog) checkResults() error {
	var errs []error
	for _, e := range c.entries {
		if emptyResponseBytes+e.resultBytes > maxResponseBytes {
			errs = append(errs, invalid("capability %q: name, signature and summary do not fit a search response: shorten the name, the summary or the names of the input fields", string(e.name)))
		}
	}
	return errors.Join(errs...)
}

// maxFrameBytes bounds a whole frame. Package sandbox accepts no more for any
// part of one, so the sum is representable wherever int has 32 bits.
const maxFrameBytes = 1 << 28

// checkFrames refuses limits under which a legal frame could not be written.
func (c *catalog) checkFrames(limits Limits) error {
	const envelope = 64
	for _, payload := range []int{limits.MaxSourceBytes, limits.MaxValueBytes} {
		if payload > maxFrameBytes-envelope-c.longestID {
			return invalid("limits MaxSourceBytes and MaxValueBytes: a frame holds at most %d bytes with the longest capability ID, which has %d", maxFrameBytes, c.longestID)
		}
	}
	return nil
}
