package engine

import "unicode/utf8"

// An edit replaces some bytes of a line, from the start of a token on, by a
// text.
type edit struct {
	at           token
	bytes, runes int
	text         string
}

type edits []edit

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
