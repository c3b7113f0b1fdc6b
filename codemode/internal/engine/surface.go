package engine

import (
	"fmt"
	"slices"
	"sync"
	"unicode"

	starjson "go.starlark.net/lib/json"
	starmath "go.starlark.net/lib/math"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// The language surface is a fixed list, not whatever the interpreter's current
// version offers: a name that a later version adds stays undefined until it is
// listed here.
var (
	universalNames = []string{
		"False", "None", "True", "abs", "all", "any", "bool", "bytes", "chr",
		"dict", "dir", "enumerate", "fail", "float", "getattr", "hasattr",
		"hash", "int", "len", "list", "max", "min", "ord", "print", "range",
		"repr", "reversed", "sorted", "str", "tuple", "type", "zip",
	}
	addedNames = []string{"json", "math", "sum"}

	jsonNames = []string{"decode", "encode", "indent"}
	mathNames = []string{
		"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil",
		"copysign", "cos", "cosh", "degrees", "e", "exp", "fabs", "floor",
		"gamma", "hypot", "log", "mod", "pi", "pow", "radians", "remainder",
		"round", "sin", "sinh", "sqrt", "tan", "tanh",
	}

	// unavailableName is a standard name that this surface leaves out. The
	// resolver refuses it by itself.
	unavailableName = "set"
)

// ReservedRoot reports whether no capability name may start with the segment
// name: it belongs to the language.
func ReservedRoot(name string) bool {
	return isUniversal(name) || slices.Contains(addedNames, name) || name == unavailableName
}

func isUniversal(name string) bool {
	_, found := slices.BinarySearch(universalNames, name)
	return found
}

// reservedWords are the tokens that look like identifiers: the keywords of
// Starlark and the words that it reserves because Python uses them.
var reservedWords = []string{
	"and", "as", "async", "await", "break", "class", "continue", "def", "del",
	"elif", "else", "except", "finally", "for", "from", "global", "if",
	"import", "in", "is", "lambda", "load", "nonlocal", "not", "or", "pass",
	"raise", "return", "try", "while", "with", "yield",
}

// IsIdentifier reports whether segment can stand in a program where a name is
// expected: it has the form of a Starlark identifier and is no reserved word.
func IsIdentifier(segment string) bool {
	for i, r := range segment {
		if !isNameStart(r) && (i == 0 || !isDigit(r)) {
			return false
		}
	}
	return segment != "" && !isReservedWord(segment)
}

func isReservedWord(word string) bool {
	_, found := slices.BinarySearch(reservedWords, word)
	return found
}

func isNameStart(r rune) bool { return r == '_' || unicode.IsLetter(r) }
func isDigit(r rune) bool     { return '0' <= r && r <= '9' }

// added returns the values of addedNames. They are immutable and shared by
// all runs; a host that never serves a worker never builds them.
var added = sync.OnceValue(func() starlark.StringDict {
	return starlark.StringDict{
		"json": restrict(starjson.Module, jsonNames),
		"math": restrict(starmath.Module, mathNames),
		"sum":  starlark.NewBuiltin("sum", sum),
	}
})

func restrict(module *starlarkstruct.Module, names []string) *starlarkstruct.Module {
	members := make(starlark.StringDict, len(names))
	for _, name := range names {
		members[name] = module.Members[name]
	}
	return &starlarkstruct.Module{Name: module.Name, Members: members}
}

// sum adds ints and floats. Unlike Python's it takes no start value.
func sum(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var iterable starlark.Iterable
	if err := starlark.UnpackPositionalArgs(b.Name(), args, kwargs, 1, &iterable); err != nil {
		return nil, err
	}
	iter := iterable.Iterate()
	defer iter.Done()
	var total starlark.Value = starlark.MakeInt(0)
	var x starlark.Value
	for i := 0; iter.Next(&x); i++ {
		switch x.(type) {
		case starlark.Int, starlark.Float:
		default:
			return nil, fmt.Errorf("sum: at index %d, got %s, want int or float", i, x.Type())
		}
		var err error
		if total, err = starlark.Binary(syntax.PLUS, total, x); err != nil {
			return nil, fmt.Errorf("sum: at index %d, %w", i, err)
		}
	}
	return total, nil
}
