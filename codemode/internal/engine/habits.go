package engine

import (
	"strings"

	"go.starlark.net/syntax"
)

// syntaxProblem is the fault at which the parser stopped.
func syntaxProblem(source []byte, at syntax.Error) Problem {
	message := clean(at.Msg, maxMessageBytes)
	words := tokens(source)
	p := place{words, stoppedAt(words, at)}
	for i := range syntaxHints {
		if h := &syntaxHints[i]; h.fits(p, message) {
			message += " (" + h.text + ")"
			break
		}
	}
	return problemAt(at.Pos, message)
}

// stoppedAt returns the token that the parser complained about. Most messages
// are placed behind it, since it had been read to look ahead.
func stoppedAt(words []token, at syntax.Error) int {
	line, column := int(at.Pos.Line), int(at.Pos.Col)
	behind := strings.HasPrefix(at.Msg, "got ") && !strings.Contains(at.Msg, "primary expression") ||
		at.Msg == "not an identifier" || strings.Contains(at.Msg, "does not associate")
	for i, t := range words {
		start := comparePosition(t.line, t.column, line, column)
		end := comparePosition(t.endLine, t.endColumn, line, column)
		if start == 0 && !behind || start < 0 && (end > 0 || end == 0 && behind) {
			return i
		}
	}
	return len(words)
}

// habits finds what can be no part of any program, at most one on a line: the
// parser stops at its first fault, but a program written by habit has more of
// the same kind.
func habits(words []token) (problems []Problem) {
	line, trying := 0, false
	for i, t := range words {
		if t.line == line || len(problems) == maxProblems || !suspicious(words, i) {
			continue
		}
		handler := t.is("except", "finally")
		if handler && trying {
			continue // one of these says it all
		}
		p := place{words, i}
		for j := range syntaxHints {
			if h := &syntaxHints[j]; h.fits(p, "") {
				line, trying = t.line, t.is("try") || handler || trying
				problems = append(problems, Problem{Line: t.line, Column: t.column, Message: h.text})
				break
			}
		}
	}
	return problems
}

// suspicious spares most words the comparison with the table.
func suspicious(words []token, i int) bool {
	switch t := words[i]; t.kind {
	case wordToken:
		return isReservedWord(t.text)
	case stringToken:
		return i > 0 && isFormatPrefix(words[i-1])
	case markToken:
		return len(t.text) > 1 || !strings.Contains("()[]{},.:=+-*/%<>&|^~;", t.text)
	}
	return false
}
