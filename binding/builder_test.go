package binding_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/binding"
	"go.starlark.net/starlark"
)

// builders returns both kinds, each with a way to show what it built.
func builders() map[string]func() (binding.Visitor, func() (string, error)) {
	return map[string]func() (binding.Visitor, func() (string, error)){
		"starlark": func() (binding.Visitor, func() (string, error)) {
			b := &binding.StarlarkBuilder{}
			return b, func() (string, error) {
				value, err := b.Value()
				if err != nil {
					return "", err
				}
				var v trace
				err = binding.WalkStarlark(value, &v)
				return v.text(), err
			}
		},
		"plain": func() (binding.Visitor, func() (string, error)) {
			b := &binding.PlainBuilder{}
			return b, func() (string, error) {
				value, err := b.Value()
				if err != nil {
					return "", err
				}
				return fmt.Sprintf("%#v", value), nil
			}
		},
	}
}

func TestBuilders(t *testing.T) {
	tests := []struct {
		rule     string
		events   []any
		starlark string
		plain    any
	}{
		{"None", []any{nil}, "None", nil},
		{"bool", []any{true}, "true", true},
		{"int", []any{int64(math.MinInt64)}, "-9223372036854775808", int64(math.MinInt64)},
		{"float", []any{1.0}, "1f", 1.0},
		{"str", []any{"a\n"}, `"a\n"`, "a\n"},
		{"empty list", []any{list(0)}, "[0", []any{}},
		{"empty dict", []any{dict(0)}, "{0", map[string]any{}},
		{"list", []any{list(3), 1, list(1), nil, list(0)}, "[3 1 [1 None [0", []any{int64(1), []any{nil}, []any{}}},
		{"dict", []any{dict(2), key("b"), dict(1), key("a"), 1, key("a"), list(1), "x"},
			`{2 b: {1 a: 1 a: [1 "x"`, map[string]any{"b": map[string]any{"a": int64(1)}, "a": []any{"x"}}},
		{"None in a dict", []any{dict(1), key(""), nil}, `{1 : None`, map[string]any{"": nil}},
		{"keys that come and go", []any{list(3), dict(2), key("a"), 1, key("b"), 2, dict(2), key("b"), 3, key("a"), 4, dict(1), key("b"), 5},
			`[3 {2 a: 1 b: 2 {2 b: 3 a: 4 {1 b: 5`,
			[]any{map[string]any{"a": int64(1), "b": int64(2)}, map[string]any{"b": int64(3), "a": int64(4)}, map[string]any{"b": int64(5)}}},
	}
	for _, test := range tests {
		for name, build := range builders() {
			t.Run(test.rule+" "+name, func(t *testing.T) {
				b, show := build()
				if err := push(b, test.events...); err != nil {
					t.Fatal(err)
				}
				want := test.starlark
				if name == "plain" {
					want = fmt.Sprintf("%#v", test.plain)
				}
				if got, err := show(); got != want || err != nil {
					t.Errorf("got %s and %v, want %s", got, err, want)
				}
			})
		}
	}
}

func TestBuildersRefuse(t *testing.T) {
	tests := []struct {
		rule   string
		events []any
		want   string
	}{
		{"nothing", nil, "got an incomplete value"},
		{"a list too short", []any{list(2), 1}, "got an incomplete value"},
		{"a dict too short", []any{dict(1)}, "got an incomplete value"},
		{"a key without a value", []any{dict(1), key("a")}, "got an incomplete value"},
		{"two values", []any{1, 2}, "got a second value, want one"},
		{"a list after a value", []any{1, list(2)}, "got a second value, want one"},
		{"a dict after a value", []any{list(0), dict(1)}, "got a second value, want one"},
		{"a key first", []any{key("a")}, "got a key, want a value"},
		{"a key in a list", []any{list(1), key("a")}, "got a key, want a value"},
		{"two keys", []any{dict(2), key("a"), key("b")}, "got a key, want a value"},
		{"a key after the last", []any{dict(1), key("a"), 1, key("b")}, "got a key, want a value"},
		{"a value without a key", []any{dict(1), 1}, "got a dict's value, want its key first"},
		{"a list without a key", []any{dict(1), list(1)}, "got a dict's value, want its key first"},
		{"a dict without a key", []any{dict(1), dict(0)}, "got a dict's value, want its key first"},
		{"a key twice", []any{dict(2), key("a"), 1, key("a"), 2}, "got a key twice in one dict"},
		{"a negative list", []any{list(-1)}, "got a negative or absurd count"},
		{"a negative dict", []any{list(1), dict(-1)}, "got a negative or absurd count"},
		{"an absurd list", []any{list(math.MaxInt)}, "got a negative or absurd count"},
		{"NaN", []any{math.NaN()}, "got a float that is not finite"},
		{"infinity", []any{list(1), math.Inf(1)}, "got a float that is not finite"},
	}
	for _, test := range tests {
		for name, build := range builders() {
			t.Run(test.rule+" "+name, func(t *testing.T) {
				b, show := build()
				err := push(b, test.events...)
				_, err2 := show()
				if err == nil {
					err = err2
				}
				if err == nil || err.Error() != test.want || err2 != err {
					t.Fatalf("got %v, then %v, want %s", err, err2, test.want)
				}
			})
		}
	}
}

func TestBuildersStayFaulty(t *testing.T) {
	for name, build := range builders() {
		b, show := build()
		first := b.Key("a")
		for _, event := range []any{nil, true, 1, 1.0, math.NaN(), "a", list(0), list(1), list(-1), dict(0), dict(1), dict(-1), key("a")} {
			if err := push(b, event); err != first {
				t.Errorf("%s: %v after a fault: got %v, want %v", name, event, err, first)
			}
		}
		if _, err := show(); err != first {
			t.Errorf("%s: got %v, want %v", name, err, first)
		}
	}
}

func TestCountsAloneAllocateLittle(t *testing.T) {
	// A frame of a megabyte can claim a million elements at each of its levels.
	const levels, claim = 32, 1 << 20
	for name, build := range builders() {
		b, _ := build()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range levels {
			if err := b.List(claim); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > levels*claim {
			t.Errorf("%s: got %d bytes for counts alone, want a byte for each claimed element at most", name, bytes)
		}
	}
}

func TestReset(t *testing.T) {
	var s binding.StarlarkBuilder
	var p binding.PlainBuilder
	for _, events := range [][]any{{list(2), dict(1)}, {key("a")}, {1, 2}, {dict(1), key("a"), 1}} {
		s.Reset()
		p.Reset()
		push(&s, events...)
		push(&p, events...)
	}
	s.Reset()
	p.Reset()
	if err := errors.Join(push(&s, list(1), 1), push(&p, list(1), 1)); err != nil {
		t.Fatal(err)
	}
	value, err := s.Value()
	plain, err2 := p.Value()
	if err != nil || err2 != nil || value.String() != "[1]" || !reflect.DeepEqual(plain, []any{int64(1)}) {
		t.Errorf("got %v and %v, %v and %v", value, err, plain, err2)
	}
}

func TestStarlarkValuesAreMutable(t *testing.T) {
	var b binding.StarlarkBuilder
	if err := push(&b, dict(1), key("a"), list(0)); err != nil {
		t.Fatal(err)
	}
	value, err := b.Value()
	if err != nil {
		t.Fatal(err)
	}
	a, _, _ := value.(*starlark.Dict).Get(starlark.String("a"))
	if err := errors.Join(a.(*starlark.List).Append(starlark.None), value.(*starlark.Dict).SetKey(starlark.String("b"), a)); err != nil {
		t.Error(err)
	}
}

func TestManyDistinctKeys(t *testing.T) {
	const n = 2000
	for name, build := range builders() {
		b, show := build()
		if err := push(b, list(2)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := push(b, dict(n)); err != nil {
				t.Fatal(err)
			}
			for i := range n {
				if err := push(b, key(fmt.Sprint("k", i)), i); err != nil {
					t.Fatal(err)
				}
			}
		}
		if text, err := show(); err != nil || strings.Count(text, "k1999") != 2 {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
