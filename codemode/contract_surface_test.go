package codemode_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	starjson "go.starlark.net/lib/json"
	starmath "go.starlark.net/lib/math"
	startime "go.starlark.net/lib/time"
	"go.starlark.net/starlark"

	"github.com/codemode-go/codemode/codemode"
)

// The fixed language surface, as the contract lists it.
const (
	topLevel = "False, None, True, abs, all, any, bool, bytes, chr, dict, dir, enumerate, fail, float, getattr, hasattr, hash, int, json, len, list, math, max, min, ord, print, range, repr, reversed, sorted, str, sum, tuple, type, zip"
	inJSON   = "decode, encode, indent"
	inMath   = "acos, acosh, asin, asinh, atan, atan2, atanh, ceil, copysign, cos, cosh, degrees, e, exp, fabs, floor, gamma, hypot, log, mod, pi, pow, radians, remainder, round, sin, sinh, sqrt, tan, tanh"
)

func TestLanguageSurfaceIsExact(t *testing.T) {
	server := start(t, codemode.Options{}, returning("x.y", empty{}))
	quoted := func(list string) string { return asJSON(t, strings.Split(list, ", ")) }
	t.Run("every listed name is there", func(t *testing.T) {
		wantValue(t, server, body("return len(["+topLevel+"])"), fmt.Sprint(len(strings.Split(topLevel, ", "))))
	})
	t.Run("the members of json and math are the listed ones", func(t *testing.T) {
		wantValue(t, server, body("return [dir(json), dir(math)]"), "["+quoted(inJSON)+","+quoted(inMath)+"]")
		for _, name := range strings.Split(inJSON, ", ") {
			wantValue(t, server, body("return type(json."+name+")"), `"builtin_function_or_method"`)
		}
		for _, name := range strings.Split(inMath, ", ") {
			wantValue(t, server, body("return hasattr(math, '"+name+"') and type(math."+name+") in ('float', 'builtin_function_or_method')"), "true")
		}
	})
	t.Run("every other name is not", func(t *testing.T) {
		others := []string{"set", "load", "time", "struct", "module", "proto", "filter", "map", "reduce", "input", "open", "eval", "exec", "globals", "locals", "vars", "id", "callable", "isinstance",
			"round", "pow", "divmod", "iter", "next", "object", "super", "import", "__import__", "__name__", "__builtins__", "exit", "os", "sys", "re", "datetime", "random", "y", "records", "assert", "freeze", "codemode", "warm", "Error"}
		for name := range starlark.Universe {
			others = append(others, name)
		}
		for name := range starjson.Module.Members {
			others = append(others, name)
		}
		for name := range starmath.Module.Members {
			others = append(others, name)
		}
		listed := strings.Split(topLevel, ", ")
		for _, name := range others {
			if !slices.Contains(listed, name) {
				wantFault(t, server, body("return "+name), codemode.ErrInvalidProgram)
			}
		}
		for name := range starjson.Module.Members {
			wantValue(t, server, body("return hasattr(json, '"+name+"')"), fmt.Sprint(slices.Contains(strings.Split(inJSON, ", "), name)))
		}
		for name := range starmath.Module.Members {
			wantValue(t, server, body("return hasattr(math, '"+name+"')"), fmt.Sprint(slices.Contains(strings.Split(inMath, ", "), name)))
		}
		for name := range startime.Module.Members {
			wantFault(t, server, body("return time."+name), codemode.ErrInvalidProgram)
		}
		wantFault(t, server, body("return json.encode_indent({})"), codemode.ErrInvalidProgram)
	})
}

// TestBuiltins: what the listed names do where a host or a model relies on it.
func TestBuiltins(t *testing.T) {
	server := start(t, codemode.Options{}, returning("x.y", empty{}))
	for source, want := range map[string]string{
		"sum([1, 2, 3])": "6", "sum([])": "0", "sum([1, 2.5])": "3.5", "sum((1.5,))": "1.5", "sum(range(4))": "6", "sum({1: 'a', 2: 'b'})": "3", "sum([1<<70, -(1<<70)])": "0", "type(sum([1]))": `"int"`,
		"json.decode('{\"a\": [1, 2.0, null]}')": `{"a":[1,2,null]}`, "json.encode({'a': (1, None, True)})": `"{\"a\":[1,null,true]}"`, "json.indent('{\"a\":1}')": `"{\n\t\"a\": 1\n}"`,
		"json.decode('x', None)": "null", "math.floor(1.5)": "1", "math.ceil(1.2)": "2", "math.pow(2, 10)": "1024", "math.round(2.5)": "3", "type(math.pi)": `"float"`, "math.sqrt(9)": "3",
		"[print(1), print('a', sep='')]": "[null,null]", "sorted([3, 1, 2], reverse=True)": "[3,2,1]", "max([1, 3], key=lambda x: -x)": "1", "chr(233)": `"é"`, "ord('é')": "233", "list(bytes('a').elems())": "[97]",
		"hash('a') == hash('a')": "true", "type(hash('a'))": `"int"`, "getattr('a', 'nope', 7)": "7", "'%d %s %r' % (1, 'a', 'b')": `"1 a \"b\""`, "'{} {a}'.format(1, a=2)": `"1 2"`, "zip([1], 'b'.elems())": `[[1,"b"]]`,
		"[x for x in range(5) if x % 2]": "[1,3]", "{k: v for k, v in [('a', 1)]}": `{"a":1}`, "(lambda a, *b, c=1, **d: [a, b, c, d])(1, 2, e=3)": `[1,[2],1,{"e":3}]`, "1 if [] else 2": "2", "'a' in {'a': 1}": "true",
		"10 // 3, -10 // 3, 10 % -3, 7 / 2": "[3,-4,-2,3.5]", "1 << 62 >> 61": "2", "~5 ^ 3 & 6 | 8": "-8", "'abc'[::-1]": `"cba"`, "list('añ'.codepoints())": `["a","ñ"]`, "len('é')": "2", "[1] + [2] * 2": "[1,2,2]", "{'a': 1} | {'b': 2}": `{"a":1,"b":2}`,
	} {
		wantValue(t, server, body("return "+source), want)
	}
	for _, source := range []string{
		"sum()", "sum(1)", "sum([1], 2)", "sum([1], start=2)", "sum(iterable=[1])", "sum(['a'])", "sum('ab')", "sum([True])", "sum([None])", "sum([[1], [2]])", "sum({'a': 1})", "json.decode('{')", "json.decode(1)",
		"json.encode(len)", "json.encode(float('nan'))", "json.indent('{')", "math.sqrt('a')", "math.nothing", "json.dumps({})", "1 / 0", "1 // 0", "1 % 0", "[][0]", "{}['a']", "'a' + 1", "int('x')", "fail('x')", "None.x", "len(1)", "chr(-1)", "hash(1.5) if False else hash([])",
		"x.y.z", "x.y = 1" + "", "x['y']", "x()", "x + 1", "for", "'a'.nothing()", "(lambda: 1)(2)", "sorted([1, 'a'])", "getattr(x, 'nope')", "1 < 'a'", "{[]: 1}", "dict([1])", "str(b'\\xff')  + 1",
	} {
		wantFault(t, server, body("return "+source), codemode.ErrInvalidProgram)
	}
}

// TestDialect: what of Python is no Starlark, and what of Starlark is on.
func TestDialect(t *testing.T) {
	server := start(t, codemode.Options{}, returning("x.y", box[int]{1}))
	for rule, program := range map[string]string{
		"import": "import json\ndef main(): return 1\n", "from import": "from json import decode\ndef main(): return 1\n", "while": "def main():\n    while True:\n        return 1\n",
		"while that is false": "def main():\n    while False: pass\n    return 1\n", "f-string": "def main(): return f'{1}'\n", "try": "def main():\n    try:\n        return 1\n    except: pass\n", "class": "class A: pass\ndef main(): return 1\n",
		"with": "def main():\n    with x as y: return 1\n", "yield": "def main():\n    yield 1\n", "is": "def main(): return 1 is 1\n", "walrus": "def main():\n    if (y := 1): return y\n", "annotation": "def main() -> int: return 1\n",
		"decorator": "@x\ndef main(): return 1\n", "set literal": "def main(): return list({1, 2})\n", "set": "def main(): return list(set([1]))\n", "set comprehension": "def main(): return {x for x in [1]}\n", "generator": "def main(): return list(x for x in [1])\n",
		"global": "X = 1\ndef main():\n    global X\n    return X\n", "del": "def main():\n    d = {}\n    del d['a']\n", "raise": "def main():\n    raise 'a'\n", "assert": "def main():\n    assert True\n    return 1\n", "async": "async def main(): return 1\n",
		"recursion": "def f(n): return n if n == 0 else f(n - 1)\ndef main(): return f(3)\n", "recursion of main": "def main(): return main()\n", "mutual recursion": "def f(): return g()\ndef g(): return f()\ndef main(): return f()\n",
		"if at the top": "if True:\n    X = 1\ndef main(): return 1\n", "for at the top": "for i in [1]: pass\ndef main(): return 1\n", "reassigned global": "X = 1\nX = 2\ndef main(): return X\n", "second main": "def main(): return 1\ndef main(): return 2\n",
		"augmented global": "X = 1\nX += 1\ndef main(): return X\n", "assignment to a global in main": "X = [1]\ndef main():\n    X += [2]\n    return X\n", "load": "load('a.star', 'x')\ndef main(): return 1\n", "load in a function": "def main():\n    load('a.star', 'b')\n",
		"power": "def main(): return 2 ** 3\n", "chained comparison": "def main(): return 1 < 2 < 3\n", "implicit concatenation": "def main(): return 'a' 'b'\n", "<>": "def main(): return 1 <> 2\n", "star target": "def main():\n    a, *b = [1, 2]\n    return a\n",
		"star in a list": "def main(): return [*[1]]\n", "return at the top": "return 1\ndef main(): return 1\n", "string iteration": "def main(): return [c for c in 'ab']\n", "break outside": "def main():\n    break\n", "unbalanced indent": "def main():\n    x = 1\n  return x\n",
		"positional after keyword": "def main(): return dict(a=1, [])\n", "nonlocal": "def main():\n    n = 1\n    def f():\n        nonlocal n\n    return n\n", "use before assignment": "def main():\n    y = z\n    z = 1\n    return y\n", "empty": "", "comment only": "# main\n", "spaces only": "  \n\n",
	} {
		t.Run("not "+rule, func(t *testing.T) { wantFault(t, server, codemode.Program(program), codemode.ErrInvalidProgram) })
	}
	for rule, program := range map[string]string{
		"lambda": "def main(): return (lambda n: n)(1)\n", "nested function": "def main():\n    def f(): return 1\n    return f()\n", "closure": "def main():\n    n = [0]\n    def f(): n[0] += 1\n    f()\n    return n[0]\n",
		"module-level list is not frozen": "L = []\ndef main():\n    L.append(1)\n    return L[0]\n", "module-level dict is not frozen": "D = {}\ndef main():\n    D['a'] = 1\n    return D['a']\n", "a mutable default": "def f(l=[]):\n    l.append(1)\n    return len(l)\ndef main(): return f()\n",
		"global augmented through an index": "L = [0]\ndef main():\n    L[0] += 1\n    return L[0]\n", "conditional at the top": "X = 1 if True else 2\ndef main(): return X\n", "comprehension at the top": "X = [i for i in range(2)]\ndef main(): return X[1]\n", "helpers after main": "def main(): return f()\ndef f(): return 1\n",
		"print at the top": "print('x')\ndef main(): return 1\n", "one line": "def main(): return 1", "no newline at the end": "def main():\n    return 1", "semicolons": "def main(): x = 1; return x\n", "CRLF": "def main():\r\n    x = 1\r\n    return x\r\n", "CR": "def main():\r    return 1\r",
		"tabs": "def main():\n\treturn 1\n", "docstring": "\"\"\"doc\"\"\"\ndef main():\n    \"\"\"doc\"\"\"\n    return 1\n", "raw string": "def main(): return len(r'\\n') - 1\n", "unicode names": "def größe(): return 1\ndef main(): return größe()\n", "shadowed builtin": "def main():\n    list = 1\n    return list\n",
		"shadowed namespace": "def main():\n    x = {'y': 1}\n    return x['y']\n", "global named like a namespace": "x = 1\ndef main(): return x\n", "fail is not reached": "def main():\n    if False: fail('x')\n    return 1\n", "pass": "def main():\n    pass\n    return 1\n",
	} {
		t.Run(rule, func(t *testing.T) { wantValue(t, server, codemode.Program(program), "1") })
	}
}

// TestSourceText: what the text itself may not hold.
func TestSourceText(t *testing.T) {
	server := start(t, codemode.Options{})
	for rule, program := range map[string]codemode.Program{
		"NUL": "def main(): return 1\x00", "NUL in a string": "def main(): return '\x00'", "NUL in a comment": "# \x00\ndef main(): return 1", "invalid UTF-8": "def main(): return '\xff'", "invalid UTF-8 in a comment": "#\xc3\ndef main(): return 1",
		"surrogate": "def main(): return '\xed\xa0\x80'", "byte-order mark": "\ufeffdef main(): return 1",
	} {
		t.Run(rule, func(t *testing.T) {
			wantFault(t, server, program, codemode.ErrInvalidProgram)
			_, err := do(t, server, program)
			if word := strings.Fields(rule)[0]; !strings.Contains(err.Error(), word) && rule != "surrogate" && !strings.Contains(err.Error(), "UTF-8") {
				t.Errorf("got %v, want it to name the %s", err, word)
			}
		})
	}
	wantValue(t, server, "def main(): return '\\x00\\u00e9é'", `"\u0000éé"`)
	wantValue(t, server, "def main(): return len('\ufeff')", "3")
}

// TestSourceTextHasItsPlace: in a fault as in a check.
func TestSourceTextHasItsPlace(t *testing.T) {
	server := start(t, codemode.Options{})
	for program, want := range map[codemode.Program]codemode.Problem{
		"def main():\n    return '\x00'\n": {Line: 2, Column: 13, Message: "the source contains a NUL byte"},
		"# é\r\n# é\xff\r\n":               {Line: 2, Column: 4, Message: "the source is not valid UTF-8"},
		"\ufeffdef main(): return 1":       {Line: 1, Column: 1, Message: "the source starts with a byte-order mark"},
	} {
		_, err := do(t, server, program)
		if err == nil || !strings.HasPrefix(err.Error(), "invalid program: "+want.String()) {
			t.Errorf("%q: got %v, want %v", program, err, want)
		}
		problems, err := server.Check(t.Context(), program)
		if err != nil || len(problems) != 1 || !strings.HasPrefix(problems[0].String(), want.String()) {
			t.Errorf("%q: check got %v, %v, want %v", program, problems, err, want)
		}
	}
}

func TestHostDefinedTime(t *testing.T) {
	server := start(t, codemode.Options{}, offer("time.now", func(context.Context, empty) (box[int], error) { return box[int]{7}, nil }))
	wantValue(t, server, body("return time.now()['v']"), "7")
	wantFault(t, server, body("return time.time()"), codemode.ErrInvalidProgram)
}
