package binding

import (
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Texts quote names that programs choose, and a program can make a name of
// megabytes. Fragments are cut before they are escaped, so that no text costs
// more than it shows.
const (
	maxFragment = 64 // bytes of a quoted name
	maxNames    = 160
)

// cut returns at most n bytes of s, whole runes, and whether that is all.
func cut(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, true
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n], false
}

// quote renders any string as one bounded line of valid UTF-8.
func quote(s string) string {
	head, whole := cut(s, maxFragment)
	if whole {
		return strconv.Quote(head)
	}
	return strconv.Quote(head) + "…"
}

// word renders a name without quotes where it is one.
func word(s string) string {
	if len(s) > maxFragment || s == "" {
		return quote(s)
	}
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return quote(s)
		}
	}
	if !utf8.ValidString(s) {
		return quote(s)
	}
	return s
}

// names lists parameters, as many as fit on a line.
func names(fields []Field) string {
	var b strings.Builder
	for i := range fields {
		name := word(fields[i].Name)
		if b.Len()+len(name) > maxNames {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name)
	}
	return b.String()
}

// starlarkTypeName names a value's type in the notation of [Type.String].
func starlarkTypeName(value starlark.Value) string {
	switch value := value.(type) {
	case nil:
		return "nothing"
	case starlark.NoneType:
		return "None"
	case starlark.String:
		return "str" // as in signatures; Starlark itself says string
	default:
		return word(value.Type())
	}
}

func goTypeName(t reflect.Type) string {
	if t == nil {
		return "nil"
	}
	name, whole := cut(strings.ToValidUTF8(t.String(), "\uFFFD"), maxFragment)
	name = strings.ReplaceAll(name, "\n", " ")
	if !whole {
		name += "…"
	}
	return name
}

// isIdentifier asks the parser, so that identifiers and keywords are exactly
// those of the interpreter in use.
func isIdentifier(name string) bool {
	expression, err := new(syntax.FileOptions).ParseExpr("", name, 0)
	if err != nil {
		return false
	}
	ident, ok := expression.(*syntax.Ident)
	return ok && ident.Name == name
}

// validText replaces every byte that is not part of valid UTF-8 with U+FFFD,
// as encoding/json does.
func validText(s string) string {
	if isASCII(s) || utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 2)
	for _, r := range s {
		b.WriteRune(r)
	}
	return b.String()
}

// isASCII looks at a word at a time; the last one overlaps the one before. For
// short texts it takes a third of the time of [utf8.ValidString].
func isASCII(s string) bool {
	switch n := len(s); {
	case n >= 8:
		all := loadWord(s[n-8:])
		for ; len(s) > 8; s = s[8:] {
			all |= loadWord(s)
		}
		return all&highBits == 0
	case n >= 4:
		return (loadHalf(s)|loadHalf(s[n-4:]))&(highBits>>32) == 0
	case n == 0:
		return true
	default:
		return s[0]|s[n/2]|s[n-1] < utf8.RuneSelf
	}
}

const highBits = 0x8080808080808080

// The compiler makes a single load of each of these.

func loadWord(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func loadHalf(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}
