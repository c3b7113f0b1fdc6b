package engine

import (
	"errors"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/codemode-go/codemode/binding"
)

// runtimeProblem is the fault of a program that failed while it ran, placed at
// the innermost frame of the submitted source.
func (c *catalog) runtimeProblem(err error) Problem {
	var at *starlark.EvalError
	if !errors.As(err, &at) {
		return problemAt(syntax.MakePosition(nil, 1, 1), err.Error())
	}
	// A builtin that calls back may have wrapped the error of the function
	// that it called. The first one knows the place.
	for {
		var inner *starlark.EvalError
		if !errors.As(errors.Unwrap(at), &inner) {
			break
		}
		at = inner
	}
	message := clean(at.Msg, maxMessageBytes)
	switch {
	case strings.HasPrefix(message, "fail: "): // these words are the program's
	case c.hasNamespace(shadowed(message)):
		message += " (" + shadowed(message) + " is the namespace of capabilities: give the variable another name)"
	default:
		message = withHint(message, attributeHints, runtimeHints)
	}
	return problemAt(innermost(at.CallStack), message+callerOf(at))
}

// shadowed returns the variable that is read before it has a value, such as
// the second x of x = x.list().
func shadowed(message string) string {
	name, ok := strings.CutSuffix(message, " referenced before assignment")
	if !ok {
		return ""
	}
	return name[strings.LastIndexByte(name, ' ')+1:]
}

// innermost returns the position of the innermost frame that is not a builtin.
func innermost(stack starlark.CallStack) syntax.Position {
	for i := len(stack) - 1; i >= 0; i-- {
		if stack[i].Pos.Filename() == filename {
			return stack[i].Pos
		}
	}
	return syntax.MakePosition(nil, 1, 1)
}

// callerOf adds the place of the call where the innermost frame is that of a
// function that refused it: its own position is that of its definition.
func callerOf(err *starlark.EvalError) string {
	stack := err.CallStack
	if len(stack) < 2 || !strings.HasPrefix(err.Msg, "function ") || stack[len(stack)-1].Pos.Filename() != filename {
		return ""
	}
	pos := innermost(stack[:len(stack)-1])
	return "; called at " + pos.String()
}

// argumentMessage puts what binding says of a call behind the capability's
// name.
func argumentMessage(name string, err error) string {
	return name + ": " + err.Error()
}

// finalProblem is the fault of a value that main may not return. No frame is
// left to point at, so it points at main, or at its only return statement.
func finalProblem(p *program, main *starlark.Function, err *binding.ValueError) Problem {
	message := "the final value: " + err.Error()
	if err.Path != "" {
		message = "the final value at " + err.Error()
	}
	return problemAt(onlyReturn(p.file, main.Position()), withHint(clean(message, maxMessageBytes), finalHints))
}
