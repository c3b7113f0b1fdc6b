package engine

import (
	"slices"
	"strings"
)

// A syntaxHint recognizes a habit by the words around the place where the
// parser stopped. Each condition is a list of words separated by spaces, or of
// kinds such as <word>; an empty one holds always.
type syntaxHint struct {
	message string // a part of the parser's message
	first   string // the first word of the line
	before  string // the word before the place
	at      string // the word at the place
	after   string // the word behind it
	inside  string // the innermost open bracket, or - for none
	text    string
	// always marks what can be no part of any program, so that it is a
	// fault wherever it stands.
	always bool
}

const (
	noFormat     = "Starlark has no f-strings: use \"{}\".format(x) or \"%s\" % x"
	noImport     = "Starlark has no import: json, math and all capabilities are there without it"
	noTry        = "Starlark has no try: an error ends the program; test first, with `in` or d.get(key)"
	noWith       = "Starlark has no with: call the capability, there is nothing to close"
	noAsync      = "calls return their results at once: leave out async and await"
	noGlobal     = "Starlark has no global: change a dict or list in place, or return the value"
	noNonlocal   = "Starlark has no nonlocal: keep the value in a dict or list of the outer function"
	noClass      = "Starlark has no classes: use dicts and functions"
	noPower      = "Starlark has no power operator: use math.pow(x, y) or x * x"
	noUnpacking  = "Starlark has no star in assignments and displays: use xs[0], xs[1:] and a + b"
	noJoining    = "strings side by side are not joined: put + between them"
	noUnderscore = "numbers have no underscores and no suffix"
	noMerging    = "Starlark has no ** in displays: merge dicts with a | b"
	noChain      = "comparisons do not chain: write a < b and b < c"
	noSet        = "Starlark has no set literals: use a dict with the items as keys, or a list"
	noGenerator  = "Starlark has no generators: use a list comprehension, [f(x) for x in xs]"
	noWalrus     = "Starlark has no assignment in expressions: assign on a line of its own"
	noAssertion  = "Starlark has no assert: use if and fail(\"message\")"
	noDecorator  = "Starlark has no decorators: call the one function on the other"
	mismatch     = "brackets are closed in the reverse order of their opening"
	unclosed     = "a bracket before this place is not closed"
	unseparated  = "a comma is missing before this, or a bracket is not closed"
	ownLine      = "write it on a line of its own, indented below"
	noLoop       = "loops are written `for x in xs:`"
	noDeclarator = "write name = value, without a keyword"
	wordOperator = "use and, or and not"
)

// syntaxHints are in order of precedence.
var syntaxHints = []syntaxHint{
	{message: "want primary expression", at: "<reserved>", after: "=", inside: "(", text: "this is a reserved word, which cannot name an argument"},
	{first: "import from", at: "import from", always: true, text: noImport},
	{at: "try except finally", always: true, text: noTry},
	{at: "raise", always: true, text: "Starlark has no raise: use fail(\"message\")"},
	{at: "del", always: true, text: "Starlark has no del: use d.pop(key), or build a new list without the item"},
	{first: "with", at: "with", always: true, text: noWith},
	{at: "yield", always: true, text: "Starlark has no generators: append to a list and return it"},
	{at: "async await", always: true, text: noAsync},
	{first: "global", at: "global", always: true, text: noGlobal},
	{first: "nonlocal", at: "nonlocal", always: true, text: noNonlocal},
	{first: "class", at: "class", always: true, text: noClass},
	{at: "is", after: "not", always: true, text: "Starlark has no is: use !="},
	{at: "is", always: true, text: "Starlark has no is: use =="},
	{first: "while", at: "while", always: true, text: "Starlark has no while: use `for _ in range(1000):` with break"},

	{before: ".", at: "load", text: "load is a reserved word: use json.decode(text)"},
	{message: "not an identifier", at: "/", text: "Starlark has no positional-only parameters: leave out the /"},
	{message: "not an identifier", at: "( [ { ) ,", text: "a name is missing here"},
	{message: "not an identifier", at: "<word>", text: "this is a reserved word: read a field of a dict with x[\"key\"]"},

	{before: "<format>", at: "<string>", always: true, text: noFormat},
	{before: "u U", at: "<string>", text: "strings are Unicode: leave out the u"},
	{first: "print", before: "print", text: "print is a function: print(x); its output is discarded"},
	{first: "assert", text: noAssertion},
	{first: "match", at: "<word> <string> <number> (", text: "Starlark has no match: use if and elif"},
	{first: "case", at: "<word> <string> <number>", text: "Starlark has no match: use if and elif"},
	{first: "switch", before: "switch", text: "Starlark has no switch: use if and elif"},
	{first: "throw", before: "throw", text: "use fail(\"message\")"},
	{first: "foreach", before: "foreach", text: noLoop},
	{first: "else", at: "if", message: "want ':'", text: "write elif"},
	{message: "want ':'", at: "{", inside: "-", text: "blocks begin with a colon and are indented, without braces"},
	{first: "for", message: "got '=', want ')'", text: noLoop},
	{first: "for", at: "of", text: noLoop},
	{message: "got ':', want '('", text: "functions are written `def name():`"},
	{message: "got ':', want primary expression", before: "<reserved>", text: "the condition before the colon is not complete"},
	{first: "function", text: "functions are written `def name():` with an indented body"},
	{first: "const let var", before: "const let var", text: noDeclarator},
	{before: "new", at: "<word>", text: noClass},
	{first: "type", before: "type", at: "<word>", text: noTypes},
	{first: "exec", before: "exec", text: "a program cannot run source text"},
	{message: "got string literal", before: "<string>", text: noJoining},
	{message: "got identifier", before: "<string>", text: "a quote in a string is written with a backslash, or the string in the other quotes"},
	{message: "got identifier", at: "<number>", text: noUnderscore},

	{at: ":=", always: true, text: noWalrus},
	{at: "->", always: true, text: noTypes},
	{at: "=>", always: true, text: "use lambda x: ..."},
	{at: "=== !==", always: true, text: "use == and !="},
	{at: "<>", always: true, text: "use !="},
	{at: "&& ||", always: true, text: wordOperator},
	{at: "!", always: true, text: wordOperator},
	{at: "?", after: ".", always: true, text: "use d.get(key)"},
	{at: "?", after: "?", always: true, text: "use a if a != None else b"},
	{at: "?", always: true, text: "use a if condition else b"},
	{at: "@", always: true, text: noDecorator},
	{at: "<fence>", text: "send the program without a Markdown fence around it"},
	{at: "`", text: "use quotes, and \"{}\".format(x) for values in a text"},
	{at: "$ ${", always: true, text: "use \"{}\".format(x) for values in a text"},
	{at: "“ ” ‘ ’ „ «", text: "use straight quotes"},
	{at: "\u00a0 \u2007 \u202f \u3000 \u200b \ufeff", text: "this is not an ordinary space: replace it by one"},
	{first: "//", at: "//", text: "comments start with #"},
	{at: "/*", text: "comments start with #"},
	{before: "++ --", at: "<newline> ;", text: "use x += 1 or x -= 1"},

	{message: "want primary expression", before: "{ ,", at: "**", inside: "{", text: noMerging},
	{at: "**", text: noPower},
	{message: "got '*'", at: "*", text: noUnpacking},
	{message: "want indent", text: "the body must be indented and hold at least one statement, such as pass"},
	{message: "want primary expression", at: "if for", inside: "-", text: ownLine},
	{message: "got if, want primary expression", inside: "[ ( {", text: "the value comes first: [f(x) for x in xs if x]"},
	{message: "got else, want newline", text: ownLine},
	{message: "got for, want", inside: "{", text: noSet},
	{message: "got for, want", text: noGenerator},
	{message: "want ':'", at: ", }", inside: "{", text: noSet},
	{message: "want ':'", inside: "{", text: "write key: value"},
	{message: "got '=', want ':'", text: "compare with =="},
	{message: "got '=', want ')'", text: "compare with ==; an assignment stands on a line of its own"},
	{message: "got '=', want newline", text: "an assignment has one target and stands on a line of its own"},
	{message: "got ':'", before: "<word>", at: ":", inside: "- (", text: noTypes},
	{message: "got '['", first: "def", text: noTypes},
	{message: "does not associate with", text: noChain},
	{message: "conditional expression without else clause", text: "write a if condition else b"},
	{message: "got else, want ']'", text: "put the condition before for: [a if c else b for x in xs]"},
	{message: "got ',', want ']', for, or if", text: "put the tuple behind in into parentheses"},
	{message: "got elif, want primary expression", text: "elif belongs to an if"},
	{message: "got else, want primary expression", text: "else belongs to an if: for has none"},
	{message: "got newline, want ':'", text: "the line above ends without a colon"},
	{message: "got indent, want", at: ". + - * / and or", text: "put the expression into parentheses to go on behind the end of the line"},
	{message: "got indent, want", text: "this line is indented more than the one before"},
	{message: "unindent does not match", text: "indent all lines of a block alike, with spaces only"},
	{message: "invalid escape sequence", text: "write \\\\ for a backslash, or r\"...\" for raw text"},
	{message: "unexpected newline in string", text: "write \\n, or use three quotes"},
	{message: "unexpected EOF in string", text: "the string is not closed"},
	{message: "invalid Unicode code point", text: "write the character itself, or \\U and eight hex digits"},
	{message: "trailing comma", text: "leave out the comma, or write (x,)"},
	{at: "...", first: "<at>", text: "use pass"},
	{at: "...", text: "use None"},
	{message: "stray backslash", text: "a backslash goes on only before the end of a line; line breaks are sent as they are, not as \\n"},
	{message: "got newline, want primary expression", text: "the expression is not complete: put it into parentheses to go on behind the end of the line"},
	{first: "<at>", at: "<reserved>", message: ", want", inside: "( [ {", text: unclosed},
	{first: "<at>", message: ", want", inside: "( [ {", text: unseparated},
	{message: "got return, want primary expression", inside: "-", text: "a lambda has no return: lambda x: value"},
	{message: ", want", at: "<newline>", inside: "( [ {", text: unclosed},
	{message: "want ')'", at: "] }", text: mismatch},
	{message: "want ']'", at: ") }", text: mismatch},
	{message: "want '}'", at: ") ]", text: mismatch},
	{message: "unexpected", at: ") ] }", text: "there is one closing bracket too many"},
	{message: "got ", at: "<word> <string> <number>", inside: "( [ {", text: "a comma or an operator is missing before this"},
	{message: "want ':'", at: "<word> <string> <number> {", inside: "-", text: "a colon is missing before this"},
}

// A place is a token among the others of its source.
type place struct {
	tokens []token
	i      int
}

func (p place) at(offset int) token {
	if i := p.i + offset; i >= 0 && i < len(p.tokens) {
		return p.tokens[i]
	}
	return token{kind: newlineToken}
}

// before returns the token before, line ends left out.
func (p place) before() token {
	for offset := -1; p.i+offset >= 0; offset-- {
		if t := p.at(offset); t.kind != newlineToken {
			return t
		}
	}
	return token{kind: newlineToken}
}

// first returns the first token of the line. It does not go back to it: a line
// can hold the whole source, and every word of it ask for its first.
func (p place) first() token {
	if len(p.tokens) == 0 {
		return token{kind: newlineToken}
	}
	return p.tokens[p.tokens[min(p.i, len(p.tokens)-1)].head]
}

// inside returns the innermost bracket that is open at the place.
func (p place) inside() string {
	var open []string
	for _, t := range p.tokens[:min(p.i, len(p.tokens))] {
		switch {
		case t.is("(", "[", "{"):
			open = append(open, t.text)
		case t.is(")", "]", "}") && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return "-"
	}
	return open[len(open)-1]
}

// fits reports whether the conditions hold at p. Without a message the place
// is not where the parser stopped but any, and only that matters which is
// wrong anywhere.
func (h *syntaxHint) fits(p place, message string) bool {
	if message == "" && !h.always {
		return false
	}
	at := p.at(0)
	return strings.Contains(message, h.message) &&
		(h.at == "" || p.matches(at, h.at)) &&
		(h.before == "" || p.matches(p.before(), h.before)) &&
		(h.after == "" || p.matches(p.at(1), h.after)) &&
		(h.first == "" || h.first == "<at>" && at.first || p.matches(p.first(), h.first)) &&
		(h.inside == "" || slices.Contains(strings.Fields(h.inside), p.inside()))
}

// matches reports whether t is one of words.
func (p place) matches(t token, words string) bool {
	for word := range strings.SplitSeq(words, " ") {
		switch word {
		case "<word>":
			if t.kind == wordToken {
				return true
			}
		case "<string>":
			if t.kind == stringToken {
				return true
			}
		case "<number>":
			if t.kind == numberToken {
				return true
			}
		case "<reserved>":
			if t.kind == wordToken && isReservedWord(t.text) {
				return true
			}
		case "<newline>":
			if t.kind == newlineToken {
				return true
			}
		case "<format>":
			if isFormatPrefix(t) && p.at(0).offset == t.offset+len(t.text) {
				return true
			}
		case "<fence>":
			if t.is("`") && t.first && p.at(1).is("`") && p.at(2).is("`") {
				return true
			}
		default:
			if t.is(word) {
				return true
			}
		}
	}
	return false
}

// isFormatPrefix reports whether t is the f of an f-string.
func isFormatPrefix(t token) bool {
	switch strings.ToLower(t.text) {
	case "f", "fr", "rf", "t":
		return t.kind == wordToken
	}
	return false
}
