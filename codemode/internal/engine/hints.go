package engine

import "strings"

// A hint says what to write instead. It stands in parentheses behind the
// interpreter's own message, which it never replaces.
type hint struct {
	message string // a part of the interpreter's message
	text    string // {name} stands for the attribute that was asked for
}

// withHint appends the first hint of the tables that fits.
func withHint(message string, tables ...[]hint) string {
	for _, hints := range tables {
		for _, h := range hints {
			if strings.Contains(message, h.message) {
				return message + " (" + strings.ReplaceAll(h.text, "{name}", attribute(message)) + ")"
			}
		}
	}
	return message
}

// nameHint returns what to use instead of an undefined name, if that is known.
func nameHint(name string) string {
	for _, h := range nameHints {
		if h.message == name {
			return h.text
		}
	}
	return ""
}

// attribute returns x of a message such as `dict has no .x field or method`.
func attribute(message string) string {
	_, name, _ := strings.Cut(message, " has no .")
	name, _, _ = strings.Cut(name, " field or method")
	return clean(name, maxNameBytes)
}

// resolveHints belong to what the resolver reports before anything runs.
var resolveHints = []hint{
	{"not support while loops", "use `for _ in range(1000):` with break"},
	{"not support sets", "use a dict with the items as keys, or a list"},
	{"cannot reassign global", "a top-level name is assigned once: put variables that change into main"},
	{"cannot reassign top-level", "a top-level name is assigned once: put variables that change into main"},
	{"if statement not within a function", "put the statement into main"},
	{"for loop not within a function", "put the loop into main, or use a comprehension"},
	{"return statement not within a function", "return the result from main"},
	{"load statement within", "load is disabled: json, math and all capabilities are there without it"},
	{"load: ", "load is disabled: json, math and all capabilities are there without it"},
	{"not in a loop", "break and continue belong into a for loop"},
	{"positional argument may not follow", "put positional arguments first; capabilities take keyword arguments only"},
	{"can't assign to", "assign to a name, x[key], or a tuple of names"},
	{"can't use tuple expression in augmented assignment", "update the names one by one"},
	{"can't use list expression in augmented assignment", "update the names one by one"},
	{"multiple **kwargs", "merge them: f(**(a | b))"},
	{"keyword argument may not follow *args", "put keyword arguments before *args"},
	{"bare * must be followed", "write the keyword-only parameters behind it"},
}

const (
	isNone   = "one of the values is None: test it with == None first, or use (x or 0), (x or \"\"), (x or [])"
	isMethod = "a field of a dict is read with x[\"items\"]; a method is called with ()"
	toNumber = "convert with int(s) or float(s)"
	isView   = "convert with list(x) first"
)

// finalHints belong to values that main may not return.
var finalHints = []hint{
	{"got builtin_function_or_method", isMethod},
	{"got a key of type", "convert the keys with str(key)"},
	{"not valid UTF-8", "strings are cut by bytes: take characters with \"\".join(list(s.codepoints())[:n])"},
}

// discarded is what there is to say about output.
const discarded = "what is printed is discarded: return the value from main"

// runtimeHints belong to what builtins and operators report while the program
// runs. Special cases stand before general ones.
var runtimeHints = []hint{
	{"builtin_function_or_method", isMethod},
	{"called recursively", "Starlark has no recursion: keep a list of what is left to do and loop over it"},

	{"string value is not iterable", "iterate over s.elems() or s.codepoints()"},
	{"got string, want iterable", "use s.elems() or s.codepoints() for the characters"},
	{"is not iterable: string", "use s.elems() or s.codepoints() for the characters"},
	{"NoneType value is not iterable", "the value is None: use (x or [])"},
	{"got NoneType, want iterable", "the value is None: use (x or [])"},
	{"int value is not iterable", "use range(n)"},
	{"got int, want iterable", "use range(n)"},

	{"got string in sequence assignment", "iterating over a dict gives its keys: use d.items() for pairs"},
	{"got int in sequence assignment", "use enumerate(xs) for positions with values"},
	{"dict: dictionary update sequence", "dict takes pairs, such as [(key, value)], or key=value"},

	{"unknown conversion %", "% has no width and no precision: round with math.round(x * 100) / 100, then use %s"},
	{"format requires integer", "convert with int(x)"},
	{"not enough arguments for format string", "give one value for each %, as a tuple: \"%s %s\" % (a, b)"},
	{"too many arguments for format string", "give one value for each %; a tuple that is one value is written (x,)"},
	{"format: tuple index out of range", "give one value for each {}"},
	{"format: keyword \"", "write {{ and }} for braces, or make JSON text with json.encode(x)"},
	{"format: keyword  ", "write {{ and }} for braces, or make JSON text with json.encode(x)"},
	{"format: keyword ", "pass it by name: \"{x}\".format(x=value)"},
	{"format spec features not supported", "{} takes nothing after a colon: round with math.round(x * 100) / 100 and pad by hand"},
	{"format: attribute syntax", "pass the value itself: \"{}\".format(x[\"key\"])"},
	{"format: element syntax", "pass the value itself: \"{}\".format(x[\"key\"])"},
	{"format: single '}' in format", "write }} for a brace"},
	{"format: unmatched '{' in format", "write {{ for a brace"},

	{"unknown binary op: string + NoneType", isNone},
	{"unknown binary op: string + ", "convert with str(x)"},
	{"+ NoneType", isNone},
	{"unknown binary op: NoneType", isNone},
	{"unknown binary op: int + string", "convert with str(x) or int(s)"},
	{"unknown binary op: float + string", "convert with str(x) or float(s)"},
	{"- NoneType", isNone},
	{"* NoneType", isNone},
	{"/ NoneType", isNone},
	{"in NoneType", isNone},
	{"cannot convert NoneType", isNone},
	{"unknown binary op: string * float", "convert with int(x)"},
	{"unknown binary op: dict + dict", "merge dicts with a | b"},
	{"unknown binary op: list | list", "join lists with a + b"},
	{"unknown binary op: list + tuple", "convert with list(x)"},
	{"unknown binary op: list + ", "only lists are joined: xs + [x]"},
	{"unknown binary op: list - list", "use [x for x in a if x not in b]"},
	{"unknown binary op: bool + ", "count with 1 if x else 0"},
	{"+ bool", "count with 1 if x else 0"},
	{"unknown binary op: string * string", toNumber},
	{"unknown binary op: string - ", toNumber},
	{"unknown binary op: string / ", toNumber},
	{"unknown binary op: string // ", toNumber},
	{"unary op: - string", toNumber},
	{"t - string", toNumber},
	{"t / string", toNumber},
	{"t // string", toNumber},
	{"dict < dict not implemented", "say what to sort by: sorted(xs, key=lambda x: x[\"name\"])"},
	{"dict > dict not implemented", "say what to compare: max(xs, key=lambda x: x[\"name\"])"},
	{" NoneType not implemented", "one of the values is None: test it first, or sort with key=lambda x: x or 0, for texts x or \"\""},
	{"NoneType < ", "one of the values is None: test it first, or sort with key=lambda x: x or 0, for texts x or \"\""},
	{"NoneType > ", "one of the values is None: test it first"},
	{" not implemented", "values of different types have no order: convert them, or give sorted, min and max a key"},

	{"unhashable type: list", "use a tuple as the key: tuple(x)"},
	{"unhashable type: dict", "use a field of it as the key, or json.encode(x)"},
	{"key 0 not in dict", "the value is a dict: read a field of it first, such as x[\"items\"]"},
	{"not in dict", "describe_api lists the keys of a result, case counts; use d.get(key) for one that may be missing"},
	{"unhandled index operation NoneType", "the value is None: test it with == None first"},
	{"unhandled index operation namespace", "write namespace.name(key=value), with a dot"},
	{"unhandled index operation string.", isView},
	{"unhandled index operation bytes.", isView},
	{"unhandled index operation", "only strings, lists, tuples and dicts have elements"},
	{"does not support item assignment", "strings and tuples do not change: build a new one"},
	{"can't assign to .", "only dicts have fields that can be set: x[\"key\"] = value"},
	{"NoneType has no len", "the value is None: use (x or [])"},
	{"value of type string.", isView},
	{"invalid slice operand string.", isView},
	{"has no len", "only strings, lists, tuples, dicts and ranges have a length"},
	{"string index: got string, want int", "the value is a string: iterating over a dict gives its keys, so read the field that holds the list first"},
	{"list index: got string, want int", "the value is a list: take an element first, xs[0][\"key\"], or loop over it"},
	{"index: got float, want int", "convert with int(x)"},
	{"got float, want int", "convert with int(x)"},
	{"during iteration", "iterate over a copy: for x in list(xs)"},
	{"local variable", "a name that a function assigns is local to it: use another name, or keep the value in a dict"},
	{"global variable", "it is assigned further down"},

	{"pop: missing key", "use d.pop(key, None)"},
	{"substring not found", "use s.find(part), which returns -1"},
	{"index: value not in list", "test with x in xs first"},
	{"remove: element not found", "test with x in xs first"},
	{"argument is an empty sequence", "test the list first: max(xs) if xs else 0"},
	{"join: in list, want string", "convert the items: \", \".join([str(x) for x in xs])"},
	{"function lambda missing 1 argument", "key functions take one value: key=lambda x: ..."},
	{"for parameter key: got", "name the options: sorted(xs, key=lambda x: ..., reverse=True)"},
	{"json.encode: unexpected keyword arguments", "use json.indent(json.encode(x)) for lines"},
	{": unexpected keyword arguments", "it takes positional arguments only"},

	{"max: unexpected keyword argument \"default\"", "use max(xs) if xs else 0"},
	{"min: unexpected keyword argument \"default\"", "use min(xs) if xs else 0"},
	{"sorted: unexpected keyword argument \"cmp\"", "use key=lambda x: ..."},
	{"print: unexpected keyword argument", discarded},
	{"sum: got 2 arguments", "sum takes one iterable of numbers: add the start value to it; flatten lists with [x for xs in lists for x in xs]"},
	{"got NoneType, want int or float", isNone},
	{"got bool, want int or float", "count with len([x for x in xs if condition])"},
	{"sum: at index", "sum adds ints and floats: use \"\".join(xs) for strings, [x for xs in lists for x in xs] for lists"},
	{"split: empty separator", "use list(s.elems()) for the characters"},
	{"json.decode: for parameter x: got", "json.decode takes text: results of capabilities are values already"},
	{"json.indent: for parameter 1", "json.indent takes text: json.indent(json.encode(x))"},
	{"json.encode: dict has", "JSON keys are strings: use str(key)"},
	{"int: invalid literal", "use int(float(s)) for a decimal number; drop separators with s.replace(\",\", \"\")"},
	{"round: got 2 arguments", "for two digits use math.round(x * 100) / 100"},
	{"got string, want callable", "use key=lambda x: x[\"name\"]"},
	{"swith: invalid start index", "give several texts as one tuple: s.startswith((a, b))"},
	{"swith: got list", "give several texts as one tuple: s.startswith((a, b))"},
	{"got string, want float or int", toNumber},
	{"got string, want int or float", toNumber},
	{"got string, want int", "convert with int(s)"},
	{"invalid call of non-function (namespace)", "call one of its capabilities: namespace.name(key=value)"},
	{"invalid call of non-function (dict)", "read a field with x[\"key\"]"},
	{"invalid call of non-function (NoneType)", "the value is None"},
	{"invalid call of non-function", "a variable may hide the function of this name; if so, rename the variable"},
}
