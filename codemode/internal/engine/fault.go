package engine

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/syntax"
)

// A Class says how a run or a native call ended.
type Class byte

// The classes. The engine itself produces the first five; the others it passes
// on from a native call.
const (
	OK Class = iota
	InvalidProgram
	InvalidArguments
	ResourceLimit
	Internal
	PermissionDenied
	PolicyFailure
	CapabilityFailure
	Canceled
)

var classNames = [...]string{
	OK:                "ok",
	InvalidProgram:    "invalid program",
	InvalidArguments:  "invalid capability arguments",
	ResourceLimit:     "resource limit exceeded",
	Internal:          "internal failure",
	PermissionDenied:  "permission denied",
	PolicyFailure:     "authorization policy failure",
	CapabilityFailure: "capability failed",
	Canceled:          "context canceled",
}

func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return fmt.Sprintf("class %d", byte(c))
}

// A Fault is the end of a run without a value.
type Fault struct {
	Class Class
	// Detail is one line of valid UTF-8, at most [MaxDetailBytes] long. That
	// of [InvalidProgram] and [InvalidArguments] is for the author of the
	// program and holds nothing that the program could not have said itself.
	// That of [Internal] and [ResourceLimit] is for the host alone. Other
	// classes have none.
	Detail string
}

// A Problem is one fault that [Engine.Check] found without running anything.
// Line and Column count from 1, columns in runes; both are 0 for a problem of
// the program as a whole.
type Problem struct {
	Line, Column int
	Message      string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", filename, p.Line, p.Column, p.Message)
}

// How long texts for the model may get. The interpreter puts whole values
// into its messages; they are cut before anything else looks at them.
const (
	maxMessageBytes = 512
	maxFurther      = 4

	// MaxDetailBytes bounds [Fault.Detail].
	MaxDetailBytes = (1 + maxFurther) * (maxMessageBytes + 64)
)

// filename is what positions in a program begin with.
const filename = "<codemode>"

func problemAt(pos syntax.Position, message string) Problem {
	return Problem{Line: int(pos.Line), Column: int(pos.Col), Message: clean(message, maxMessageBytes)}
}

// clean makes text fit for a detail: cut to limit bytes, one line, valid
// UTF-8, without characters that would change how the rest is displayed.
func clean(text string, limit int) string {
	cut := len(text) > limit
	if cut {
		end := limit - len("...")
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r // invalid UTF-8 arrives as U+FFFD
	}, text)
	if len(text) > limit { // U+FFFD is longer than the byte that it replaces
		return clean(text, limit)
	}
	text = strings.TrimSpace(text)
	if cut {
		text += "..."
	}
	return text
}
