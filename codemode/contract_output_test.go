package codemode_test

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/codemode-go/codemode/codemode"
)

type (
	namedString string
	namedBool   bool
	namedInt    int16
	namedUint   uint32
	namedFloat  float32
	namedByte   uint8
	octets      []namedByte
	inner       struct {
		Value  string  `json:"value"`
		Detail *string `json:"detail,omitempty"`
	}
	generic[T any] struct {
		Item T
	}
	scored struct {
		Title string  `json:"title"`
		Score float64 `json:"score"`
	}
)

// An outputCase is a type of an output field, a value of it, its notation, and
// what repr shows of the value in a program.
type outputCase struct {
	rule, shape, repr string
	register          func(name string) add
}

func out[T any](rule string, value T, shape, repr string) outputCase {
	return outputCase{rule, shape, repr, func(name string) add { return returning(name, box[T]{value}) }}
}

func ptr[T any](v T) *T { return &v }

var outputCases = []outputCase{
	out("string", "aé", "str", `"aé"`),
	out("named string", namedString("x"), "str", `"x"`),
	out("empty string", "", "str", `""`),
	out("invalid UTF-8 is replaced", "a\xffb", "str", `"a�b"`),
	out("bool true", true, "bool", "True"),
	out("named bool", namedBool(false), "bool", "False"),
	out("int", -1, "int", "-1"),
	out("int8", int8(-128), "int", "-128"),
	out("int16", int16(-32768), "int", "-32768"),
	out("int32", int32(math.MinInt32), "int", "-2147483648"),
	out("int64 least", int64(math.MinInt64), "int", "-9223372036854775808"),
	out("int64 greatest", int64(math.MaxInt64), "int", "9223372036854775807"),
	out("named int", namedInt(7), "int", "7"),
	out("time.Duration", time.Second, "int", "1000000000"),
	out("time.Month", time.March, "int", "3"),
	out("os.FileMode", os.FileMode(0o644), "int", "420"),
	out("uint", uint(1), "int", "1"),
	out("uint8", uint8(255), "int", "255"),
	out("uint16", uint16(65535), "int", "65535"),
	out("uint32", uint32(math.MaxUint32), "int", "4294967295"),
	out("uint64 at MaxInt64", uint64(math.MaxInt64), "int", "9223372036854775807"),
	out("named uint", namedUint(7), "int", "7"),
	out("reflect.Kind", reflect.Bool, "int", "1"),
	out("float64", 1.5, "float", "1.5"),
	out("float64 that is whole stays a float", 2.0, "float", "2.0"),
	out("negative zero", math.Copysign(0, -1), "float", "-0.0"),
	out("greatest float64", math.MaxFloat64, "float", "1.7976931348623157e+308"),
	out("least float64", 5e-324, "float", "5e-324"),
	out("float32", float32(0.5), "float", "0.5"),
	out("float32 keeps its float64 value", float32(0.1), "float", "0.10000000149011612"),
	out("named float", namedFloat(2.5), "float", "2.5"),
	out("pointer", ptr("x"), "str | None", `"x"`),
	out("nil pointer", (*string)(nil), "str | None", "None"),
	out("pointer to pointer", ptr(ptr(int8(3))), "int | None", "3"),
	out("pointer to nil pointer", ptr((*int)(nil)), "int | None", "None"),
	out("pointer to struct", &inner{Value: "x"}, "{value: str, detail?: str} | None", `{"value": "x"}`),
	out("nil pointer to struct", (*inner)(nil), "{value: str, detail?: str} | None", "None"),
	out("struct", inner{"a", ptr("b")}, "{value: str, detail?: str}", `{"value": "a", "detail": "b"}`),
	out("struct whose omitempty pointer is nil", inner{Value: "a"}, "{value: str, detail?: str}", `{"value": "a"}`),
	out("empty struct", empty{}, "{}", "{}"),
	out("generic struct", generic[[]int]{[]int{1}}, "{Item: list[int]}", `{"Item": [1]}`),
	out("anonymous struct", struct{ A, B int }{1, 2}, "{A: int, B: int}", `{"A": 1, "B": 2}`),
	out("slice", []string{"a", "b"}, "list[str]", `["a", "b"]`),
	out("nil slice", []string(nil), "list[str]", "None"),
	out("empty slice", []string{}, "list[str]", "[]"),
	out("array", [2]int{1, 2}, "list[int]", "[1, 2]"),
	out("empty array", [0]int{}, "list[int]", "[]"),
	out("slice of pointers", []*string{ptr("a"), nil}, "list[str | None]", `["a", None]`),
	out("nested nullable list", &[]*string{nil}, "list[str | None] | None", "[None]"),
	out("nil pointer to a list", (*[]*string)(nil), "list[str | None] | None", "None"),
	out("slice of structs", []scored{{"t", 1}}, "list[{title: str, score: float}]", `[{"title": "t", "score": 1.0}]`),
	out("slice of empty structs", []empty{{}}, "list[{}]", "[{}]"),
	out("slice of slices", [][]int{{1}, nil, {}}, "list[list[int]]", "[[1], None, []]"),
	out("array of arrays", [2][1]bool{{true}, {false}}, "list[list[bool]]", "[[True], [False]]"),
	out("map", map[string]bool{"b": true, "a": false}, "dict[str, bool]", `{"a": False, "b": True}`),
	out("nil map", map[string]bool(nil), "dict[str, bool]", "None"),
	out("empty map", map[string]bool{}, "dict[str, bool]", "{}"),
	out("map with a named string key", map[namedString]int{"k": 1}, "dict[str, int]", `{"k": 1}`),
	out("map of pointers", map[string]*int{"k": nil}, "dict[str, int | None]", `{"k": None}`),
	out("map of lists", map[string][]int{"k": nil, "l": {1}}, "dict[str, list[int]]", `{"k": None, "l": [1]}`),
	out("map of maps", map[string]map[string]float32{"k": {"l": 1}}, "dict[str, dict[str, float]]", `{"k": {"l": 1.0}}`),
	out("bytes", []byte{0, 255}, "list[int]", "[0, 255]"),
	out("nil bytes", []byte(nil), "list[int]", "None"),
	out("empty bytes", []byte{}, "list[int]", "[]"),
	out("slice of a named byte", octets{1, 2}, "list[int]", "[1, 2]"),
	out("array of bytes", [3]byte{1, 2, 3}, "list[int]", "[1, 2, 3]"),
	out("array of a named byte", [3]namedByte{7, 8, 9}, "list[int]", "[7, 8, 9]"),
	out("pointer to an array of bytes", &[1]byte{9}, "list[int] | None", "[9]"),
	out("slice of int8 is no byte sequence", []int8{-1, 5}, "list[int]", "[-1, 5]"),
	out("map of bytes", map[string][]byte{"k": {1}}, "dict[str, list[int]]", `{"k": [1]}`),
}

func TestOutputTypes(t *testing.T) {
	adds := make([]add, len(outputCases))
	name := func(i int) string { return fmt.Sprintf("out.c%d", i) }
	for i, c := range outputCases {
		adds[i] = c.register(name(i))
	}
	server := start(t, codemode.Options{}, adds...)
	for i, c := range outputCases {
		t.Run(c.rule, func(t *testing.T) {
			d, err := server.Describe(codemode.CapabilityName(name(i)))
			wantClass(t, err, nil)
			want := []codemode.FieldShape{{Name: "v", Type: c.shape, Required: true}}
			if !reflect.DeepEqual(d.Output, want) {
				t.Errorf("got output %+v, want %+v", d.Output, want)
			}
			if d.Signature != name(i)+"()" {
				t.Errorf("got signature %q, which must hold no output type", d.Signature)
			}
			value, err := do(t, server, body("r = "+name(i)+"()\nreturn [type(r), list(r), repr(r['v'])]"))
			wantClass(t, err, nil)
			if got, want := fmt.Sprint(value), fmt.Sprint([]any{"dict", []any{"v"}, c.repr}); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestOutputFieldsOfTheRoot(t *testing.T) {
	type root struct {
		Items  []scored        `json:"items"`
		Alias  map[string]bool `json:"alias"`
		Nested inner           `json:"nested"`
		Values *[]*string      `json:"values"`
		Extra  *string         `json:"extra,omitempty"`
		Twice  **string        `json:"twice,omitempty"`
		List   *[]int          `json:",omitempty"`
		UserID string
		Bare   *bool
	}
	server := start(t, codemode.Options{}, returning("r.none", root{}), returning("r.all", root{
		Items: []scored{}, Alias: map[string]bool{}, Values: &[]*string{}, Extra: ptr("x"), Twice: ptr((*string)(nil)), List: ptr([]int(nil)), Bare: ptr(true),
	}))
	d, err := server.Describe("r.none")
	wantClass(t, err, nil)
	const want = `[{"name":"items","type":"list[{title: str, score: float}]","required":true},{"name":"alias","type":"dict[str, bool]","required":true},` +
		`{"name":"nested","type":"{value: str, detail?: str}","required":true},{"name":"values","type":"list[str | None] | None","required":true},` +
		`{"name":"extra","type":"str","required":false},{"name":"twice","type":"str | None","required":false},{"name":"List","type":"list[int]","required":false},` +
		`{"name":"UserID","type":"str","required":true},{"name":"Bare","type":"bool | None","required":true}]`
	if got := asJSON(t, d.Output); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	wantValue(t, server, body("return repr(r.none())"),
		asJSON(t, `{"items": None, "alias": None, "nested": {"value": ""}, "values": None, "UserID": "", "Bare": None}`))
	wantValue(t, server, body("return repr(r.all())"),
		asJSON(t, `{"items": [], "alias": {}, "nested": {"value": ""}, "values": [], "extra": "x", "twice": None, "List": None, "UserID": "", "Bare": True}`))
}

// TestInvalidOutputsAreCapabilityFailures: what the types allow and the rules
// for values do not.
func TestInvalidOutputsAreCapabilityFailures(t *testing.T) {
	nan := math.NaN()
	adds := map[string]add{
		"NaN":                            returning("bad.c1", box[float64]{nan}),
		"positive infinity":              returning("bad.c2", box[float64]{math.Inf(1)}),
		"negative infinity":              returning("bad.c3", box[float64]{math.Inf(-1)}),
		"float32 NaN":                    returning("bad.c4", box[float32]{float32(nan)}),
		"named float NaN":                returning("bad.c5", box[namedFloat]{namedFloat(nan)}),
		"uint64 past MaxInt64":           returning("bad.c6", box[uint64]{math.MaxInt64 + 1}),
		"uint past MaxInt64":             returning("bad.c7", box[uint]{math.MaxUint}),
		"NaN in a list":                  returning("bad.c8", box[[]float64]{[]float64{1, nan}}),
		"NaN in a map":                   returning("bad.c9", box[map[string]float64]{map[string]float64{"k": nan}}),
		"NaN behind a pointer":           returning("bad.c10", box[*float64]{&nan}),
		"uint64 in a struct in an array": returning("bad.c11", box[[1]generic[uint64]]{[1]generic[uint64]{{math.MaxUint64}}}),
	}
	var all []add
	for _, a := range adds {
		all = append(all, a)
	}
	server := start(t, codemode.Options{}, all...)
	for i := range len(adds) {
		wantFault(t, server, body(fmt.Sprintf("bad.c%d()\nreturn 1", i+1)), codemode.ErrCapabilityFailure)
	}
}

func TestMapKeysAreSortedEveryTime(t *testing.T) {
	m := make(map[string]int)
	for c := 'a'; c <= 'z'; c++ {
		m[string(c)] = 1
	}
	server := start(t, codemode.Options{}, returning("x.y", box[map[string]int]{m}))
	program := body("first = list(x.y()['v'])\nfor _ in range(90):\n    if list(x.y()['v']) != first: fail('another order')\nreturn ''.join(first)")
	for range 3 {
		wantValue(t, server, program, `"abcdefghijklmnopqrstuvwxyz"`)
	}
}

func TestMapKeysWithInvalidUTF8AreReplaced(t *testing.T) {
	server := start(t, codemode.Options{}, returning("x.y", box[map[string]int]{map[string]int{"a\xff": 1}}))
	wantValue(t, server, body("return x.y()['v']"), `{"a�":1}`)
}

func TestResultsAreOrdinaryMutableValues(t *testing.T) {
	server := start(t, codemode.Options{}, returning("x.y", box[[]int]{[]int{1}}))
	wantValue(t, server, body("a = x.y()\nb = x.y()\na['v'].append(2)\na['w'] = 3\nreturn [a, b]"), `[{"v":[1,2],"w":3},{"v":[1]}]`)
}
