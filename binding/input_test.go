package binding_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/binding"
)

func TestInputShapes(t *testing.T) {
	plan, err := binding.CompileFor[struct {
		A string  `json:"a"`
		B int64   `json:"b"`
		C bool    `json:"c"`
		D float64 `json:"d"`
		E *string `json:"e,omitempty"`
		F *int64  `json:"f"`
		G *bool
		H *float64
		I namedString
		J namedInt
		K *namedBool
		L *namedFloat
		M namedPointer
		N time.Duration
	}, none]()
	if err != nil {
		t.Fatal(err)
	}
	want := []binding.Shape{
		{"a", "str", true}, {"b", "int", true}, {"c", "bool", true}, {"d", "float", true},
		{"e", "str | None", false}, {"f", "int | None", false}, {"G", "bool | None", false}, {"H", "float | None", false},
		{"I", "str", true}, {"J", "int", true}, {"K", "bool | None", false}, {"L", "float | None", false},
		{"M", "str | None", false}, {"N", "int", true},
	}
	if got := plan.InputShapes(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	rebuilt, err := binding.NewInput(plan.Input().Fields())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := rebuilt.Signature("a.b"), plan.Input().Signature("a.b"); got != want {
		t.Errorf("rebuilt: got %s, want %s", got, want)
	}
}

func TestInputRejects(t *testing.T) {
	tests := []struct {
		rule string
		typ  reflect.Type
		want []string
	}{
		{"pointer root", typ[*none](), []string{": got *binding_test.none"}},
		{"any root", typ[any](), []string{": got interface {}"}},
		{"root that marshals", typ[time.Time](), []string{": got time.Time"}},
		{"other integers", typ[struct {
			A int
			B int8
			C int32
			D uint
			E uint64
		}](), []string{"A: got int, want string, int64", "B: got int8", "C: got int32", "D: got uint", "E: got uint64"}},
		{"float32", typ[struct{ A float32 }](), []string{"A: got float32"}},
		{"named int", typ[struct{ A time.Month }](), []string{"A: got time.Month"}},
		{"pointers to others", typ[struct {
			A *int
			B *[]string
		}](), []string{"A: got *int", "B: got *[]string"}},
		{"two pointers", typ[struct{ A **string }](), []string{"A: got **string"}},
		{"composites", typ[struct {
			A []string
			B map[string]string
			C none
			D []byte
			E [2]int64
		}](), []string{"A: got []string", "B: got map[string]string", "C: got binding_test.none", "D: got []uint8", "E: got [2]int64"}},
		{"text marshaler", typ[struct{ A textKey }](), []string{"A: got binding_test.textKey, which has MarshalText"}},
		{"pointer to a pointer text marshaler", typ[struct{ A *pointerText }](), []string{"A: got binding_test.pointerText"}},
		{"any", typ[struct{ A any }](), []string{"A: got interface {}, want string, int64"}},
		{"unexported and embedded", typ[struct {
			none
			a string
		}](), []string{"none: got an embedded", "a: got an unexported"}},
		{"omitempty without a pointer", typ[struct {
			A string `json:"a,omitempty"`
		}](), []string{"A: got omitempty on string"}},
		{"duplicate names", typ[struct {
			A string
			B string `json:"A"`
		}](), []string{"B: got name \"A\""}},
		{"all faults", typ[struct {
			A int
			B string `json:"for"`
		}](), []string{"A: got int", "B: got name \"for\""}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			_, err := binding.Compile(test.typ, typ[none]())
			checkFaults(t, err, "input", test.want)
		})
	}
}

func TestSignature(t *testing.T) {
	plan, err := binding.CompileFor[lookupInput, lookupOutput]()
	if err != nil {
		t.Fatal(err)
	}
	empty, err := binding.CompileFor[none, none]()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ got, want string }{
		{plan.Input().Signature("records.lookup"), "records.lookup(*, key: str, limit: int | None)"},
		{empty.Input().Signature("records.status"), "records.status()"},
		{binding.Input{}.Signature("f"), "f()"},
	} {
		if test.got != test.want {
			t.Errorf("got %s, want %s", test.got, test.want)
		}
	}
	if empty.InputShapes() == nil || empty.OutputShapes() == nil {
		t.Error("shapes of nothing: got nil, want an empty slice")
	}
}

func TestOutputShapes(t *testing.T) {
	plan, err := binding.CompileFor[none, struct {
		Items []struct {
			Title string  `json:"title"`
			Score float64 `json:"score"`
		} `json:"items"`
		Alias  map[string]bool `json:"alias"`
		Nested struct {
			Value  string  `json:"value"`
			Detail *string `json:"detail,omitempty"`
		} `json:"nested"`
		Values *[]*string `json:"values"`
		Extra  *string    `json:"extra,omitempty"`
	}]()
	if err != nil {
		t.Fatal(err)
	}
	want := []binding.Shape{
		{"items", "list[{title: str, score: float}]", true},
		{"alias", "dict[str, bool]", true},
		{"nested", "{value: str, detail?: str}", true},
		{"values", "list[str | None] | None", true},
		{"extra", "str", false},
	}
	if got := plan.OutputShapes(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestNewInput(t *testing.T) {
	str := &binding.Type{Kind: binding.String}
	tests := []struct {
		rule   string
		fields []binding.Field
		want   []string // faults, or none
	}{
		{"nothing", nil, nil},
		{"optional is nullable by itself", []binding.Field{{Name: "a", Type: str, Optional: true}}, nil},
		{"no type", []binding.Field{{Name: "a"}}, []string{"a: got no type"}},
		{"the zero type", []binding.Field{{Name: "a", Type: &binding.Type{}}}, []string{"a: got invalid"}},
		{"a list", []binding.Field{{Name: "a", Type: &binding.Type{Kind: binding.List, Elem: str}}}, []string{"a: got list, want str, int, bool or float"}},
		{"a kind that does not exist", []binding.Field{{Name: "a", Type: &binding.Type{Kind: 99}}}, []string{"a: got invalid"}},
		{"required but nullable", []binding.Field{{Name: "a", Type: &binding.Type{Kind: binding.Int, Nullable: true}}}, []string{"a: got a required parameter that may be None"}},
		{"names", []binding.Field{{Name: "for", Type: str}, {Name: "", Type: str}, {Name: "a b", Type: str}},
			[]string{"for: got name", "\"\": got name", "\"a b\": got name"}},
		{"twice", []binding.Field{{Name: "a", Type: str}, {Name: "a", Type: str}}, []string{"a: got this name twice"}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			in, err := binding.NewInput(test.fields)
			if len(test.want) > 0 {
				checkFaults(t, err, "input", test.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, f := range in.Fields() {
				if f.Name != test.fields[i].Name || f.Type.Nullable != f.Optional {
					t.Errorf("got %+v of type %s", f, f.Type)
				}
			}
			if str.Nullable {
				t.Fatal("the caller's type was modified")
			}
		})
	}
}
