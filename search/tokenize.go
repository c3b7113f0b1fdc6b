package search

import (
	"unicode"
	"unicode/utf8"
)

// Tokenize cuts text into its tokens, in order and with repetitions:
//
//   - every rune that is neither a Unicode letter nor a digit separates; a
//     combining mark is neither, so it separates too;
//   - a lower-case letter before an upper-case letter ends a token
//     (createReview: create, review);
//   - in a row of upper-case letters before a lower-case letter, the last one
//     starts the next token (HTTPServer: http, server);
//   - a letter beside a digit, either way round, ends a token (oauth2: oauth, 2);
//   - letters without case and digits of any script take part like others, and
//     each rune is lowered by itself: nothing is folded, normalised or stemmed.
//
// Connector words are kept: only a query drops them. The index also holds the
// joined form of a run that these rules split; see the package documentation.
func Tokenize(text string) []string {
	var tokens []string
	var run lexer
	for run.next(&text) {
		joined, start := string(run.text), 0
		for _, end := range run.ends {
			tokens = append(tokens, joined[start:end])
			start = end
		}
	}
	return tokens
}

// A lexer reads text run by run. A run is a maximal row of letters and digits.
// Its buffers are reused from run to run.
type lexer struct {
	text []byte // the run, lowered
	ends []int  // where each part of the run ends in text
}

type class uint8

const (
	separator class = iota
	lower
	upper
	caseless
	digit
)

// next reads the next run of *text and moves *text behind it.
func (l *lexer) next(text *string) bool {
	l.text, l.ends = l.text[:0], l.ends[:0]
	s := *text
	i := 0
	before, last := separator, separator // classes of the two runes before, inside the current part
	lastStart := 0                       // where the lowered rune before starts in l.text
	for i < len(s) {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		c := classOf(r)
		i += size
		if c == separator {
			if len(l.text) > 0 {
				break
			}
			continue
		}
		switch {
		case last == separator:
		case (c == digit) != (last == digit), last == lower && c == upper:
			l.ends = append(l.ends, len(l.text))
			last = separator
		case before == upper && last == upper && c == lower:
			l.ends = append(l.ends, lastStart)
		}
		before, last, lastStart = last, c, len(l.text)
		if r < utf8.RuneSelf {
			if c == upper {
				r += 'a' - 'A'
			}
			l.text = append(l.text, byte(r))
		} else {
			l.text = utf8.AppendRune(l.text, unicode.ToLower(r))
		}
	}
	*text = s[i:]
	if len(l.text) == 0 {
		return false
	}
	l.ends = append(l.ends, len(l.text))
	return true
}

func classOf(r rune) class {
	switch {
	case 'a' <= r && r <= 'z':
		return lower
	case 'A' <= r && r <= 'Z':
		return upper
	case unicode.IsDigit(r):
		return digit
	case !unicode.IsLetter(r):
		return separator
	case unicode.IsLower(r):
		return lower
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return upper
	}
	return caseless
}

// isConnector reports whether a query drops the token.
func isConnector(token []byte) bool {
	switch string(token) {
	case "a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with":
		return true
	}
	return false
}
