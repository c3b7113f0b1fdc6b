package engine

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// An edit replaces some bytes of a line, from the start of a token on, by a
// text.
type edit struct {
	at           token
	bytes, runes int
	text         string
}

type edits []edit

// apply returns source with the edits made, and those in their order. What is
// within another edit is left out.
func (all edits) apply(source []byte) (edited []byte, applied edits) {
	slices.SortStableFunc(all, func(a, b edit) int { return cmp.Or(a.at.offset-b.at.offset, a.bytes-b.bytes) })
	offset := 0
	for _, e := range all {
		if e.at.offset < offset {
			continue
		}
		applied = append(applied, e)
		edited = append(append(edited, source[offset:e.at.offset]...), e.text...)
		offset = e.at.offset + e.bytes
	}
	return append(edited, source[offset:]...), applied
}

// original returns the place in the source for one in what was made of it, and
// false for one within an edit.
func (all edits) original(p Problem) (Problem, bool) {
	if p.Message == noMain {
		return p, true // it has no place
	}
	shift := 0
	for _, e := range all {
		if e.at.line != p.Line {
			continue
		}
		start, n := e.at.column+shift, utf8.RuneCountInString(e.text)
		if p.Column < start {
			break
		}
		if p.Column < start+n {
			return p, false
		}
		shift += n - e.runes
	}
	p.Column -= shift
	return p, true
}
