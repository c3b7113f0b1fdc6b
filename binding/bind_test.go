package binding_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/codemode-go/codemode/binding"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

type searchInput struct {
	Count int64    `json:"count"`
	Query string   `json:"search_query"`
	Live  *bool    `json:"live,omitempty"`
	Score *float64 `json:"score"`
}

// call evaluates a Starlark expression in which f binds its arguments against
// the input and pushes them into v.
func call(t *testing.T, in binding.Input, expression string, v binding.Visitor) error {
	t.Helper()
	f := starlark.NewBuiltin("f", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return starlark.None, in.Bind(args, kwargs, v)
	})
	_, err := starlark.EvalOptions(&syntax.FileOptions{Set: true}, &starlark.Thread{}, "test", expression, starlark.StringDict{"f": f})
	var evalErr *starlark.EvalError
	if errors.As(err, &evalErr) {
		return evalErr.Unwrap()
	}
	return err
}

func inputOf[In any](t *testing.T) binding.Input {
	t.Helper()
	plan, err := binding.CompileFor[In, none]()
	if err != nil {
		t.Fatal(err)
	}
	return plan.Input()
}

func TestBindPushesWhatIsPresentInDeclarationOrder(t *testing.T) {
	in := inputOf[searchInput](t)
	tests := []struct{ rule, call, want string }{
		{"required only", `f(count=1, search_query="a")`, `{2 count: 1 search_query: "a"`},
		{"another order", `f(search_query="a", count=1)`, `{2 count: 1 search_query: "a"`},
		{"all", `f(score=1.5, live=True, search_query="a", count=1)`, `{4 count: 1 search_query: "a" live: true score: 1.5f`},
		{"None is left out", `f(count=1, search_query="a", live=None, score=None)`, `{2 count: 1 search_query: "a"`},
		{"through **", `f(count=1, **{"search_query": "a", "live": False})`, `{3 count: 1 search_query: "a" live: false`},
		{"empty and zero are present", `f(count=0, search_query="", live=False, score=0.0)`, `{4 count: 0 search_query: "" live: false score: 0f`},
		{"the largest int", `f(count=9223372036854775807, search_query="")`, `{2 count: 9223372036854775807 search_query: ""`},
		{"the smallest int", `f(count=-9223372036854775808, search_query="")`, `{2 count: -9223372036854775808 search_query: ""`},
		{"texts of any script", `f(count=1, search_query="grün 漢字 \x00")`, `{2 count: 1 search_query: "grün 漢字 \x00"`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			var v trace
			if err := call(t, in, test.call, &v); err != nil {
				t.Fatal(err)
			}
			if got := v.text(); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestBindRejects(t *testing.T) {
	in := inputOf[searchInput](t)
	tests := []struct{ rule, call, want string }{
		{"positional", `f(1)`, `got 1 positional argument, want keyword arguments only: count, search_query, live, score`},
		{"positional beside keywords", `f(1, "a", live=True)`, `got 2 positional arguments, want keyword arguments only: count, search_query, live, score`},
		{"positional through *", `f(*[1, 2, 3])`, `got 3 positional arguments, want keyword arguments only: count, search_query, live, score`},
		{"one missing", `f(count=1)`, `missing argument search_query, want str`},
		{"all missing", `f()`, `missing arguments count, search_query`},
		{"None for a required one", `f(count=None, search_query="a")`, `argument count: got None, want int`},
		{"unknown and near", `f(coutn=1, search_query="a")`, `unknown argument coutn: did you mean count?`},
		{"another case", `f(Count=1)`, `unknown argument Count: did you mean count?`},
		{"camel case", `f(searchQuery=1)`, `unknown argument searchQuery: did you mean search_query?`},
		{"a part of a name", `f(query=1)`, `unknown argument query: did you mean search_query?`},
		{"unknown and far", `f(zzz=1)`, `unknown argument zzz, want count, search_query, live, score`},
		{"one unknown letter", `f(x=1)`, `unknown argument x, want count, search_query, live, score`},
		{"empty name", `f(**{"": 1})`, `unknown argument "", want count, search_query, live, score`},
		{"a name that is no identifier", `f(**{"a b\n": 1})`, `unknown argument "a b\n", want count, search_query, live, score`},
		{"a name that is not valid UTF-8", `f(**{"é"[:1]: 1})`, `unknown argument "\xc3", want count, search_query, live, score`},
		{"a long name", `f(**{"x" * 1000000: 1})`, `unknown argument "` + strings.Repeat("x", 64) + `"…, want count, search_query, live, score`},
		{"duplicate through **", `f(count=1, **{"count": 2})`, `argument count: got it twice, want it once`},
		{"duplicate with None", `f(live=None, **{"live": None})`, `argument live: got it twice, want it once`},
		{"str for int", `f(count="1")`, `argument count: got str, want int; convert with int(…)`},
		{"float for int", `f(count=1.0)`, `argument count: got float, want int; convert with int(…)`},
		{"bool for int", `f(count=True)`, `argument count: got bool, want int`},
		{"list for int", `f(count=[1])`, `argument count: got list, want int`},
		{"int for str", `f(search_query=1)`, `argument search_query: got int, want str; convert with str(…)`},
		{"bytes for str", `f(search_query=b"a")`, `argument search_query: got bytes, want str`},
		{"int for bool", `f(live=1)`, `argument live: got int, want bool | None; use True or False`},
		{"str for bool", `f(live="true")`, `argument live: got str, want bool | None; use True or False`},
		{"int for float", `f(score=1)`, `argument score: got int, want float | None; convert with float(…)`},
		{"bool for float", `f(score=False)`, `argument score: got bool, want float | None`},
		{"dict for float", `f(score={})`, `argument score: got dict, want float | None`},
		{"tuple for float", `f(score=())`, `argument score: got tuple, want float | None`},
		{"function for str", `f(search_query=len)`, `argument search_query: got builtin_function_or_method, want str`},
		{"above int64", `f(count=9223372036854775808)`, `argument count: got an int out of range, want a signed 64-bit int`},
		{"below int64", `f(count=-9223372036854775809)`, `argument count: got an int out of range, want a signed 64-bit int`},
		{"a huge int for a float", `f(score=1<<500)`, `argument score: got int, want float | None; convert with float(…)`},
		{"infinity", `f(score=float("inf"))`, `argument score: got +inf, want a finite float`},
		{"negative infinity", `f(score=float("-inf"))`, `argument score: got -inf, want a finite float`},
		{"NaN", `f(score=float("nan"))`, `argument score: got nan, want a finite float`},
		{"invalid UTF-8", `f(search_query="é"[1:])`, `argument search_query: got a str that is not valid UTF-8`},
		{"the first of many", `f(score="x", count="y", zzz=1)`, `argument score: got str, want float | None; convert with float(…)`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			var v trace
			err := call(t, in, test.call, &v)
			var argument *binding.ArgumentError
			if !errors.As(err, &argument) {
				t.Fatalf("got %v, want an *ArgumentError", err)
			}
			if argument.Error() != test.want {
				t.Errorf("got  %s\nwant %s", argument, test.want)
			}
			if len(v.words) > 0 {
				t.Errorf("got %s pushed, want nothing", v.text())
			}
			if !utf8.ValidString(argument.Error()) || !utf8.ValidString(argument.Name) || len(argument.Name) > 100 {
				t.Errorf("got %q of %q, want valid and bounded UTF-8", argument, argument.Name)
			}
		})
	}
}

func TestBindWithoutParameters(t *testing.T) {
	var in binding.Input
	tests := []struct{ call, want string }{
		{`f(1)`, `got 1 positional argument, want no arguments`},
		{`f(a=1)`, `unknown argument a, want no arguments`},
	}
	for _, test := range tests {
		if err := call(t, in, test.call, &trace{}); err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.call, err, test.want)
		}
	}
	var v trace
	if err := call(t, in, `f()`, &v); err != nil || v.text() != "{0" {
		t.Errorf("got %s and %v, want {0", v.text(), err)
	}
}

func TestBindWithManyParameters(t *testing.T) {
	var fields []binding.Field
	var call strings.Builder
	for _, r := range "abcdefghijklmnopqrstuvwxyz" {
		fields = append(fields, binding.Field{Name: strings.Repeat(string(r), 30), Type: &binding.Type{Kind: binding.Int}})
		call.WriteString(strings.Repeat(string(r), 30) + "=1, ")
	}
	in, err := binding.NewInput(fields)
	if err != nil {
		t.Fatal(err)
	}
	var v trace
	if err := callInput(t, in, call.String(), &v); err != nil || len(v.words) != 1+2*26 {
		t.Errorf("got %s and %v", v.text(), err)
	}
	for _, arguments := range []string{"1", "A=1", ""} {
		err := callInput(t, in, arguments, &trace{})
		if err == nil || len(err.Error()) > 300 || !strings.HasSuffix(err.Error(), ", …") {
			t.Errorf("f(%s): got %v, want a few names and …", arguments, err)
		}
	}
}

func callInput(t *testing.T, in binding.Input, arguments string, v binding.Visitor) error {
	t.Helper()
	return call(t, in, "f("+arguments+")", v)
}

func TestBindReturnsVisitorErrorsUnchanged(t *testing.T) {
	in := inputOf[searchInput](t)
	const events = 5 // {2 count: 1 search_query: "a"
	for fail := 1; fail <= events; fail++ {
		v := trace{fail: fail}
		if err := call(t, in, `f(count=1, search_query="a")`, &v); err != errStop || len(v.words) != fail {
			t.Errorf("event %d: got %v after %d events, want the visitor's error at once", fail, err, len(v.words))
		}
	}
}
