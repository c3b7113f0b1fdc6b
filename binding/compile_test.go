package binding_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/codemode-go/codemode/binding"
)

type (
	none struct{}

	namedString string
	namedInt    int64
	namedBool   bool
	namedFloat  float64
	namedByte   uint8
	namedBytes  []namedByte
	namedList   []namedString
	namedMap    map[namedString]namedList

	namedPointer *string

	textKey        string
	textByte       uint8
	pointerJSON    struct{ N int }
	pointerText    int64
	valueJSON      struct{ N int }
	box[T any]     struct{ Value T }
	pair[A, B any] struct {
		First  A
		Second B
	}

	selfPointer *selfPointer
	selfSlice   []selfSlice
	selfArray   [2]*selfArray
	selfMap     map[string]selfMap
	tree        struct{ Sub map[string]tree }
	node        struct{ Next *node }
	even        struct{ Odd []odd }
	odd         struct{ Even *even }
)

func (textKey) MarshalText() ([]byte, error)      { return nil, nil }
func (textByte) MarshalText() ([]byte, error)     { return nil, nil }
func (*pointerJSON) MarshalJSON() ([]byte, error) { return nil, nil }
func (*pointerText) MarshalText() ([]byte, error) { return nil, nil }
func (valueJSON) MarshalJSON() ([]byte, error)    { return nil, nil }

// typ names the type of a whole output or input.
func typ[T any]() reflect.Type { return reflect.TypeFor[T]() }

func TestOutputRejects(t *testing.T) {
	tests := []struct {
		rule string
		typ  reflect.Type
		want []string // one "path: part of the problem" for each fault
	}{
		{"nil", nil, []string{": got nil"}},
		{"pointer root", typ[*none](), []string{": got *binding_test.none, want a struct"}},
		{"interface root", typ[any](), []string{": got interface {}"}},
		{"scalar root", typ[string](), []string{": got string"}},
		{"map root", typ[map[string]int](), []string{": got map[string]int"}},
		{"root that marshals", typ[time.Time](), []string{": got time.Time, which has MarshalJSON"}},
		{"any", typ[struct{ A any }](), []string{"A: got interface {}"}},
		{"interface with methods", typ[struct{ A error }](), []string{"A: got error"}},
		{"any in a map of lists", typ[struct{ A map[string][]any }](), []string{"A[][]: got interface {}"}},
		{"RawMessage", typ[struct{ A json.RawMessage }](), []string{"A: got json.RawMessage, which has MarshalJSON"}},
		{"value JSON marshaler", typ[struct{ A valueJSON }](), []string{"A: got binding_test.valueJSON"}},
		{"pointer JSON marshaler", typ[struct{ A pointerJSON }](), []string{"A: got binding_test.pointerJSON"}},
		{"pointer to a pointer JSON marshaler", typ[struct{ A *pointerJSON }](), []string{"A: got binding_test.pointerJSON"}},
		{"pointer text marshaler", typ[struct{ A pointerText }](), []string{"A: got binding_test.pointerText"}},
		{"text marshaler in a list", typ[struct{ A []pointerText }](), []string{"A[]: got binding_test.pointerText"}},
		{"text marshaler as a map element", typ[struct{ A map[string]*big.Int }](), []string{"A[]: got big.Int"}},
		{"text marshaler as a map key", typ[struct{ A map[textKey]int }](), []string{"A: got keys of type binding_test.textKey"}},
		{"byte that marshals", typ[struct{ A []textByte }](), []string{"A[]: got binding_test.textByte"}},
		{"bytes that marshal", typ[struct{ A net.IP }](), []string{"A: got net.IP"}},
		{"generic instance that marshals inside", typ[struct{ A box[time.Time] }](), []string{"A.Value: got time.Time"}},
		{"func", typ[struct{ A func() }](), []string{"A: got func()"}},
		{"chan", typ[struct{ A chan int }](), []string{"A: got chan int"}},
		{"complex", typ[struct {
			A complex64
			B complex128
		}](), []string{"A: got complex64", "B: got complex128"}},
		{"uintptr", typ[struct{ A uintptr }](), []string{"A: got uintptr"}},
		{"unsafe.Pointer", typ[struct{ A unsafe.Pointer }](), []string{"A: got unsafe.Pointer"}},
		{"in an array without elements", typ[struct{ A [0]chan int }](), []string{"A[]: got chan int"}},
		{"int map keys", typ[struct{ A map[int]string }](), []string{"A: got map[int]string, want a map with string keys"}},
		{"any map keys", typ[struct{ A map[any]string }](), []string{"A: got map[interface {}]string"}},
		{"both sides of a map", typ[struct{ A map[int]chan int }](), []string{"A: got map[int]chan int", "A[]: got chan int"}},
		{"cycle of a pointer", typ[struct{ A selfPointer }](), []string{"A: got binding_test.selfPointer inside itself"}},
		{"cycle of an omitempty pointer", typ[struct {
			A selfPointer `json:",omitempty"`
		}](), []string{"A: got binding_test.selfPointer inside itself"}},
		{"cycle of a slice", typ[struct{ A selfSlice }](), []string{"A[]: got binding_test.selfSlice inside itself"}},
		{"cycle of an array", typ[struct{ A selfArray }](), []string{"A[]: got binding_test.selfArray inside itself"}},
		{"cycle of a map", typ[struct{ A selfMap }](), []string{"A[]: got binding_test.selfMap inside itself"}},
		{"cycle through a map", typ[tree](), []string{"Sub[]: got binding_test.tree inside itself"}},
		{"cycle through a pointer", typ[struct{ A node }](), []string{"A.Next: got binding_test.node inside itself"}},
		{"cycle of two types", typ[even](), []string{"Odd[].Even: got binding_test.even inside itself"}},
		{"embedded struct", typ[struct{ none }](), []string{"none: got an embedded field"}},
		{"embedded pointer", typ[struct{ *tree }](), []string{"tree: got an embedded field"}},
		{"embedded scalar with a name", typ[struct {
			Inner struct {
				namedString `json:"s"`
			}
		}](), []string{"Inner.namedString: got an embedded field"}},
		{"unexported field", typ[struct{ a int }](), []string{"a: got an unexported field"}},
		{"blank field", typ[struct{ _ int }](), []string{"_: got an unexported field"}},
		{"all faults, each with its path", typ[struct {
			Items []struct {
				Owner struct {
					ID chan int `json:"id"`
				} `json:"owner"`
				Raw any `json:"raw,inline"`
			}
			Ok  string
			Bad map[int]*func()
		}](), []string{
			"Items[].Owner.ID: got chan int",
			"Items[].Raw: got tag option \"inline\"", "Items[].Raw: got interface {}",
			"Bad: got map[int]*func()", "Bad[]: got func()",
		}},
		{"the same fault on two paths", typ[pair[node, []node]](), []string{
			"First.Next: got binding_test.node inside itself", "Second[].Next: got binding_test.node inside itself",
		}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			_, err := binding.Compile(typ[none](), test.typ)
			checkFaults(t, err, "output", test.want)
		})
	}
}

// checkFaults compares a joined error with "path: part of the problem" lines.
func checkFaults(t *testing.T, err error, side string, want []string) {
	t.Helper()
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		t.Fatalf("got %v, want a joined error", err)
	}
	var faults []*binding.FieldError
	for _, err := range joined.Unwrap() {
		faults = append(faults, asFault(t, err))
	}
	if len(faults) != len(want) {
		t.Fatalf("got %d faults, want %d:\n%v", len(faults), len(want), err)
	}
	for i, f := range faults {
		path, problem, _ := strings.Cut(want[i], ": ")
		if f.Side != side || f.Path != path || !strings.Contains(f.Problem, problem) {
			t.Errorf("got %q, want %s field %q with %q", f, side, path, problem)
		}
		if strings.ContainsAny(f.Error(), "\n\r") {
			t.Errorf("%q has more than one line", f)
		}
	}
}

func asFault(t *testing.T, err error) *binding.FieldError {
	t.Helper()
	var f *binding.FieldError
	if !errors.As(err, &f) {
		t.Fatalf("got %T, want a *FieldError", err)
	}
	return f
}

func TestOutputAccepts(t *testing.T) {
	tests := []struct {
		rule string
		typ  reflect.Type
		want string
	}{
		{"no fields", typ[none](), "{}"},
		{"Duration", typ[struct{ A time.Duration }](), "{A: int}"},
		{"Month has a String method only", typ[struct{ A time.Month }](), "{A: int}"},
		{"json.Number is a string", typ[struct{ A json.Number }](), "{A: str}"},
		{"named kinds", typ[struct {
			A namedString
			B namedInt
			C namedBool
			D namedFloat
		}](), "{A: str, B: int, C: bool, D: float}"},
		{"every integer", typ[struct {
			A int
			B int8
			C int16
			D int32
			E int64
			F uint
			G uint8
			H uint16
			I uint32
			J uint64
		}](), "{A: int, B: int, C: int, D: int, E: int, F: int, G: int, H: int, I: int, J: int}"},
		{"both floats", typ[struct {
			A float32
			B float64
		}](), "{A: float, B: float}"},
		{"bytes", typ[struct {
			A []byte
			B namedBytes
			C [3]namedByte
			D *[]byte
		}](), "{A: list[int], B: list[int], C: list[int], D: list[int] | None}"},
		{"lists and maps", typ[struct {
			A []string
			B [2]string
			C map[string]int
			D namedMap
		}](), "{A: list[str], B: list[str], C: dict[str, int], D: dict[str, list[str]]}"},
		{"pointers append None once", typ[struct {
			A *string
			B ***string
			C *[]*string
			D map[string]*int
			E namedPointer
		}](), "{A: str | None, B: str | None, C: list[str | None] | None, D: dict[str, int | None], E: str | None}"},
		{"omitempty takes its own pointer off the type", typ[struct {
			A *string    `json:"a,omitempty"`
			B **string   `json:"b,omitempty"`
			C *[]*string `json:",omitempty"`
		}](), "{a?: str, b?: str | None, C?: list[str | None]}"},
		{"nested structs", typ[struct {
			A struct {
				B string  `json:"b"`
				C *string `json:"c,omitempty"`
			}
			D *none
		}](), "{A: {b: str, c?: str}, D: {} | None}"},
		{"anonymous structs of different shape", typ[struct {
			A []struct{ K string }
			B struct{ V int }
		}](), "{A: list[{K: str}], B: {V: int}}"},
		{"generic structs", typ[pair[box[int], []box[namedString]]](), "{First: {Value: int}, Second: list[{Value: str}]}"},
		{"one type many times is no cycle", typ[struct {
			A, B box[int]
			C    []box[int]
			D    map[string]box[box[int]]
		}](), "{A: {Value: int}, B: {Value: int}, C: list[{Value: int}], D: dict[str, {Value: {Value: int}}]}"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			plan, err := binding.Compile(typ[none](), test.typ)
			if err != nil {
				t.Fatal(err)
			}
			if got := plan.Output().String(); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestCompileReportsBothSides(t *testing.T) {
	_, err := binding.CompileFor[struct{ A int }, struct{ B chan int }]()
	want := "input field A: got int, want string, int64, bool, float64 or a pointer to one of them\n" +
		"output field B: got chan int, want a string, bool or number, or a struct, slice, array, map or pointer of such"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := binding.Builtin("f", func(context.Context, struct{ A int }) (none, error) { return none{}, nil }); err == nil {
		t.Error("Builtin of an invalid type: got nil, want the fault")
	}
}
