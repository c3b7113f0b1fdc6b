package binding

import (
	"strconv"
	"strings"
)

// A FieldError is one fault of a Go type, found by [Compile], or of a
// parameter, found by [NewInput]. It is written for the author of the type.
type FieldError struct {
	Side    string // "input" or "output"
	Path    string // Go field names, such as Items[].Owner.ID; empty for the root
	Problem string // what it is and what is wanted
}

func (e *FieldError) Error() string {
	if e.Path == "" {
		return e.Side + ": " + e.Problem
	}
	return e.Side + " field " + e.Path + ": " + e.Problem
}

// An ArgumentError says why a call does not fit its signature, in one bounded
// line for whoever wrote the call. It names arguments and types and never
// repeats an argument's value.
type ArgumentError struct {
	Name string // the argument at fault, cut when long; empty if it is the call as a whole
	text string
}

func (e *ArgumentError) Error() string { return e.text }

func argumentError(name, text string) *ArgumentError {
	head, _ := cut(name, maxFragment)
	return &ArgumentError{Name: validText(head), text: text}
}

// A ValueError says which part of a value cannot cross, in one bounded line.
type ValueError struct {
	Path    string // such as items[3].score; empty for the value as a whole
	Problem string // what it is and what is wanted
}

func (e *ValueError) Error() string {
	if e.Path == "" {
		return e.Problem
	}
	return e.Path + ": " + e.Problem
}

// A fault becomes a ValueError when the walk that met it has returned to the
// root and the path is known. It is a type of its own so that a visitor's
// error is never taken for one.
type fault struct {
	problem string
	inner   []string // the segments next to the fault, innermost first
	outer   []string // the segments next to the root, innermost first
	cut     bool     // segments between them were dropped
}

// maxSegments bounds each end of a path: values of any depth can be walked.
const maxSegments = 8

func (f *fault) Error() string { return f.problem }

func (f *fault) within(segment string) {
	if len(f.inner) < maxSegments {
		f.inner = append(f.inner, segment)
		return
	}
	if len(f.outer) == maxSegments {
		f.outer = f.outer[:copy(f.outer, f.outer[1:])]
		f.cut = true
	}
	f.outer = append(f.outer, segment)
}

func (f *fault) valueError() *ValueError {
	var b strings.Builder
	for i := len(f.outer) - 1; i >= 0; i-- {
		b.WriteString(f.outer[i])
	}
	if f.cut {
		b.WriteString("…")
	}
	for i := len(f.inner) - 1; i >= 0; i-- {
		b.WriteString(f.inner[i])
	}
	return &ValueError{Path: strings.TrimPrefix(b.String(), "."), Problem: f.problem}
}

// atIndex and atKey are called while an error travels to the root.

func atIndex(err error, i int) error {
	if f, ok := err.(*fault); ok {
		f.within("[" + strconv.Itoa(i) + "]")
	}
	return err
}

func atKey(err error, key string) error {
	if f, ok := err.(*fault); ok {
		if segment := word(key); segment == key {
			f.within("." + segment)
		} else {
			f.within("[" + segment + "]")
		}
	}
	return err
}

// rooted returns the walk's error in its public form.
func rooted(err error) error {
	if f, ok := err.(*fault); ok {
		return f.valueError()
	}
	return err
}
