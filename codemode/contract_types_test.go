package codemode_test

import (
	"context"
	"encoding"
	"encoding/json"
	"log/slog"
	"math/big"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/codemode-go/codemode/codemode"
)

type (
	valueMarshaler   struct{ N int }
	pointerMarshaler struct{ N int }
	valueText        struct{ N int }
	pointerText      struct{ N int }
	textString       string
	textKey          string
	base             struct{ ID string }
	linked           struct{ Next *linked }
	viaSlice         struct{ Sub []viaSlice }
	viaMap           struct{ Sub map[string]viaMap }
	mutualA          struct{ B *mutualB }
	mutualB          struct{ A []mutualA }
	cyclicSlice      []cyclicSlice
	cyclicMap        map[string]cyclicMap
	cyclicPointer    *cyclicPointer
)

func (valueMarshaler) MarshalJSON() ([]byte, error)    { return nil, nil }
func (*pointerMarshaler) MarshalJSON() ([]byte, error) { return nil, nil }
func (valueText) MarshalText() ([]byte, error)         { return nil, nil }
func (*pointerText) MarshalText() ([]byte, error)      { return nil, nil }
func (textString) MarshalText() ([]byte, error)        { return nil, nil }
func (textKey) MarshalText() ([]byte, error)           { return nil, nil }

// output and input register bad.type with a type that Build must refuse.
func output[Out any](b *codemode.Builder) { returning("bad.type", *new(Out))(b) }

func input[In any](b *codemode.Builder) {
	offer("bad.type", func(_ context.Context, in In) (empty, error) { return empty{}, nil })(b)
}

func TestUnsupportedOutputTypes(t *testing.T) {
	for rule, register := range map[string]add{
		"pointer root":                    output[*lookupOutput],
		"string root":                     output[string],
		"map root":                        output[map[string]int],
		"slice root":                      output[[]int],
		"any root":                        output[any],
		"error root":                      output[error],
		"root that marshals itself":       output[valueMarshaler],
		"root whose pointer marshals":     output[pointerMarshaler],
		"any":                             output[box[any]],
		"list of any":                     output[box[[]any]],
		"map of any":                      output[box[map[string]any]],
		"pointer to any":                  output[box[*any]],
		"error":                           output[box[error]],
		"interface with methods":          output[box[encoding.TextMarshaler]],
		"json.RawMessage":                 output[box[json.RawMessage]],
		"pointer to json.RawMessage":      output[box[*json.RawMessage]],
		"json.Marshaler":                  output[box[valueMarshaler]],
		"json.Marshaler by pointer":       output[box[pointerMarshaler]],
		"json.Marshaler in a list":        output[box[[]pointerMarshaler]],
		"json.Marshaler behind a pointer": output[box[**valueMarshaler]],
		"encoding.TextMarshaler":          output[box[valueText]],
		"TextMarshaler by pointer":        output[box[pointerText]],
		"TextMarshaler that is a string":  output[box[textString]],
		"time.Time":                       output[box[time.Time]],
		"big.Int":                         output[box[big.Int]],
		"netip.Addr":                      output[box[netip.Addr]],
		"slog.Level":                      output[box[slog.Level]],
		"struct with unexported fields":   output[box[sync.Mutex]],
		"url.URL":                         output[box[url.URL]],
		"function":                        output[box[func()]],
		"channel":                         output[box[chan int]],
		"complex64":                       output[box[complex64]],
		"complex128":                      output[box[complex128]],
		"unsafe.Pointer":                  output[box[unsafe.Pointer]],
		"uintptr":                         output[box[uintptr]],
		"list of uintptr":                 output[box[[]uintptr]],
		"map with int keys":               output[box[map[int]string]],
		"map with bool keys":              output[box[map[bool]string]],
		"map with struct keys":            output[box[map[empty]string]],
		"map with any keys":               output[box[map[any]string]],
		"map with array keys":             output[box[map[[1]byte]string]],
		"map with keys that marshal":      output[box[map[textKey]string]],
		"map of channels":                 output[box[map[string]chan int]],
		"cycle through a pointer":         output[linked],
		"cycle through a slice":           output[viaSlice],
		"cycle through a map":             output[viaMap],
		"cycle of two types":              output[mutualA],
		"cycle without a struct":          output[box[cyclicSlice]],
		"cycle of maps":                   output[box[cyclicMap]],
		"cycle of pointers":               output[box[cyclicPointer]],
		"cycle deep inside":               output[box[[]map[string]*linked]],
		"embedded struct":                 output[struct{ base }],
		"embedded exported struct":        output[struct{ Embedded }],
		"embedded pointer":                output[struct{ *Embedded }],
		"embedded struct with a tag": output[struct {
			Embedded `json:"e"`
		}],
		"embedded string":           output[struct{ NamedField }],
		"unexported field":          output[struct{ a string }],
		"blank field":               output[struct{ _ int }],
		"unexported field inside":   output[box[struct{ A, b int }]],
		"embedded struct in a list": output[box[[]struct{ Embedded }]],
		"omitempty on a string": output[struct {
			A string `json:"a,omitempty"`
		}],
		"omitempty on a slice": output[struct {
			A []int `json:"a,omitempty"`
		}],
		"omitempty on a map": output[struct {
			A map[string]int `json:"a,omitempty"`
		}],
		"omitempty on a struct": output[struct {
			A base `json:"a,omitempty"`
		}],
		"omitempty on a scalar inside": output[box[struct {
			A int `json:",omitempty"`
		}]],
		"ignored field": output[struct {
			A string `json:"-"`
		}],
		"field named by a dash": output[struct {
			//lint:ignore SA5008 the tag is the case
			A string `json:"-,"`
		}],
		"tag option string": output[struct {
			A int `json:"a,string"`
		}],
		"tag option omitzero": output[struct {
			A *int `json:"a,omitzero"`
		}],
		"tag option inline": output[struct {
			A base `json:",inline"`
		}],
		"empty tag option": output[struct {
			//lint:ignore SA5008 the tag is the case
			A int `json:"a,"`
		}],
		"other tag": output[struct {
			A int `yaml:"a"`
		}],
		"other tag beside json": output[struct {
			A int `json:"a" yaml:"a"`
		}],
		"two json tags": output[struct {
			//lint:ignore SA5008 the tag is the case
			A int `json:"a" json:"b"`
		}],
		"tag with a space": output[struct {
			A int `json:"a b"`
		}],
		"tag with a dot": output[struct {
			A int `json:"a.b"`
		}],
		"tag with a hyphen": output[struct {
			A int `json:"a-b"`
		}],
		"tag that begins with a digit": output[struct {
			A int `json:"1a"`
		}],
		"tag that is a keyword": output[struct {
			A int `json:"for"`
		}],
		"tag that is a reserved word": output[struct {
			A int `json:"class"`
		}],
		"two fields with one name": output[struct {
			A int `json:"B"`
			B int
		}],
		"two fields with one name, inside": output[box[[]struct {
			B int
			A int `json:"B"`
		}]],
	} {
		t.Run(rule, func(t *testing.T) { refused(t, codemode.Options{}, []string{"bad.type"}, register) })
	}
}

// Exported, so that nothing but the embedding is wrong with their fields.
type (
	Embedded   struct{ ID string }
	NamedField string
)

func TestUnsupportedInputTypes(t *testing.T) {
	for rule, register := range map[string]add{
		"pointer root":                    input[*lookupInput],
		"string root":                     input[string],
		"map root":                        input[map[string]string],
		"any root":                        input[any],
		"root that marshals itself":       input[pointerMarshaler],
		"int":                             input[box[int]],
		"int8":                            input[box[int8]],
		"int32":                           input[box[int32]],
		"uint8":                           input[box[uint8]],
		"uint64":                          input[box[uint64]],
		"float32":                         input[box[float32]],
		"complex128":                      input[box[complex128]],
		"pointer to int":                  input[box[*int]],
		"pointer to float32":              input[box[*float32]],
		"pointer to pointer":              input[box[**string]],
		"pointer to struct":               input[box[*base]],
		"bytes":                           input[box[[]byte]],
		"list":                            input[box[[]string]],
		"array":                           input[box[[1]string]],
		"map":                             input[box[map[string]string]],
		"struct":                          input[box[base]],
		"any":                             input[box[any]],
		"channel":                         input[box[chan int]],
		"function":                        input[box[func()]],
		"json.RawMessage":                 input[box[json.RawMessage]],
		"time.Time":                       input[box[time.Time]],
		"string that marshals":            input[box[textString]],
		"pointer to string that marshals": input[box[*textString]],
		"embedded struct":                 input[struct{ Embedded }],
		"embedded string":                 input[struct{ NamedField }],
		"unexported field":                input[struct{ a string }],
		"omitempty on a string": input[struct {
			A string `json:"a,omitempty"`
		}],
		"omitempty on an int64": input[struct {
			A int64 `json:"a,omitempty"`
		}],
		"omitempty on a bool": input[struct {
			A bool `json:"a,omitempty"`
		}],
		"omitempty on a float64": input[struct {
			A float64 `json:"a,omitempty"`
		}],
		"ignored field": input[struct {
			A string `json:"-"`
		}],
		"tag option string": input[struct {
			A int64 `json:"a,string"`
		}],
		"other tag": input[struct {
			A string `jsonschema:"the key"`
		}],
		"tag that is a keyword": input[struct {
			A string `json:"from"`
		}],
		"tag that is no identifier": input[struct {
			A string `json:"a-b"`
		}],
		"two fields with one name": input[struct {
			A string `json:"B"`
			B string
		}],
	} {
		t.Run(rule, func(t *testing.T) { refused(t, codemode.Options{}, []string{"bad.type"}, register) })
	}
}

func TestEveryFaultyFieldIsNamed(t *testing.T) {
	type in struct {
		First  int
		Second []string
	}
	type out struct {
		Items []struct{ Third chan int }
		Map   map[string]struct{ Fourth func() }
	}
	bad := offer("bad.type", func(context.Context, in) (out, error) { return out{}, nil })
	refused(t, codemode.Options{}, []string{"First", "Second", "Items[].Third", "Fourth"}, bad)
	_, err := tryStart(codemode.Options{}, bad)
	for _, diagnostic := range strings.Split(err.Error(), "\n") {
		if !strings.Contains(diagnostic, `capability "bad.type"`) {
			t.Errorf("got %s, which does not name the capability", diagnostic)
		}
	}
}
