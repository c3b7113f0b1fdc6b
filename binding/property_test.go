package binding_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/binding"
)

// A typeMaker makes random Go types that outputs may have, and values of them
// together with the plain values and the notation that the contract gives them.
// It is written from the contract, not from the code: nothing here is shared.
type typeMaker struct{ *rand.Rand }

var scalarTypes = []reflect.Type{
	typ[string](), typ[namedString](), typ[bool](), typ[namedBool](),
	typ[int](), typ[int8](), typ[int16](), typ[int32](), typ[int64](), typ[namedInt](),
	typ[uint](), typ[uint8](), typ[uint16](), typ[uint32](), typ[uint64](), typ[namedByte](),
	typ[float32](), typ[float64](), typ[namedFloat](),
}

func (m typeMaker) typ(depth int) reflect.Type {
	if depth == 0 {
		return scalarTypes[m.IntN(len(scalarTypes))]
	}
	switch m.IntN(8) {
	case 0:
		return reflect.PointerTo(m.typ(depth - 1))
	case 1:
		return reflect.SliceOf(m.typ(depth - 1))
	case 2:
		return reflect.ArrayOf(m.IntN(4), m.typ(depth-1))
	case 3:
		return reflect.MapOf([]reflect.Type{typ[string](), typ[namedString]()}[m.IntN(2)], m.typ(depth-1))
	case 4, 5:
		return m.structure(depth)
	case 6:
		return []reflect.Type{typ[[]byte](), typ[namedBytes](), typ[[3]byte](), typ[[2]namedByte](), typ[namedMap](), typ[namedPointer]()}[m.IntN(6)]
	}
	return m.typ(0)
}

func (m typeMaker) structure(depth int) reflect.Type {
	fields := make([]reflect.StructField, m.IntN(5))
	for i := range fields {
		name := string(rune('A' + i))
		fields[i] = reflect.StructField{Name: name, Type: m.typ(depth - 1)}
		var tag []string
		if m.IntN(2) == 0 {
			tag = append(tag, strings.ToLower(name)+"_x")
		}
		if fields[i].Type.Kind() == reflect.Pointer && m.IntN(2) == 0 {
			tag = append(tag[:len(tag):len(tag)], "omitempty")
			if len(tag) == 1 {
				tag = []string{"", "omitempty"}
			}
		}
		if tag != nil {
			fields[i].Tag = reflect.StructTag(fmt.Sprintf("json:%q", strings.Join(tag, ",")))
		}
	}
	return reflect.StructOf(fields)
}

// fieldRule returns a field's name and whether it is omitted when nil.
func fieldRule(field reflect.StructField) (name string, omit bool) {
	name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "" {
		name = field.Name
	}
	return name, option == "omitempty"
}

// fill sets a value at random and returns its plain form.
func (m typeMaker) fill(value reflect.Value) any {
	t := value.Type()
	switch t.Kind() {
	case reflect.String:
		text := []string{"", "a", "grün", "漢字\n", "\x00", "a\xffb"}[m.IntN(6)]
		value.SetString(text)
		return strings.ReplaceAll(text, "\xff", "\uFFFD")
	case reflect.Bool:
		value.SetBool(m.IntN(2) == 0)
		return value.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		value.SetInt(int64(m.Uint64()) >> m.IntN(64))
		return value.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		value.SetUint(m.Uint64() >> (1 + m.IntN(63)))
		return int64(value.Uint())
	case reflect.Float32, reflect.Float64:
		value.SetFloat([]float64{0, -1.5, 1, 1e300, math.SmallestNonzeroFloat64, float64(m.Int32())}[m.IntN(6)])
		if math.IsInf(value.Float(), 0) {
			value.SetFloat(2)
		}
		return value.Float()
	case reflect.Pointer:
		if m.IntN(3) == 0 {
			return nil
		}
		value.Set(reflect.New(t.Elem()))
		return m.fill(value.Elem())
	case reflect.Slice:
		if m.IntN(4) == 0 {
			return nil
		}
		n := m.IntN(4)
		value.Set(reflect.MakeSlice(t, n, n))
		return m.fillElements(value)
	case reflect.Array:
		return m.fillElements(value)
	case reflect.Map:
		return m.fillMap(value)
	}
	plain := make(map[string]any)
	for i := range t.NumField() {
		name, omit := fieldRule(t.Field(i))
		elem := m.fill(value.Field(i))
		if omit && value.Field(i).IsNil() {
			continue
		}
		plain[name] = elem
	}
	return plain
}

func (m typeMaker) fillElements(value reflect.Value) any {
	plain := make([]any, value.Len())
	for i := range plain {
		plain[i] = m.fill(value.Index(i))
	}
	return plain
}

func (m typeMaker) fillMap(value reflect.Value) any {
	if m.IntN(4) == 0 {
		return nil
	}
	value.Set(reflect.MakeMap(value.Type()))
	plain := make(map[string]any)
	for range m.IntN(4) {
		key := fmt.Sprint("k", m.IntN(9))
		elem := reflect.New(value.Type().Elem()).Elem()
		plain[key] = m.fill(elem)
		value.SetMapIndex(reflect.ValueOf(key).Convert(value.Type().Key()), elem)
	}
	return plain
}

// notation is the contract's, from the Go type.
func notation(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "str"
	case reflect.Bool:
		return "bool"
	case reflect.Float32, reflect.Float64:
		return "float"
	case reflect.Pointer:
		return strings.TrimSuffix(notation(t.Elem()), " | None") + " | None"
	case reflect.Slice, reflect.Array:
		return "list[" + notation(t.Elem()) + "]"
	case reflect.Map:
		return "dict[str, " + notation(t.Elem()) + "]"
	case reflect.Struct:
		var fields []string
		for i := range t.NumField() {
			name, omit := fieldRule(t.Field(i))
			elem := t.Field(i).Type
			if omit {
				name, elem = name+"?", elem.Elem()
			}
			fields = append(fields, name+": "+notation(elem))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	return "int"
}

func TestRandomTypesAndValues(t *testing.T) {
	for seed := range uint64(500) {
		m := typeMaker{rand.New(rand.NewPCG(seed, 0))}
		root := m.structure(5)
		plan, err := binding.Compile(typ[none](), root)
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, root, err)
		}
		if got, want := plan.Output().String(), notation(root); got != want {
			t.Fatalf("seed %d: %v:\ngot  %s\nwant %s", seed, root, got, want)
		}
		for range 5 {
			value := reflect.New(root)
			want := m.fill(value.Elem())
			checkRoundTrip(t, plan, value.Elem().Interface(), want)
			if t.Failed() {
				t.Fatalf("seed %d: %v", seed, root)
			}
		}
	}
}

// checkRoundTrip sends an output through every form that a value can have and
// compares what arrives.
func checkRoundTrip(t *testing.T, plan *binding.Plan, output, want any) {
	t.Helper()
	var events, again, back trace
	var plain, returned binding.PlainBuilder
	var star binding.StarlarkBuilder
	for _, v := range []binding.Visitor{&events, &again, &plain, &star} {
		if err := plan.WalkOutput(output, v); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := plain.Value(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Go to plain: got %#v and %v\nwant %#v", got, err, want)
	}
	value, err := star.Value()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []binding.Visitor{&back, &returned} {
		if err := binding.WalkStarlark(value, v); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := returned.Value(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Go to Starlark to plain: got %#v and %v\nwant %#v", got, err, want)
	}
	if !slices.Equal(events.words, again.words) || !slices.Equal(events.words, back.words) {
		t.Errorf("order: got %s, again %s, through Starlark %s", events.text(), again.text(), back.text())
	}
}
