// Package engine runs one Starlark program against a set of capabilities.
//
//	e, err := engine.New(engine.AppendManifest(nil, limits, capabilities))
//	result := e.Run(source, func(id string, arguments []byte) ([]byte, engine.Class, error) {
//		return dispatch(id, arguments)
//	})
//
// It knows neither processes nor policies: a native call is a function that it
// is given, so all of it can be driven in process. It bounds steps, calls,
// depth and bytes; time and memory are for whoever runs it, because builtins
// take both without a step.
//
// # A run
//
//	text      UTF-8 without NUL and byte-order mark; never rewritten
//	parse     standard Starlark without its options
//	resolve   names: the fixed surface and the enabled namespaces, no others
//	entry     main: a function of the program, without parameters
//	load      the top level runs; native calls are refused
//	main      native calls: count, bind, dispatch, decode
//	encode    the value that main returned
//
// Module-level values are not frozen between load and main: a process serves
// one program, and freezing a shared graph can take for ever. The class of a
// failed call is kept in the run and not in error values, so it survives
// whatever builtin stands between the call and main.
//
// # Faults
//
// A fault of the author, [InvalidProgram] or [InvalidArguments], has a detail:
// the position in the submitted source, the interpreter's message, a hint in
// parentheses where the message shows a habit from another language, and up to
// four further problems that [Engine.Check] finds in the same source:
//
//	<codemode>:2:17: got string literal, want newline (Starlark has no f-strings: …); also <codemode>:4:12: undefined: totl (did you mean total?)
//
// All of it could have been said by the program itself: its words, names,
// positions and values, and the names of enabled capabilities. A capability
// that is not in the manifest does not exist, in suggestions too.
//
// # Where things are
//
// The language surface is in surface.go, what is refused before the first step
// in source.go and entry.go, what only a check reports in inspect.go and
// calls.go; habits.go and mend.go go on where the parser stops. Hints are
// tables: syntaxhints.go for the parser, names.go for undefined names, hints.go
// and attributes.go for the rest. Each line of them is shown by a script in
// testdata, with the text beside the line at fault.
//
// # Cost
//
// A manifest of thousands of capabilities costs a run nothing: names are found
// by halving in the encoded form, and a capability is decoded when a program
// first touches it.
package engine
