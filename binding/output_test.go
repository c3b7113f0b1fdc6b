package binding_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/binding"
)

// walkOutput walks a struct of any type, also by pointer, where fields have an
// address and reflection takes other ways.
func walkOutput(t *testing.T, output any) (string, error) {
	t.Helper()
	plan, err := binding.Compile(typ[none](), reflect.TypeOf(output))
	if err != nil {
		t.Fatal(err)
	}
	var direct, addressed trace
	err = plan.WalkOutput(output, &direct)
	pointer := reflect.New(reflect.TypeOf(output))
	pointer.Elem().Set(reflect.ValueOf(output))
	if err2 := plan.WalkOutput(pointer.Interface(), &addressed); !reflect.DeepEqual(err, err2) || direct.text() != addressed.text() {
		t.Errorf("got %s and %v by value, %s and %v by pointer", direct.text(), err, addressed.text(), err2)
	}
	return direct.text(), err
}

func ref[T any](value T) *T { return &value }

func TestWalkOutput(t *testing.T) {
	type inner struct {
		B string  `json:"b"`
		A *string `json:"a,omitempty"`
	}
	tests := []struct {
		rule   string
		output any
		want   string
	}{
		{"no fields", none{}, `{0`},
		{"fields in declaration order", struct{ Z, A, M int }{1, 2, 3}, `{3 Z: 1 A: 2 M: 3`},
		{"scalars", struct {
			S string
			B bool
			F float64
			I int64
		}{"s", true, 1.5, -1}, `{4 S: "s" B: true F: 1.5f I: -1`},
		{"named scalars", struct {
			S namedString
			B namedBool
			F namedFloat
			I namedInt
			D time.Duration
		}{"s", true, 1.5, -1, time.Second}, `{5 S: "s" B: true F: 1.5f I: -1 D: 1000000000`},
		{"signed integers at their ends", struct {
			A int
			B int8
			C int16
			D int32
			E int64
		}{math.MinInt32, math.MinInt8, math.MaxInt16, math.MinInt32, math.MaxInt64},
			`{5 A: -2147483648 B: -128 C: 32767 D: -2147483648 E: 9223372036854775807`},
		{"unsigned integers at their ends", struct {
			A uint
			B uint8
			C uint16
			D uint32
			E uint64
		}{math.MaxUint32, math.MaxUint8, math.MaxUint16, math.MaxUint32, math.MaxInt64},
			`{5 A: 4294967295 B: 255 C: 65535 D: 4294967295 E: 9223372036854775807`},
		{"float32 widens exactly", struct{ F float32 }{0.1}, `{1 F: 0.10000000149011612f`},
		{"the largest float", struct{ F float64 }{math.MaxFloat64}, `{1 F: 1.7976931348623157e+308f`},
		{"a whole float stays a float", struct{ F float64 }{1}, `{1 F: 1f`},
		{"nil pointers are None", struct {
			A *string
			B ***int
			C *none
		}{}, `{3 A: None B: None C: None`},
		{"an inner nil pointer is None", struct{ A **int }{ref[*int](nil)}, `{1 A: None`},
		{"pointers show what they point to", struct {
			A *string
			B **int
			C *inner
		}{ref("a"), ref(ref(1)), &inner{B: "b"}}, `{3 A: "a" B: 1 C: {1 b: "b"`},
		{"nil omitempty pointers are absent", struct {
			A *string `json:"a,omitempty"`
			B *int
			C *inner `json:",omitempty"`
		}{}, `{1 B: None`},
		{"omitempty pointers to zero are present", struct {
			A *string `json:"a,omitempty"`
			C *inner  `json:",omitempty"`
		}{ref(""), &inner{}}, `{2 a: "" C: {1 b: ""`},
		{"omitempty looks at its own pointer only", struct {
			A **string `json:"a,omitempty"`
		}{ref[*string](nil)}, `{1 a: None`},
		{"omitempty in a list counts each struct for itself", struct{ A []inner }{[]inner{{"x", nil}, {"y", ref("a")}}},
			`{1 A: [2 {1 b: "x" {2 b: "y" a: "a"`},
		{"nil slices, maps and bytes are None", struct {
			A []string
			B map[string]int
			C []byte
			D namedBytes
			E *[]int
		}{E: ref[[]int](nil)}, `{5 A: None B: None C: None D: None E: None`},
		{"empty ones stay empty", struct {
			A []string
			B map[string]int
			C []byte
			D [0]int
			E [0]byte
		}{[]string{}, map[string]int{}, []byte{}, [0]int{}, [0]byte{}}, `{5 A: [0 B: {0 C: [0 D: [0 E: [0`},
		{"lists", struct {
			A []int
			B [2]string
			C [][]bool
			D namedList
		}{[]int{1, 2}, [2]string{"a", ""}, [][]bool{{true}, nil, {}}, namedList{"x"}},
			`{4 A: [2 1 2 B: [2 "a" "" C: [3 [1 true None [0 D: [1 "x"`},
		{"nil pointers in lists and maps are None", struct {
			A []*int
			B map[string]*inner
		}{[]*int{nil, ref(1)}, map[string]*inner{"x": nil}}, `{2 A: [2 None 1 B: {1 x: None`},
		{"bytes are integers", struct {
			A []byte
			B [2]byte
			C namedBytes
			D [2]namedByte
			E []*byte
			F [][2]byte
		}{[]byte("\x00\xff"), [2]byte{1, 2}, namedBytes{3}, [2]namedByte{4, 5}, []*byte{nil}, [][2]byte{{6, 7}}},
			`{6 A: [2 0 255 B: [2 1 2 C: [1 3 D: [2 4 5 E: [1 None F: [1 [2 6 7`},
		{"int8 is no byte", struct{ A []int8 }{[]int8{-1, 5}}, `{1 A: [2 -1 5`},
		{"map keys ascend", struct{ A map[string]int }{map[string]int{"b": 2, "a": 1, "": 0, "B": 3, "é": 4}},
			`{1 A: {5 : 0 B: 3 a: 1 b: 2 é: 4`},
		{"named keys and elements", struct{ A namedMap }{namedMap{"k": {"a"}, "j": nil}}, `{1 A: {2 j: None k: [1 "a"`},
		{"maps of maps of structs", struct{ A map[string]map[string]inner }{map[string]map[string]inner{"x": {"z": {B: "1"}, "y": {B: "2"}}, "w": nil}},
			`{1 A: {2 w: None x: {2 y: {1 b: "2" z: {1 b: "1"`},
		{"maps of arrays and bytes", struct {
			A map[string][2]byte
			B map[string][]byte
			C map[string][1][]int
		}{map[string][2]byte{"a": {1, 2}}, map[string][]byte{"b": {3}}, map[string][1][]int{"c": {{4}}}},
			`{3 A: {1 a: [2 1 2 B: {1 b: [1 3 C: {1 c: [1 [1 4`},
		{"maps of every scalar", struct {
			A map[string]string
			B map[string]int64
			C map[string]float64
			D map[string]bool
			E map[namedString]namedInt
			F map[string]uint8
			G map[string]*string
		}{map[string]string{"a": "\xff"}, map[string]int64{"b": 1}, map[string]float64{"c": 1.5}, map[string]bool{"d": true},
			map[namedString]namedInt{"e": 2}, map[string]uint8{"f": 3}, map[string]*string{"g": nil}},
			`{7 A: {1 a: "�" B: {1 b: 1 C: {1 c: 1.5f D: {1 d: true E: {1 e: 2 F: {1 f: 3 G: {1 g: None`},
		{"invalid UTF-8 is replaced byte by byte", struct {
			A string
			B []string
			C map[string]string
		}{"a\xff\xfeb", []string{"\xe6\xbc"}, map[string]string{"k\xff": "\x80"}},
			`{3 A: "a��b" B: [1 "��" C: {1 k�: "�"`},
		{"NUL and U+FFFD stay", struct{ A string }{"\x00\uFFFD"}, `{1 A: "\x00�"`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			got, err := walkOutput(t, test.output)
			if err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestWalkOutputRefuses(t *testing.T) {
	type item struct {
		Score float32 `json:"score"`
		Size  uint64  `json:"size"`
	}
	nan := float32(math.NaN())
	tests := []struct {
		rule   string
		output any
		want   string
	}{
		{"uint64 above int64", struct{ A uint64 }{1 << 63}, "A: got 9223372036854775808, want at most 9223372036854775807"},
		{"the largest uint64", struct{ A uint64 }{math.MaxUint64}, "A: got 18446744073709551615, want at most 9223372036854775807"},
		{"NaN", struct{ A float64 }{math.NaN()}, "A: got nan, want a finite number"},
		{"float32 infinity", struct{ A float32 }{float32(math.Inf(1))}, "A: got +inf, want a finite number"},
		{"negative infinity", struct{ A float64 }{math.Inf(-1)}, "A: got -inf, want a finite number"},
		{"in a list", struct {
			Items []item `json:"items"`
		}{[]item{{}, {}, {}, {Score: nan}}}, "items[3].score: got nan, want a finite number"},
		{"in an array", struct{ A [2]uint64 }{[2]uint64{0, 1 << 63}}, "A[1]: got 9223372036854775808, want at most 9223372036854775807"},
		{"in a map", struct{ A map[string]item }{map[string]item{"x": {}, "y": {Size: 1 << 63}}}, "A.y.size: got 9223372036854775808, want at most 9223372036854775807"},
		{"in a map of scalars", struct{ A map[string]float64 }{map[string]float64{"a b": math.NaN()}}, `A["a b"]: got nan, want a finite number`},
		{"behind pointers", struct{ A **[]*item }{ref(ref([]*item{{Score: nan}}))}, "A[0].score: got nan, want a finite number"},
		{"keys that become one", struct{ A map[string]int }{map[string]int{"k\xfe": 1, "k\xff": 2}},
			`A["k�"]: got two keys that differ only in invalid UTF-8, want distinct keys`},
		{"keys that become one in a map of structs", struct{ A map[string]none }{map[string]none{"\xfe": {}, "\xff": {}}},
			`A["�"]: got two keys that differ only in invalid UTF-8, want distinct keys`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			events, err := walkOutput(t, test.output)
			var value *binding.ValueError
			if !errors.As(err, &value) || value.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
			for range 10 {
				if again, _ := walkOutput(t, test.output); again != events {
					t.Errorf("got %s and then %s, want the same events each time", events, again)
				}
			}
		})
	}
}

func TestWalkOutputOfAnotherType(t *testing.T) {
	plan, err := binding.CompileFor[none, lookupOutput]()
	if err != nil {
		t.Fatal(err)
	}
	for _, output := range []any{nil, none{}, 1, (*lookupOutput)(nil), &none{}, ref(&lookupOutput{})} {
		var value *binding.ValueError
		if err := plan.WalkOutput(output, &trace{}); !errors.As(err, &value) {
			t.Errorf("%T: got %v, want a *ValueError", output, err)
		}
	}
}

func TestWalkOutputReturnsVisitorErrorsUnchanged(t *testing.T) {
	output := struct {
		A []int
		B map[string]struct{ C *string }
		D []byte
		E [1]byte
		F map[string]string
	}{[]int{1}, map[string]struct{ C *string }{"x": {}}, []byte{1}, [1]byte{2}, map[string]string{"y": "z"}}
	plan, err := binding.Compile(typ[none](), reflect.TypeOf(output))
	if err != nil {
		t.Fatal(err)
	}
	var all trace
	if err := plan.WalkOutput(output, &all); err != nil {
		t.Fatal(err)
	}
	for fail := 1; fail <= len(all.words); fail++ {
		v := trace{fail: fail}
		if err := plan.WalkOutput(output, &v); err != errStop || len(v.words) != fail {
			t.Errorf("event %d: got %v after %d events, want the visitor's error at once", fail, err, len(v.words))
		}
	}
}

// TestWalkOutputAsksBeforeItReadsAMap: one that the visitor has no room for may
// have millions of entries, and is neither copied nor sorted.
func TestWalkOutputAsksBeforeItReadsAMap(t *testing.T) {
	type output struct{ A map[string]int }
	plan, err := binding.CompileFor[none, output]()
	if err != nil {
		t.Fatal(err)
	}
	const dictOfTheMap = 3 // behind the dict of the struct and its key
	v := trace{fail: dictOfTheMap}
	if err := plan.WalkOutput(output{map[string]int{"k\xfe": 1, "k\xff": 2}}, &v); err != errStop {
		t.Errorf("got %v, want the visitor's error before the one of the keys", err)
	}
}

// TestWalkOutputReplacesAByteAnywhere: texts are looked at by words, and no
// place in one of any length may be passed over.
func TestWalkOutputReplacesAByteAnywhere(t *testing.T) {
	type output struct {
		Field string
		List  []string
	}
	for size := range 20 {
		for at := range size {
			before, after := strings.Repeat("x", at), strings.Repeat("x", size-at-1)
			text, want := before+"\x80"+after, before+"\uFFFD"+after
			got, err := walkOutput(t, output{text, []string{text}})
			if want := fmt.Sprintf(`{2 Field: %q List: [1 %q`, want, want); err != nil || got != want {
				t.Errorf("byte %d of %d: got %s and %v, want %s", at, size, got, err, want)
			}
		}
	}
}
