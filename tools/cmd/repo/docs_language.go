package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// descriptions say what each predeclared name is for. A name that a server
// knows and this table does not is an error, and the other way round.
var descriptions = map[string]string{
	"False": "the truth value", "None": "the absent value", "True": "the truth value",
	"abs":       "abs(x): absolute value",
	"all":       "all(iterable): whether every item is true",
	"any":       "any(iterable): whether some item is true",
	"bool":      "bool(x): the truth value of x",
	"bytes":     "bytes(x): of a string or of ints from 0 to 255",
	"chr":       "chr(i): the string of a code point",
	"dict":      "dict(pairs, **kwargs): a new dict, in insertion order",
	"dir":       "dir(x): the names of the attributes of x, sorted",
	"enumerate": "enumerate(iterable, start = 0): a list of (index, item)",
	"fail":      "fail(*args): ends the program; the text is the program's own",
	"float":     "float(x): a number or a string as a float",
	"getattr":   "getattr(x, name, default): an attribute by name",
	"hasattr":   "hasattr(x, name): whether x has an attribute",
	"hash":      "hash(x): of a string or bytes",
	"int":       "int(x, base): an int of any size",
	"json":      "encode(x), decode(text), indent(text)",
	"len":       "len(x): the number of items, or of bytes of a string",
	"list":      "list(iterable): a new list",
	"math":      "functions on floats, and e and pi",
	"max":       "max(*args, key = None): the largest",
	"min":       "min(*args, key = None): the smallest",
	"ord":       "ord(s): the code point of a string of one character",
	"print":     "print(*args): accepted and lost",
	"range":     "range(start, stop, step): a sequence of ints",
	"repr":      "repr(x): x as it would be written in a program",
	"reversed":  "reversed(iterable): a list, last first",
	"sorted":    "sorted(iterable, key = None, reverse = False): a new list",
	"str":       "str(x): x as text",
	"sum":       "sum(iterable): of ints and floats; one argument",
	"tuple":     "tuple(iterable): a new tuple",
	"type":      "type(x): the name of the type, a string",
	"zip":       "zip(*iterables): a list of tuples",
}

func languagePage(seen observedLanguage) (string, error) {
	var b strings.Builder
	b.WriteString(generated + `# The language of programs

A program is [Starlark](https://github.com/bazelbuild/starlark) that defines ` + "`main()`" + `. What it returns is the result: None, bool, str, int of 64
bits, finite float, or lists, tuples and dicts with string keys of them. Each program starts fresh and can reach nothing but the
capabilities, which are called by their dotted names, with keyword arguments, while main runs.

## Predeclared names

| name | what it is |
| --- | --- |
`)
	described := slices.Sorted(maps.Keys(descriptions))
	var names []string
	for _, name := range seen.Names {
		names = append(names, name.Name)
		fmt.Fprintf(&b, "| `%s` | %s |\n", name.Name, cell(descriptions[name.Name]))
	}
	if slices.Sort(names); !slices.Equal(names, described) {
		return "", fmt.Errorf("a server knows the names %v, and docs_language.go describes %v", names, described)
	}
	b.WriteString("\n## Members of modules and values\n\n| of | names |\n| --- | --- |\n")
	for _, members := range seen.Members {
		list := "none"
		if len(members.Names) > 0 {
			list = "`" + strings.Join(members.Names, "` `") + "`"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", members.Of, list)
	}
	b.WriteString("\n## What works\n\n")
	for _, f := range seen.Features {
		if f.Refusal == "" {
			fmt.Fprintf(&b, "%s:\n\n```python\n%s```\n\n", f.Name, f.Program)
		}
	}
	b.WriteString("## What does not\n\nWith what a program that tries it is told.\n\n| what | answer |\n| --- | --- |\n")
	for _, f := range seen.Features {
		if f.Refusal != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", f.Name, code(strings.ReplaceAll(f.Refusal, "|", "\\|")))
		}
	}
	return b.String(), nil
}
