package engine

import (
	"strings"

	"go.starlark.net/syntax"
)

// A hint says what to write instead. It stands behind the interpreter's own
// message, which it never replaces.
type hint struct {
	message string // a part of the interpreter's message
	text    string
}

func withHint(message string, hints []hint) string {
	for _, h := range hints {
		if strings.Contains(message, h.message) {
			return message + " (" + h.text + ")"
		}
	}
	return message
}

func syntaxProblem(source []byte, at syntax.Error) Problem {
	return problemAt(at.Pos, clean(at.Msg, maxMessageBytes))
}
