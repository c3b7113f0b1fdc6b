package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/codemode"
	"go.starlark.net/starlark"
)

// Language is what programs can use.
type Language struct {
	Names    []Name    // predeclared
	Members  []Members // of modules and of values
	Features []Feature
}

// A Name is predeclared; Type is what type(name) says.
type Name struct{ Name, Type string }

// Members are what dir says of a module or a value.
type Members struct {
	Of    string
	Names []string
}

// A Feature is a part of the language, with a program that uses it and what
// came of it: empty, or the error.
type Feature struct{ Name, Program, Refusal string }

// candidates are the names that an interpreter might know.
func candidates() []string {
	names := slices.Collect(maps.Keys(starlark.Universe))
	names = append(names, "json", "math", "sum", "time", "proto", "struct", "module", "open", "eval", "exec", "map", "filter", "round", "pow", "divmod", "callable", "isinstance", "frozenset")
	slices.Sort(names)
	return slices.Compact(names)
}

// values are the sources of one value of each type that has methods.
var values = []struct{ name, source string }{
	{"json", "json"}, {"math", "math"}, {"str", `""`}, {"bytes", `b""`}, {"list", "[]"}, {"dict", "{}"}, {"tuple", "()"},
}

func language(ctx context.Context, server *codemode.Server) (Language, error) {
	var found Language
	for _, name := range candidates() {
		kind, err := server.Execute(ctx, subject, codemode.Program("def main(): return type("+name+")"))
		if err != nil {
			continue // undefined
		}
		found.Names = append(found.Names, Name{name, fmt.Sprint(kind)})
	}
	for _, value := range values {
		names, err := server.Execute(ctx, subject, codemode.Program("def main(): return dir("+value.source+")"))
		if err != nil {
			return found, fmt.Errorf("dir(%s): %w", value.source, err)
		}
		members := Members{Of: value.name}
		for _, name := range names.([]any) {
			members.Names = append(members.Names, name.(string))
		}
		found.Members = append(found.Members, members)
	}
	for _, f := range features {
		if _, err := server.Execute(ctx, subject, codemode.Program(f.Program)); err != nil {
			f.Refusal = strings.TrimPrefix(err.Error(), "invalid program: ")
		}
		found.Features = append(found.Features, f)
	}
	return found, nil
}

var features = []Feature{
	{Name: "functions in functions", Program: "def main():\n    def double(x):\n        return 2 * x\n    return double(2)\n"},
	{Name: "lambda", Program: "main = lambda: sorted([3, 1], key = lambda x: -x)\n"},
	{Name: "comprehensions", Program: "def main():\n    return {str(x): [y for y in range(x)] for x in range(3) if x}\n"},
	{Name: "keyword, default and variadic parameters", Program: "def f(a, *args, b = 2, **kwargs):\n    return [a, b, len(args), len(kwargs)]\n\ndef main():\n    return f(1, 2, 3, b = 4, c = 5)\n"},
	{Name: "% and format", Program: "def main():\n    return \"%s and %d\" % (\"a\", 1) + \", {}\".format(2)\n"},
	{Name: "conditional expression", Program: "def main():\n    return 1 if True else 2\n"},
	{Name: "integers of any size while computing", Program: "def main():\n    return (1 << 100) // (1 << 99)\n"},
	{Name: "a module-level list that main changes", Program: "seen = []\n\ndef main():\n    seen.append(1)\n    return seen\n"},
	{Name: "native call while loading", Program: "x = records.lookup(key = \"a\")\n\ndef main():\n    return x\n"},
	{Name: "positional argument of a native call", Program: "def main():\n    return records.lookup(\"a\")\n"},
	{Name: "while", Program: "def main():\n    while True:\n        pass\n"},
	{Name: "recursion", Program: "def f(n):\n    return f(n - 1) if n else 0\n\ndef main():\n    return f(2)\n"},
	{Name: "if and for outside functions", Program: "for x in [1]:\n    pass\n\ndef main():\n    return 1\n"},
	{Name: "assigning a global twice", Program: "x = 1\nx = 2\n\ndef main():\n    return x\n"},
	{Name: "load", Program: "load(\"m.star\", \"x\")\n\ndef main():\n    return x\n"},
	{Name: "import", Program: "import json\n\ndef main():\n    return 1\n"},
	{Name: "class", Program: "class A:\n    pass\n\ndef main():\n    return 1\n"},
	{Name: "try", Program: "def main():\n    try:\n        return 1\n    except:\n        return 2\n"},
	{Name: "f-string", Program: "def main():\n    x = 1\n    return f\"{x}\"\n"},
	{Name: "set", Program: "def main():\n    return set([1])\n"},
	{Name: "main with parameters", Program: "def main(x):\n    return x\n"},
	{Name: "no main", Program: "x = 1\n"},
	{Name: "fail", Program: "def main():\n    fail(\"no such record\")\n"},
	{Name: "a function as the result", Program: "def main():\n    return main\n"},
}
