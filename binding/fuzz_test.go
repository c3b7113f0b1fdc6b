package binding_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/codemode-go/codemode/binding"
	"go.starlark.net/starlark"
)

// eventsOf reads events from bytes: two for each event, its sort and a detail.
func eventsOf(data []byte) []any {
	var events []any
	for ; len(data) >= 2; data = data[2:] {
		detail := data[1]
		name := string(rune('a' + detail%4))
		switch data[0] % 10 {
		case 0:
			events = append(events, nil)
		case 1:
			events = append(events, detail%2 == 0)
		case 2:
			events = append(events, int(int8(detail)))
		case 3:
			events = append(events, []float64{0, 1.5, math.NaN(), math.Inf(1)}[detail%4])
		case 4:
			events = append(events, name)
		case 5, 6:
			events = append(events, list(int8(detail)%5))
		case 7, 8:
			events = append(events, dict(int8(detail)%5))
		}
		if data[0]%20 >= 10 || data[0]%10 == 9 {
			events = append(events, key(name))
		}
	}
	return events
}

// FuzzBuilders: both builders take the same events and build the same value.
func FuzzBuilders(f *testing.F) {
	f.Add([]byte{0, 0})
	f.Add([]byte{5, 2, 2, 1, 4, 0})
	f.Add([]byte{17, 2, 2, 1, 9, 1, 5, 0})
	f.Add([]byte{7, 2, 9, 0, 2, 1, 9, 0, 2, 2})
	f.Add([]byte{3, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		events := eventsOf(data)
		var star binding.StarlarkBuilder
		var plain, back binding.PlainBuilder
		push(&star, events...)
		push(&plain, events...)
		value, err := star.Value()
		want, plainErr := plain.Value()
		if (err == nil) != (plainErr == nil) {
			t.Fatalf("got %v for Starlark and %v for plain", err, plainErr)
		}
		if err != nil {
			return
		}
		if err := binding.WalkStarlark(value, &back); err != nil {
			t.Fatal(err)
		}
		if got, err := back.Value(); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got %#v and %v, want %#v", got, err, want)
		}
	})
}

type fuzzInput struct {
	A string   `json:"a"`
	B *int64   `json:"b"`
	C *float64 `json:"c"`
	D bool     `json:"d"`
}

// FuzzArguments: what the parent accepts is what a call could have sent.
func FuzzArguments(f *testing.F) {
	f.Add([]byte{17, 2, 14, 3, 1, 0})
	f.Add([]byte{17, 3, 14, 1, 12, 3, 1, 0})
	f.Add([]byte{17, 4, 14, 1, 12, 2, 13, 3, 1, 0})
	plan, err := binding.CompileFor[fuzzInput, none]()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a := plan.NewArguments()
		err := push(a, eventsOf(data)...)
		if err == nil {
			err = a.Finish()
		}
		if err != nil {
			checkText(t, err)
			return
		}
		var kwargs []starlark.Tuple
		for name, value := range a.Map() {
			kwargs = append(kwargs, starlark.Tuple{starlark.String(name), scalar(value)})
		}
		again := plan.NewArguments()
		if err := errors.Join(plan.Input().Bind(nil, kwargs, again), again.Finish()); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(a.Value(), again.Value()) || !reflect.DeepEqual(a.Map(), again.Map()) {
			t.Fatalf("got %+v, want %+v", again.Value(), a.Value())
		}
	})
}

func checkText(t *testing.T, err error) {
	t.Helper()
	var argument *binding.ArgumentError
	if !errors.As(err, &argument) {
		t.Fatalf("got %T, want an *ArgumentError", err)
	}
	if text := err.Error(); len(text) > 600 || !utf8.ValidString(text) || strings.ContainsAny(text, "\n\r") || !utf8.ValidString(argument.Name) {
		t.Fatalf("got %q of %q, want one bounded line of UTF-8", text, argument.Name)
	}
}

// FuzzBind: whatever the names and texts of a call, its fault is presentable.
func FuzzBind(f *testing.F) {
	f.Add("a", "x", "d", "y")
	f.Add("A", "\xff", strings.Repeat("b\u2028", 1000), "")
	plan, err := binding.CompileFor[fuzzInput, none]()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name1, value1, name2, value2 string) {
		kwargs := []starlark.Tuple{
			{starlark.String(name1), starlark.String(value1)},
			{starlark.String(name2), starlark.String(value2)},
			{starlark.String("d"), starlark.True},
		}
		for n := range kwargs {
			for _, args := range []starlark.Tuple{nil, {starlark.String(value1)}} {
				if err := plan.Input().Bind(args, kwargs[n:], &discard{}); err != nil {
					checkText(t, err)
				}
			}
		}
	})
}

// FuzzTag: every accepted tag names the field as encoding/json would.
func FuzzTag(f *testing.F) {
	for _, tag := range []string{``, `json:"a"`, `json:"a,omitempty"`, ` json:"\u0061"`, `json:"a" yaml:"b"`, `json:",omitempty" `, `json:"-"`} {
		f.Add(tag)
	}
	f.Fuzz(func(t *testing.T, tag string) {
		plan, err := binding.Compile(typ[none](), oneField("A", reflect.StructTag(tag), typ[*int]()))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\r") || !utf8.ValidString(err.Error()) {
				t.Fatalf("got %q, want valid text", err)
			}
			return
		}
		name, option, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		if name == "" {
			name = "A"
		}
		want := binding.Shape{Name: name, Type: "int | None", Required: true}
		if option == "omitempty" {
			want.Type, want.Required = "int", false
		}
		if got := plan.OutputShapes()[0]; got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// FuzzCycles builds any graph of lists, tuples and dicts and compares the
// verdict with that of a plain search.
func FuzzCycles(f *testing.F) {
	f.Add([]byte{0x01, 0x12, 0x20})
	f.Add([]byte{0x01, 0x12, 0x23})
	f.Add([]byte{0x00})
	f.Fuzz(func(t *testing.T, data []byte) {
		const n = 6 // three lists, three dicts
		var nodes [n]starlark.Value
		for i := range nodes {
			if nodes[i] = starlark.NewList(nil); i >= n/2 {
				nodes[i] = starlark.NewDict(0)
			}
		}
		edges := make(map[[2]int]bool)
		for i, b := range data[:min(len(data), 12)] {
			from, to := int(b>>4)%n, int(b&15)%n
			edges[[2]int{from, to}] = true
			target := nodes[to]
			if i%3 == 2 {
				target = starlark.Tuple{starlark.None, target}
			}
			switch node := nodes[from].(type) {
			case *starlark.List:
				node.Append(target)
			case *starlark.Dict:
				node.SetKey(starlark.String(rune('a'+i)), target)
			}
		}
		want := reaches(edges, 0, nil)
		for _, limit := range []int{3, 1 << 30} {
			err := binding.WalkStarlark(nodes[0], &small{limit: limit})
			var value *binding.ValueError
			if got := errors.As(err, &value); got != want {
				t.Fatalf("limit %d: got %v, want a cycle: %t", limit, err, want)
			}
		}
	})
}

// reaches reports whether a path from a node meets itself.
func reaches(edges map[[2]int]bool, node int, path []int) bool {
	for _, p := range path {
		if p == node {
			return true
		}
	}
	for edge := range edges {
		if edge[0] == node && reaches(edges, edge[1], append(path[:len(path):len(path)], node)) {
			return true
		}
	}
	return false
}
