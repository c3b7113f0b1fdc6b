package codemode_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

type (
	inString string
	inInt    int64
	inBool   bool
	inFloat  float64
)

// seen tells what a handler got, with its exact Go type.
type seen struct {
	Go string
}

// An inputCase is a type of the input field v, its shape, and how calls end:
// what the handler got, or "" for invalid arguments.
type inputCase struct {
	rule, shape string
	required    bool
	calls       map[string]string
	register    func(name string) add
}

func in[T any](rule, shape string, calls map[string]string) inputCase {
	required := reflect.TypeFor[T]().Kind() != reflect.Pointer
	return inputCase{rule, shape, required, calls, func(name string) add {
		return offer(name, func(_ context.Context, in box[T]) (seen, error) {
			v := reflect.ValueOf(in.V)
			if v.Kind() != reflect.Pointer {
				return seen{fmt.Sprintf("%T %v", in.V, in.V)}, nil
			}
			if v.IsNil() {
				return seen{fmt.Sprintf("%T nil", in.V)}, nil
			}
			return seen{fmt.Sprintf("%T %v", in.V, v.Elem())}, nil
		})
	}}
}

var inputCases = []inputCase{
	in[string]("string", "str", map[string]string{
		"v='a'": "string a", "v=''": "string ", "v='é\\x00'": "string é\x00", "v=u": "string text",
		"": "", "v=None": "", "v=1": "", "v=b'a'": "", "v=['a']": "", "v=True": "", "v='é'[:1]": "", "'a'": "", "w='a'": "", "v='a', w=1": "", "'a', v='a'": "",
	}),
	in[int64]("int64", "int", map[string]string{
		"v=1": "int64 1", "v=-9223372036854775808": "int64 -9223372036854775808", "v=9223372036854775807": "int64 9223372036854775807",
		"v=9223372036854775808": "", "v=-9223372036854775809": "", "v=1<<200": "", "v=1.0": "", "v=True": "", "v='1'": "", "v=None": "", "": "", "1": "",
	}),
	in[bool]("bool", "bool", map[string]string{
		"v=True": "bool true", "v=False": "bool false", "v=1": "", "v=0": "", "v=None": "", "v='True'": "", "": "",
	}),
	in[float64]("float64", "float", map[string]string{
		"v=1.5": "float64 1.5", "v=-0.0": "float64 -0", "v=1e308": "float64 1e+308", "v=float(3)": "float64 3", "v=5e-324": "float64 5e-324",
		"v=1": "", "v=True": "", "v=float('nan')": "", "v=float('inf')": "", "v=float('-inf')": "", "v='1.5'": "", "v=None": "", "": "",
	}),
	in[*string]("*string", "str | None", map[string]string{
		"v='a'": "*string a", "v=None": "*string nil", "": "*string nil", "v=1": "", "v=False": "", "None": "",
	}),
	in[*int64]("*int64", "int | None", map[string]string{
		"v=0": "*int64 0", "v=None": "*int64 nil", "": "*int64 nil", "v=1<<63": "", "v=1.0": "", "v=True": "",
	}),
	in[*bool]("*bool", "bool | None", map[string]string{
		"v=False": "*bool false", "v=None": "*bool nil", "": "*bool nil", "v=0": "",
	}),
	in[*float64]("*float64", "float | None", map[string]string{
		"v=0.0": "*float64 0", "v=None": "*float64 nil", "": "*float64 nil", "v=0": "", "v=float('nan')": "",
	}),
	in[inString]("named string", "str", map[string]string{"v='a'": "codemode_test.inString a", "v=1": ""}),
	in[inInt]("named int64", "int", map[string]string{"v=1": "codemode_test.inInt 1", "v=1<<63": ""}),
	in[inBool]("named bool", "bool", map[string]string{"v=True": "codemode_test.inBool true", "v=1": ""}),
	in[inFloat]("named float64", "float", map[string]string{"v=1.5": "codemode_test.inFloat 1.5", "v=1": ""}),
	in[time.Duration]("time.Duration", "int", map[string]string{"v=1000": "time.Duration 1µs", "v=1.5": ""}),
	in[*inString]("pointer to a named string", "str | None", map[string]string{"v='a'": "*codemode_test.inString a", "v=None": "*codemode_test.inString nil"}),
	in[*inInt]("pointer to a named int64", "int | None", map[string]string{"v=1": "*codemode_test.inInt 1", "": "*codemode_test.inInt nil"}),
}

func TestInputTypes(t *testing.T) {
	name := func(i int) string { return fmt.Sprintf("arg.c%d", i) }
	adds := make([]add, len(inputCases))
	for i, c := range inputCases {
		adds[i] = c.register(name(i))
	}
	authorized := 0
	server := start(t, codemode.Options{Authorizer: authorizerFunc(func(context.Context, authz.AuthorizationInput) error {
		authorized++
		return nil
	})}, adds...)
	for i, c := range inputCases {
		t.Run(c.rule, func(t *testing.T) {
			d, err := server.Describe(codemode.CapabilityName(name(i)))
			wantClass(t, err, nil)
			want := codemode.FieldShape{Name: "v", Type: c.shape, Required: c.required}
			if len(d.Input) != 1 || d.Input[0] != want || d.Signature != name(i)+"(*, v: "+c.shape+")" {
				t.Errorf("got %q with input %+v, want %+v", d.Signature, d.Input, want)
			}
			for arguments, got := range c.calls {
				before := authorized
				program := body("u = 'te' + 'xt'\nreturn " + name(i) + "(" + arguments + ")['Go']")
				if got != "" {
					wantValue(t, server, program, asJSON(t, got))
					continue
				}
				wantFault(t, server, program, codemode.ErrInvalidArguments)
				if authorized != before {
					t.Errorf("%s: the authorizer was asked", arguments)
				}
			}
		})
	}
}

func TestOmitemptyOnOptionalInputsChangesNothing(t *testing.T) {
	type in struct {
		A *string  `json:"a,omitempty"`
		B *int64   `json:",omitempty"`
		C *bool    `json:"c,omitempty"`
		D *float64 `json:"d"`
	}
	server := start(t, codemode.Options{}, offer("x.y", func(_ context.Context, in in) (seen, error) {
		return seen{fmt.Sprint(in.A == nil, in.B == nil, in.C == nil, in.D == nil)}, nil
	}))
	d, err := server.Describe("x.y")
	wantClass(t, err, nil)
	if want := "x.y(*, a: str | None, B: int | None, c: bool | None, d: float | None)"; d.Signature != want {
		t.Errorf("got %q, want %q", d.Signature, want)
	}
	for _, f := range d.Input {
		if f.Required || !strings.HasSuffix(f.Type, " | None") {
			t.Errorf("got %+v", f)
		}
	}
	wantValue(t, server, body("return [x.y()['Go'], x.y(a='', B=0, c=False, d=0.0)['Go']]"), `["true true true true","false false false false"]`)
}

// TestCanonicalArguments: fresh, JSON-shaped, without what was left out or
// None, and apart from what the handler gets.
func TestCanonicalArguments(t *testing.T) {
	type in struct {
		S string   `json:"s"`
		I *inInt   `json:"i"`
		F *float64 `json:"f"`
		B *bool    `json:"b"`
	}
	var maps []map[string]any
	var handled []in
	server := start(t, codemode.Options{Authorizer: authorizerFunc(func(_ context.Context, input authz.AuthorizationInput) error {
		maps = append(maps, input.Arguments)
		return nil
	})}, offer("x.y", func(_ context.Context, in in) (empty, error) { handled = append(handled, in); return empty{}, nil }))
	for arguments, want := range map[string]map[string]any{
		"s='a'":                       {"s": "a"},
		"s='a', i=None, b=None":       {"s": "a"},
		"i=1, s='a'":                  {"s": "a", "i": int64(1)},
		"s='', f=0.0, b=False, i=0":   {"s": "", "f": 0.0, "b": false, "i": int64(0)},
		"**{'s': 'a', 'i': 1<<62}":    {"s": "a", "i": int64(1 << 62)},
		"s='a', **{'b': True}":        {"s": "a", "b": true},
		"**dict([('s', 'a')], f=1.5)": {"s": "a", "f": 1.5},
	} {
		maps = nil
		_, err := do(t, server, body("x.y("+arguments+")"))
		wantClass(t, err, nil)
		if len(maps) != 1 || !reflect.DeepEqual(maps[0], want) {
			t.Errorf("%s: got %#v, want %#v", arguments, maps, want)
		}
	}

	maps, handled = nil, nil
	server = start(t, codemode.Options{Authorizer: authorizerFunc(func(_ context.Context, input authz.AuthorizationInput) error {
		maps = append(maps, input.Arguments)
		if input.Arguments["s"] != "a" {
			t.Errorf("got %v: the map of one call was changed by another", input.Arguments)
		}
		input.Arguments["s"] = "changed"
		input.Arguments["i"] = "added"
		return nil
	})}, offer("x.y", func(_ context.Context, in in) (empty, error) { handled = append(handled, in); return empty{}, nil }))
	_, err := do(t, server, body("for _ in range(3): x.y(s='a')"))
	wantClass(t, err, nil)
	if len(maps) != 3 || len(handled) != 3 {
		t.Fatalf("got %d authorizations and %d calls", len(maps), len(handled))
	}
	for _, in := range handled {
		if in.S != "a" || in.I != nil {
			t.Errorf("the handler got %+v: what the authorizer changed", in)
		}
	}
}

func TestCapabilityWithoutInputHasAnEmptyMap(t *testing.T) {
	var arguments map[string]any
	server := start(t, codemode.Options{Authorizer: authorizerFunc(func(_ context.Context, input authz.AuthorizationInput) error {
		arguments = input.Arguments
		return nil
	})}, returning("x.y", empty{}))
	wantValue(t, server, body("return x.y()"), "{}")
	if arguments == nil || len(arguments) != 0 {
		t.Errorf("got %#v, want an empty map", arguments)
	}
	wantFault(t, server, body("return x.y(1)"), codemode.ErrInvalidArguments)
	wantFault(t, server, body("return x.y(a=1)"), codemode.ErrInvalidArguments)
}

// TestDuplicateKeywords: the parser sees those that are written, binding those
// that come through **.
func TestDuplicateKeywords(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	wantFault(t, w.Server, body("return records.lookup(key='a', key='b')"), codemode.ErrInvalidProgram)
	wantFault(t, w.Server, body("return records.lookup(key='a', **{'key': 'b'})"), codemode.ErrInvalidArguments)
	wantFault(t, w.Server, body("return records.lookup(**{1: 'b'})"), codemode.ErrInvalidProgram)
	if w.authorized.Load() != 0 || w.handled.Load() != 0 {
		t.Error("a refused call reached the host")
	}
}
