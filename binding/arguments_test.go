package binding_test

import (
	"errors"
	"maps"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/codemode-go/codemode/binding"
)

type argumentsInput struct {
	Name  namedString   `json:"name"`
	Wait  time.Duration `json:"wait"`
	Score float64       `json:"score"`
	Live  bool          `json:"live"`
	Label namedPointer  `json:"label,omitempty"`
	Limit *namedInt     `json:"limit"`
	Ratio *namedFloat   `json:"ratio"`
	Quiet *bool         `json:"quiet"`
}

func newArguments(t *testing.T) *binding.Arguments {
	t.Helper()
	plan, err := binding.CompileFor[argumentsInput, none]()
	if err != nil {
		t.Fatal(err)
	}
	return plan.NewArguments()
}

// push sends events until one fails: string keys end in a colon; {n, [n and nil
// are dict, list and null.
func push(v binding.Visitor, events ...any) error {
	for _, event := range events {
		var err error
		switch e := event.(type) {
		case nil:
			err = v.Null()
		case bool:
			err = v.Bool(e)
		case int:
			err = v.Int(int64(e))
		case int64:
			err = v.Int(e)
		case float64:
			err = v.Float(e)
		case dict:
			err = v.Dict(int(e))
		case list:
			err = v.List(int(e))
		case key:
			err = v.Key(string(e))
		case string:
			err = v.String(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type (
	dict int
	list int
	key  string
)

var required = []any{key("name"), "n", key("wait"), 5, key("score"), 1.5, key("live"), true}

func with(n int, events ...any) []any {
	return append(append([]any{dict(n)}, required...), events...)
}

func TestArgumentsBuildInputAndMap(t *testing.T) {
	label, limit, ratio, quiet := "l", namedInt(7), namedFloat(0.5), false
	tests := []struct {
		rule   string
		events []any
		input  argumentsInput
		want   map[string]any
	}{
		{"required only", with(4),
			argumentsInput{Name: "n", Wait: 5, Score: 1.5, Live: true},
			map[string]any{"name": "n", "wait": int64(5), "score": 1.5, "live": true}},
		{"all, optional ones first",
			append([]any{dict(8), key("quiet"), false, key("ratio"), 0.5, key("limit"), 7, key("label"), "l"}, required...),
			argumentsInput{Name: "n", Wait: 5, Score: 1.5, Live: true, Label: &label, Limit: &limit, Ratio: &ratio, Quiet: &quiet},
			map[string]any{"name": "n", "wait": int64(5), "score": 1.5, "live": true, "label": "l", "limit": int64(7), "ratio": 0.5, "quiet": false}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			a := newArguments(t)
			if err := errors.Join(push(a, test.events...), a.Finish(), a.Finish()); err != nil {
				t.Fatal(err)
			}
			if got := a.Value(); !reflect.DeepEqual(got, test.input) {
				t.Errorf("got %+v, want %+v", got, test.input)
			}
			if got := a.Map(); !maps.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
			a.Map()["name"] = "changed"
			if a.Map()["name"] != "n" || a.Value().(argumentsInput).Name != "n" {
				t.Error("a change of one map reached the next or the input")
			}
		})
	}
}

func TestArgumentsAreCheckedAgain(t *testing.T) {
	tests := []struct {
		rule   string
		events []any
		want   string
	}{
		{"nothing at all", nil, "got incomplete arguments"},
		{"no dict", []any{"a"}, "got str, want one dict of arguments"},
		{"a list", []any{list(1)}, "got list, want one dict of arguments"},
		{"null", []any{nil}, "got None, want one dict of arguments"},
		{"a key first", []any{key("name")}, "unexpected argument name"},
		{"too few", []any{dict(2), key("name"), "n"}, "got incomplete arguments"},
		{"a key without a value", []any{dict(1), key("name")}, "got incomplete arguments"},
		{"a value without a key", []any{dict(1), "n"}, "got str, want one dict of arguments"},
		{"two keys", []any{dict(2), key("name"), key("wait")}, "unexpected argument wait"},
		{"more than announced", []any{dict(1), key("name"), "n", key("wait")}, "unexpected argument wait"},
		{"more than parameters", []any{dict(9)}, "got more arguments than there are parameters"},
		{"a negative count", []any{dict(-1)}, "got more arguments than there are parameters"},
		{"missing", []any{dict(1), key("name"), "n"}, "missing arguments wait, score, live"},
		{"unknown", []any{dict(1), key("nam")}, "unknown argument nam: did you mean name?"},
		{"duplicate", []any{dict(2), key("name"), "n", key("name")}, "argument name: got it twice, want it once"},
		{"None", with(5, key("label"), nil), "argument label: got None, want it left out"},
		{"int for float", []any{dict(1), key("score"), 1}, "argument score: got int, want float"},
		{"float for int", []any{dict(1), key("wait"), 1.0}, "argument wait: got float, want int"},
		{"bool for int", []any{dict(1), key("wait"), true}, "argument wait: got bool, want int"},
		{"int for bool", []any{dict(1), key("live"), 1}, "argument live: got int, want bool"},
		{"str for an optional int", []any{dict(1), key("limit"), "1"}, "argument limit: got str, want int"},
		{"a list for str", []any{dict(1), key("name"), list(0)}, "argument name: got list, want str"},
		{"a dict for str", []any{dict(1), key("name"), dict(0)}, "argument name: got dict, want str"},
		{"NaN", []any{dict(1), key("score"), math.NaN()}, "argument score: got nan, want a finite float"},
		{"infinity", []any{dict(1), key("ratio"), math.Inf(-1)}, "argument ratio: got -inf, want a finite float"},
		{"invalid UTF-8", []any{dict(1), key("name"), "\xff"}, "argument name: got a str that is not valid UTF-8"},
		{"a second dict", with(4, dict(0)), "got a second dict, want one dict of arguments"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			a := newArguments(t)
			err := push(a, test.events...)
			if err == nil {
				err = a.Finish()
			}
			var argument *binding.ArgumentError
			if !errors.As(err, &argument) || argument.Error() != test.want {
				t.Fatalf("got %v, want %s", err, test.want)
			}
			if again := errors.Join(a.Null(), a.Bool(true), a.Int(1), a.Float(1), a.String(""), a.Key("wait"), a.List(0), a.Dict(0)); again == nil {
				t.Error("events after a fault: got nil, want the fault")
			}
			if got := a.Finish(); got != err || a.Value() != nil || a.Map() != nil {
				t.Errorf("got %v, %v and %v, want the first fault and no value", got, a.Value(), a.Map())
			}
		})
	}
}

func TestArgumentsEndWithFinish(t *testing.T) {
	a := newArguments(t)
	if err := push(a, with(4)...); err != nil {
		t.Fatal(err)
	}
	if a.Value() != nil || a.Map() != nil {
		t.Error("before Finish: got a value, want none")
	}
	if err := a.Finish(); err != nil {
		t.Fatal(err)
	}
	if err := a.Key("label"); err == nil || a.Value() != nil {
		t.Errorf("after Finish: got %v and %v, want a fault and no value", err, a.Value())
	}
}
