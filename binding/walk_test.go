package binding_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/codemode-go/codemode/binding"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// run runs the body of a function and returns its variable named value. Values
// of a module would be frozen, which takes forever where tuples share tuples.
func run(t testing.TB, body string) starlark.Value {
	t.Helper()
	program := "def main():\n  " + strings.ReplaceAll(body, "\n", "\n  ") + "\n  return value"
	thread := &starlark.Thread{}
	globals, err := starlark.ExecFileOptions(&syntax.FileOptions{Set: true}, thread, "test", program, nil)
	if err != nil {
		t.Fatal(err)
	}
	value, err := starlark.Call(thread, globals["main"], nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestWalkStarlark(t *testing.T) {
	tests := []struct{ rule, program, want string }{
		{"None", `value = None`, `None`},
		{"bool", `value = True`, `true`},
		{"int", `value = -5`, `-5`},
		{"the largest int", `value = 9223372036854775807`, `9223372036854775807`},
		{"the smallest int", `value = -9223372036854775808`, `-9223372036854775808`},
		{"float", `value = 1.0`, `1f`},
		{"str", `value = "grün\n"`, `"grün\n"`},
		{"tuple", `value = (1, (), ("a",))`, `[3 1 [0 [1 "a"`},
		{"list", `value = [[], [None, 1.5]]`, `[2 [0 [2 None 1.5f`},
		{"dict in its order", `value = {"b": 1, "a": {}, "": [()]}`, `{3 b: 1 a: {0 : [1 [0`},
		{"one container many times is no cycle", "x = [1]\ny = {'x': x}\nvalue = [x, x, y, (y, x)]", `[4 [1 1 [1 1 {1 x: [1 1 [2 {1 x: [1 1 [1 1`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			var v trace
			value := run(t, test.program)
			if err := binding.WalkStarlark(value, &v); err != nil {
				t.Fatal(err)
			}
			if got := v.text(); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			var frozen trace
			value.Freeze()
			if err := binding.WalkStarlark(value, &frozen); err != nil || frozen.text() != test.want {
				t.Errorf("frozen: got %s and %v", frozen.text(), err)
			}
		})
	}
}

const wantPlain = "want None, bool, int, float, str, list, tuple or dict"

func TestWalkStarlarkRefuses(t *testing.T) {
	tests := []struct{ rule, program, want string }{
		{"above int64", `value = 9223372036854775808`, "got an int out of range, want a signed 64-bit int"},
		{"below int64", `value = -9223372036854775809`, "got an int out of range, want a signed 64-bit int"},
		{"NaN", `value = {"a": [float("nan")]}`, "a[0]: got nan, want a finite number"},
		{"infinity", `value = (float("-inf"),)`, "[0]: got -inf, want a finite number"},
		{"invalid UTF-8", `value = [{"a": "é"[1:]}]`, "[0].a: got a str that is not valid UTF-8"},
		{"invalid UTF-8 in a key", `value = {"a": {"é"[1:]: 1}}`, "a: got a key that is not valid UTF-8"},
		{"int key", `value = {"a": {1: 2}}`, "a: got a key of type int, want str keys"},
		{"None key", `value = {None: 2}`, "got a key of type None, want str keys"},
		{"tuple key", `value = {("a",): 2}`, "got a key of type tuple, want str keys"},
		{"range", `value = {"ids": range(3)}`, "ids: got range, " + wantPlain + "; convert with list(…)"},
		{"set", `value = [set([1])]`, "[0]: got set, " + wantPlain + "; convert with list(…)"},
		{"bytes", `value = b"a"`, "got bytes, " + wantPlain + "; convert with str(…) or list(….elems())"},
		{"string elements", `value = "abc".elems()`, `got "string.elems", ` + wantPlain + "; convert with list(…)"},
		{"function", "def f(): pass\nvalue = [f]", "[0]: got function, " + wantPlain + "; call it"},
		{"lambda", "value = lambda: 1", "got function, " + wantPlain + "; call it"},
		{"builtin", "value = {'a b': len}", `["a b"]: got builtin_function_or_method, ` + wantPlain + "; call it"},
		{"a list in itself", "value = []\nvalue.append(value)", "[0]: got a value that contains itself, want one without cycles"},
		{"a dict in itself", "value = {}\nvalue['x'] = value", "x: got a value that contains itself, want one without cycles"},
		{"through a tuple", "x = []\nx.append((1, {'y': x}))\nvalue = (x,)", "[0][0][1].y: got a value that contains itself, want one without cycles"},
		{"a long key in a path", `value = {"x" * 1000000: float("nan")}`, `["` + strings.Repeat("x", 64) + `"…]: got nan, want a finite number`},
		{"a deep path", "value = float('nan')\nfor i in range(100): value = [value]",
			strings.Repeat("[0]", 8) + "…" + strings.Repeat("[0]", 8) + ": got nan, want a finite number"},
		{"a path of sixteen", "value = float('nan')\nfor i in range(16): value = [value]",
			strings.Repeat("[0]", 16) + ": got nan, want a finite number"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			err := binding.WalkStarlark(run(t, test.program), &discard{})
			var value *binding.ValueError
			if !errors.As(err, &value) || value.Error() != test.want {
				t.Fatalf("got  %v\nwant %s", err, test.want)
			}
			if strings.Contains(err.Error(), "\n") || !utf8.ValidString(err.Error()) {
				t.Errorf("got %q, want one line of UTF-8", err)
			}
		})
	}
}

func TestWalkStarlarkOfNil(t *testing.T) {
	err := binding.WalkStarlark(nil, &discard{})
	if err == nil || err.Error() != "got nothing, "+wantPlain {
		t.Errorf("got %v, want a *ValueError", err)
	}
}

// A small visitor runs out of depth or events, as an encoder does.
type small struct {
	discard
	limit int
}

func (s *small) count() error {
	if s.events > s.limit {
		return errStop
	}
	return nil
}

func (s *small) List(n int) error      { s.discard.List(n); return s.count() }
func (s *small) Dict(n int) error      { s.discard.Dict(n); return s.count() }
func (s *small) String(v string) error { s.discard.String(v); return s.count() }

func TestCyclesComeBeforeLimits(t *testing.T) {
	tests := []struct{ rule, program string }{
		{"depth runs out first", "value = [1]\nx = value\nfor i in range(1000): x = [x]\nvalue.append(x)"},
		{"size runs out first", "value = ['x' for i in range(1000)]\nvalue.append(value)"},
		{"below many shared containers", "value = []\nx = value\nfor i in range(100): x = [x, x, (x, {'a': x})]\nvalue.append(x)"},
		{"behind slices of one tuple", "x = []\ny = (1, x)\nx.append(y)\nvalue = [y[:1]] * 100 + [y]"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			err := binding.WalkStarlark(run(t, test.program), &small{limit: 50})
			var value *binding.ValueError
			if !errors.As(err, &value) || !strings.Contains(value.Problem, "contains itself") {
				t.Errorf("got %v, want the cycle", err)
			}
		})
	}
}

func TestSharedContainersAreNoCycle(t *testing.T) {
	// 2^100 paths: the visitor stops the walk, and the look for a cycle must
	// see each container once.
	for _, program := range []string{
		"value = []\nfor i in range(100): value = [value, value]",
		"value = ()\nfor i in range(100): value = (value, value)",
		"value = {}\nfor i in range(100): value = {'a': value, 'b': (value, value)}",
	} {
		if err := binding.WalkStarlark(run(t, program), &small{limit: 1000}); err != errStop {
			t.Errorf("got %v, want the visitor's error unchanged", err)
		}
	}
}

func TestWalkStarlarkReturnsVisitorErrorsUnchanged(t *testing.T) {
	value := run(t, `value = {"a": [1, ("x",)], "b": {"c": None}}`)
	var all trace
	if err := binding.WalkStarlark(value, &all); err != nil {
		t.Fatal(err)
	}
	for fail := 1; fail <= len(all.words); fail++ {
		v := trace{fail: fail}
		if err := binding.WalkStarlark(value, &v); err != errStop || len(v.words) != fail {
			t.Errorf("event %d: got %v after %d events, want the visitor's error at once", fail, err, len(v.words))
		}
	}
	// No iterator is left open: the dicts can still be changed.
	if err := value.(*starlark.Dict).SetKey(starlark.String("new"), starlark.None); err != nil {
		t.Error(err)
	}
}

func TestDeepValues(t *testing.T) {
	// Without a limit of the visitor, depth costs linear time.
	value := run(t, "value = []\nfor i in range(100000): value = [value]")
	var v discard
	if err := binding.WalkStarlark(value, &v); err != nil || v.events != 100001 {
		t.Errorf("got %v after %d events", err, v.events)
	}
	cycle := run(t, "value = []\nx = value\nfor i in range(1000): x = [x]\nvalue.append(x)")
	if err := binding.WalkStarlark(cycle, &v); err == nil || !strings.Contains(err.Error(), "contains itself") {
		t.Errorf("got %v, want the cycle", err)
	}
}

func TestTypeNamesAreBounded(t *testing.T) {
	err := binding.WalkStarlark(loudValue{starlark.None}, &discard{})
	if err == nil || len(err.Error()) > 500 || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %q, want one bounded line", fmt.Sprint(err))
	}
}

// loudValue is a host's value with a type name of a megabyte.
type loudValue struct{ starlark.Value }

func (loudValue) Type() string { return strings.Repeat("loud\n", 200000) }
