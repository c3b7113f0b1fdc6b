package codemode_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/codemode-go/codemode/codemode"
)

// TestEntryPoint: a function named main without parameters of any kind.
func TestEntryPoint(t *testing.T) {
	server := start(t, codemode.Options{}, returning("x.y", empty{}), returning("main.y", empty{}))
	for rule, program := range map[string]string{
		"no main": "def other(): return 1", "a parameter": "def main(a): return 1", "a default": "def main(a=1): return 1", "variadic": "def main(*args): return 1", "variadic keywords": "def main(**kwargs): return 1",
		"keyword-only": "def main(*, a): return 1", "keyword-only with a default": "def main(*, a=1): return 1", "both": "def main(*args, **kwargs): return 1", "an int": "main = 1", "a string": "main = 'x'", "None": "main = None", "a list": "main = [1]",
		"a builtin": "main = len", "a bound method": "main = 'x'.upper", "a capability": "main = x.y", "a namespace": "main = x", "a module": "main = json", "a lambda with a parameter": "main = lambda a: 1", "a lambda with a default": "main = lambda a=1: 1", "a variadic lambda": "main = lambda *a: 1",
		"Main": "def Main(): return 1", "main in a function": "def f():\n    def main(): return 1\n", "main in a comprehension": "[main for main in [1]]", "an alias of a function with a parameter": "def f(a): return 1\nmain = f", "used before it is": "X = main\ndef main(): return 1", "only the namespace main": "X = 1",
	} {
		t.Run("not "+rule, func(t *testing.T) { wantFault(t, server, codemode.Program(program+"\n"), codemode.ErrInvalidProgram) })
	}
	for rule, program := range map[string]string{
		"def": "def main(): return 1", "lambda": "main = lambda: 1", "alias": "def f(): return 1\nmain = f", "closure": "def make():\n    n = 1\n    def f(): return n\n    return f\nmain = make()", "conditional": "main = (lambda: 1) if True else None", "unpacked": "main, other = (lambda: 1), 2",
		"in parentheses": "main = (lambda: 1)",
	} {
		t.Run(rule, func(t *testing.T) { wantValue(t, server, codemode.Program(program+"\n"), "1") })
	}
}

// TestLoadPhaseRefusesCalls, however they are reached, and says so before a
// handler or an authorizer hears of it.
func TestLoadPhaseRefusesCalls(t *testing.T) {
	var calls atomic.Int64
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxNativeCalls: 1}}, offer("x.y", func(context.Context, empty) (box[int], error) { calls.Add(1); return box[int]{1}, nil }), offer("x.arg", func(context.Context, keyInput) (empty, error) { calls.Add(1); return empty{}, nil }))
	for rule, top := range map[string]string{
		"directly": "R = x.y()", "as a statement": "x.y()", "by an alias": "f = x.y\nf()", "by an alias of the namespace": "n = x\nn.y()", "by getattr": "getattr(x, 'y')()", "in a function": "def f(): return x.y()\nf()", "in a lambda": "(lambda: x.y())()",
		"in a default argument": "def f(a=x.y()): return a", "in a comprehension": "[x.y() for _ in range(1)]", "in a dict comprehension": "{1: x.y() for _ in range(1)}", "as a sort key": "sorted([1, 2], key=lambda _: x.y())", "as the sort key itself": "sorted([1], key=x.arg)", "in an expression": "R = 1 + x.y()['v']",
		"in a condition": "R = 1 if x.y() else 2", "in main that is called": "main()", "in an argument": "str(x.y())", "in a format": "'{}'.format(x.y())", "with wrong arguments": "x.y(1)", "with missing arguments": "x.arg()", "in a tuple": "R = (1, (x.y(),))", "through **": "x.arg(**{'key': 'a'})", "through a dict": "{'f': x.y}['f']()", "through a max key": "max([1, 2], key=lambda _: x.y()['v'])",
	} {
		t.Run(rule, func(t *testing.T) {
			main := "def main():\n    return x.y()['v']\n"
			program := top + "\n" + main
			if strings.Contains(top, "main()") {
				program = main + top + "\n"
			}
			wantFault(t, server, codemode.Program(program), codemode.ErrInvalidProgram)
			if n := calls.Swap(0); n != 0 {
				t.Errorf("%d calls reached a handler", n)
			}
		})
	}
	for rule, top := range map[string]string{
		"naming it": "F = x.y", "listing it": "L = [x.y, x.arg]", "asking for it": "H = hasattr(x, 'y')", "defining a function that calls": "def f(): return x.y()", "a lambda that calls": "f = lambda: x.y()", "a default that is the capability": "def f(call=x.y): return call()",
		"str of it": "S = str(x.y) + repr(x)", "a call that is not reached": "R = 1 or x.y()",
	} {
		t.Run("not by "+rule, func(t *testing.T) {
			calls.Store(0)
			wantValue(t, server, codemode.Program(top+"\ndef main():\n    return x.y()['v']\n"), "1")
			if n := calls.Load(); n != 1 {
				t.Errorf("%d calls reached the handler, want that of main", n)
			}
		})
	}
	t.Run("main may call what the top level named", func(t *testing.T) {
		wantValue(t, server, "F = x.y\nG = lambda: F()\ndef main():\n    return G()['v']\n", "1")
	})
}

// TestNamespaces: what a program can see of them.
func TestNamespaces(t *testing.T) {
	server := start(t, codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"x.hidden", "vanished.y", "x.dark.z"}},
		named("x.b"), named("x.a"), named("x.deep.er.leaf"), named("x.deep.c"), named("x.hidden"), named("vanished.y"), named("x.dark.z"), named("X.a"), named("größe.länge"))
	for source, want := range map[string]string{
		"dir(x)": `["a","b","deep"]`, "dir(x.deep)": `["c","er"]`, "dir(X)": `["a"]`, "hasattr(x, 'a')": "true", "hasattr(x, 'hidden')": "false", "hasattr(x, 'dark')": "false", "hasattr(x, 'A')": "false", "hasattr(x, 'deep.c')": "false", "hasattr(x, '')": "false",
		"getattr(x, 'a')(key='')": "{}", "getattr(x, 'nope', 1)": "1", "x.deep.er.leaf(key='')": "{}", "type(x) == type(x.deep)": "true", "type(x.a)": `"builtin_function_or_method"`, "x == x": "true", "x.a == x.a": "true", "x.deep == x.deep": "true", "x == X": "false", "x.a == x.b": "false",
		"bool(x)": "true", "[f(key='') for f in [x.a, x.b]]": "[{},{}]", "größe.länge(key='')": "{}", "'hidden' in repr(x)": "false", "type(repr(x)) + type(str(x.a))": `"stringstring"`, "x.a in [x.a]": "true", "(lambda n: n.a(key=''))(x)": "{}", "{'f': x.a}['f'](key='')": "{}",
	} {
		wantValue(t, server, body("return "+source), want)
	}
	for _, source := range []string{"hash(x)", "{x: 1}", "x.hidden", "x.dark", "vanished", "vanished.y", "x()", "x.deep()", "x.a.b", "x[0]", "len(x)", "list(x)", "x < X", "x.a < x.b", "x + x", "'a' in x", "x.nope", "getattr(x, 'nope')", "X.b", "x.deep.leaf", "json.encode(x)", "größe.lange(key='')"} {
		wantFault(t, server, body("return "+source), codemode.ErrInvalidProgram)
	}
	for _, statement := range []string{"x.a = 1", "x.new = 1", "x.deep.c = 2", "x.a += 1", "json.new = 1"} {
		wantFault(t, server, body(statement), codemode.ErrInvalidProgram)
	}
	wantFault(t, server, body("return [x.a, x.hidden]"), codemode.ErrInvalidProgram)
	t.Run("a disabled name reads like one that never was", func(t *testing.T) {
		for disabled, never := range map[string]string{"x.hidden": "x.hidzen", "x.dark": "x.darq", "vanished": "vanishet", "vanished.y": "vanishet.y"} {
			_, got := do(t, server, body("return "+disabled+"(key='a')"))
			_, want := do(t, server, body("return "+never+"(key='a')"))
			last := func(name string) string { return name[strings.LastIndex(name, ".")+1:] }
			text := strings.ReplaceAll(strings.ReplaceAll(want.Error(), "vanishet", "vanished"), last(never), last(disabled))
			if got.Error() != text {
				t.Errorf("got %q, want %q", got, text)
			}
		}
		_, err := do(t, server, body("return x.hiddem(key='a')"))
		if strings.Contains(err.Error(), "hidden") {
			t.Errorf("got %v, which suggests a disabled name", err)
		}
	})
}
