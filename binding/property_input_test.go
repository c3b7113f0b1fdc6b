package binding_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/codemode-go/codemode/binding"
	"go.starlark.net/starlark"
)

func TestRandomInputs(t *testing.T) {
	kinds := []reflect.Type{
		typ[string](), typ[int64](), typ[bool](), typ[float64](),
		typ[namedString](), typ[namedInt](), typ[namedBool](), typ[namedFloat](),
	}
	for seed := range uint64(300) {
		m := typeMaker{rand.New(rand.NewPCG(seed, 1))}
		fields := make([]reflect.StructField, m.IntN(12))
		for i := range fields {
			fields[i] = reflect.StructField{Name: string(rune('A' + i)), Type: kinds[m.IntN(len(kinds))]}
			if m.IntN(2) == 0 {
				fields[i].Type = reflect.PointerTo(fields[i].Type)
			}
		}
		root := reflect.StructOf(fields)
		plan, err := binding.Compile(root, root)
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, root, err)
		}
		// What a Go value is as an output, it is as arguments, apart from None.
		input := reflect.New(root).Elem()
		want := m.fill(input).(map[string]any)
		for name, value := range want {
			if text, ok := value.(string); ok {
				input.FieldByName(name).Set(stringOf(input.FieldByName(name).Type(), text))
			}
			if value == nil {
				delete(want, name)
			}
		}
		a := plan.NewArguments()
		if err := bindPlain(plan.Input(), want, m, a); err != nil {
			t.Fatalf("seed %d: %v: %v", seed, root, err)
		}
		if err := a.Finish(); err != nil {
			t.Fatalf("seed %d: %v: %v", seed, root, err)
		}
		if !reflect.DeepEqual(a.Value(), input.Interface()) || !reflect.DeepEqual(a.Map(), want) {
			t.Fatalf("seed %d: %v:\ngot  %+v, %v\nwant %+v, %v", seed, root, a.Value(), a.Map(), input, want)
		}
	}
}

// stringOf makes a string, or a pointer to one, of a named or unnamed type.
func stringOf(t reflect.Type, text string) reflect.Value {
	if t.Kind() == reflect.Pointer {
		p := reflect.New(t.Elem())
		p.Elem().SetString(text)
		return p
	}
	return reflect.ValueOf(text).Convert(t)
}

// bindPlain calls with arguments in random order; some of those that are
// absent are passed as None.
func bindPlain(in binding.Input, arguments map[string]any, m typeMaker, v binding.Visitor) error {
	var kwargs []starlark.Tuple
	for _, f := range in.Fields() {
		value, present := arguments[f.Name]
		if !present && m.IntN(2) == 0 {
			continue
		}
		kwargs = append(kwargs, starlark.Tuple{starlark.String(f.Name), scalar(value)})
	}
	m.Shuffle(len(kwargs), func(i, j int) { kwargs[i], kwargs[j] = kwargs[j], kwargs[i] })
	return in.Bind(nil, kwargs, v)
}

func scalar(plain any) starlark.Value {
	switch plain := plain.(type) {
	case string:
		return starlark.String(plain)
	case int64:
		return starlark.MakeInt64(plain)
	case bool:
		return starlark.Bool(plain)
	case float64:
		return starlark.Float(plain)
	}
	return starlark.None
}
