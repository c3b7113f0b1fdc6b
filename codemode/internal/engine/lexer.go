package engine

import (
	"strings"
	"unicode/utf8"
)

// The interpreter's parser stops at the first fault and says what it met, not
// what was meant. To recognize a habit of another language, hints look at the
// words around that place. This scanner cuts any text into such words; it is
// never asked whether the text is a program.

type tokenKind byte

const (
	wordToken tokenKind = iota // identifiers and keywords
	numberToken
	stringToken
	markToken // operators, brackets, anything else
	newlineToken
)

// A token is one word of a source.
type token struct {
	kind         tokenKind
	text         string
	offset       int // of its first byte
	line, column int // of its first rune
	endLine      int
	endColumn    int // just behind its last rune
	// first marks the first token of its line, and head is where among the
	// tokens it stands.
	first bool
	head  int
}

func (t token) is(texts ...string) bool {
	if t.kind == stringToken || t.kind == newlineToken {
		return false
	}
	for _, text := range texts {
		if t.text == text {
			return true
		}
	}
	return false
}

// marks are the operators of more than one character that hints tell apart.
var marks = []string{
	"...", "===", "!==", "/*", "<>", "**", "//", ":=", "->", "=>", "==", "!=", "<=", ">=",
	"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "++", "--", "&&", "||", "${",
}

// maxHintSource bounds the sources that are cut into words: those of a large
// one would take more memory than the program itself.
const maxHintSource = 1 << 18

// tokens cuts source, comments left out.
func tokens(source []byte) []token {
	if len(source) > maxHintSource {
		return nil
	}
	s := &wordScanner{rest: string(source), token: token{line: 1, column: 1, first: true}}
	for s.rest != "" {
		s.next()
	}
	return s.tokens
}

type wordScanner struct {
	rest   string
	tokens []token
	token  token // the place of the next token
}

func (s *wordScanner) next() {
	c := s.rest[0]
	switch {
	case c == ' ' || c == '\t':
		s.skip(1)
	case c == '\\':
		s.skip(1 + lineBreak(s.rest[1:]))
	case lineBreak(s.rest) > 0:
		s.emit(newlineToken, lineBreak(s.rest))
	case c == '#':
		n := strings.IndexAny(s.rest, "\r\n")
		if n < 0 {
			n = len(s.rest)
		}
		s.skip(n)
	case c == '"' || c == '\'':
		s.emit(stringToken, stringLength(s.rest))
	case isDigit(rune(c)):
		s.emit(numberToken, span(s.rest, func(r rune) bool { return isDigit(r) || r == '.' || isNameStart(r) }))
	default:
		s.wordOrMark()
	}
}

func (s *wordScanner) wordOrMark() {
	if n := span(s.rest, func(r rune) bool { return isDigit(r) || isNameStart(r) }); n > 0 {
		prefix := strings.ToLower(s.rest[:n])
		quoted := n < len(s.rest) && (s.rest[n] == '"' || s.rest[n] == '\'')
		if quoted && (prefix == "r" || prefix == "b" || prefix == "rb") {
			s.emit(stringToken, n+stringLength(s.rest[n:]))
			return
		}
		s.emit(wordToken, n)
		return
	}
	for _, mark := range marks {
		if strings.HasPrefix(s.rest, mark) {
			s.emit(markToken, len(mark))
			return
		}
	}
	_, size := utf8.DecodeRuneInString(s.rest)
	s.emit(markToken, size)
}

// emit appends the next n bytes as a token.
func (s *wordScanner) emit(kind tokenKind, n int) {
	if s.token.first {
		s.token.head = len(s.tokens)
	}
	t := s.token
	t.kind, t.text = kind, s.rest[:n]
	s.skip(n)
	t.endLine, t.endColumn = s.token.line, s.token.column
	s.tokens = append(s.tokens, t)
	s.token.first = kind == newlineToken
}

// skip moves the place over n bytes.
func (s *wordScanner) skip(n int) {
	lines, columns := position([]byte(s.rest[:n]), n)
	if lines > 1 {
		s.token.line += lines - 1
		s.token.column = columns
	} else {
		s.token.column += columns - 1
	}
	s.token.offset += n
	s.rest = s.rest[n:]
}

// lineBreak returns the length of the line end that text starts with.
func lineBreak(text string) int {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return 2
	case strings.HasPrefix(text, "\n"), strings.HasPrefix(text, "\r"):
		return 1
	}
	return 0
}

// span returns the length of the start of text whose runes all satisfy in.
func span(text string, in func(rune) bool) int {
	for i, r := range text {
		if !in(r) {
			return i
		}
	}
	return len(text)
}

// stringLength returns the length of the string literal that text starts with,
// up to the end of the line or text if it is not closed.
func stringLength(text string) int {
	quote := text[:1]
	triple := strings.HasPrefix(text, strings.Repeat(quote, 3))
	if triple {
		quote = text[:3]
	}
	for i := len(quote); i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], quote):
			return i + len(quote)
		case text[i] == '\\':
			i++ // in a raw string too, a quote behind a backslash does not end it
		case !triple && (text[i] == '\n' || text[i] == '\r'):
			return i
		}
	}
	return len(text)
}
