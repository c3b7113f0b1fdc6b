package search

import (
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/segment"
)

// A cutter cuts tokens of scripts that are written without spaces.
type cutter struct {
	words [][]byte
	types []int
}

// cut calls f for each piece of the token. Han and hiragana come rune by rune,
// katakana and other scripts in runs. A token without any of the three is
// one piece.
func (c *cutter) cut(token []byte, f func(piece []byte)) {
	if !unspaced(token) {
		f(token)
		return
	}
	var err error
	c.words, c.types, _, err = segment.SegmentWordsDirect(token, c.words[:0], c.types[:0])
	if err != nil {
		f(token)
		return
	}
	for _, word := range c.words {
		f(word)
	}
}

// unspaced reports whether the text has a rune of a script that segment cuts.
func unspaced(text []byte) bool {
	const firstHan = 0x2E80 // no Han, hiragana or katakana is below
	for i := 0; i < len(text); {
		if text[i] < 0xE2 { // what leads the UTF-8 form of firstHan
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r >= firstHan && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) {
			return true
		}
		i += size
	}
	return false
}
