package wire_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/wire"
)

var generous = wire.Limits{MaxDepth: 64, MaxBytes: 1 << 20}

// A tape is a Visitor that writes events down; play pushes them into another.
type tape []event

type event struct {
	name  string
	value any
}

func (t *tape) add(name string, value any) error { *t = append(*t, event{name, value}); return nil }

func (t *tape) Null() error           { return t.add("Null", nil) }
func (t *tape) Bool(b bool) error     { return t.add("Bool", b) }
func (t *tape) Int(i int64) error     { return t.add("Int", i) }
func (t *tape) Float(f float64) error { return t.add("Float", math.Float64bits(f)) }
func (t *tape) String(s string) error { return t.add("String", s) }
func (t *tape) List(n int) error      { return t.add("List", n) }
func (t *tape) Dict(n int) error      { return t.add("Dict", n) }
func (t *tape) Key(s string) error    { return t.add("Key", s) }

func (t tape) play(v wire.Visitor) error {
	for _, e := range t {
		if err := e.play(v); err != nil {
			return err
		}
	}
	return nil
}

func (e event) play(v wire.Visitor) error {
	switch e.name {
	case "Null":
		return v.Null()
	case "Bool":
		return v.Bool(e.value.(bool))
	case "Int":
		return v.Int(e.value.(int64))
	case "Float":
		return v.Float(math.Float64frombits(e.value.(uint64)))
	case "String":
		return v.String(e.value.(string))
	case "List":
		return v.List(e.value.(int))
	case "Dict":
		return v.Dict(e.value.(int))
	}
	return v.Key(e.value.(string))
}

func null() event                { return event{"Null", nil} }
func boolean(b bool) event       { return event{"Bool", b} }
func integer(i int64) event      { return event{"Int", i} }
func float(f float64) event      { return event{"Float", math.Float64bits(f)} }
func str(s string) event         { return event{"String", s} }
func list(n int) event           { return event{"List", n} }
func dict(n int) event           { return event{"Dict", n} }
func key(s string) event         { return event{"Key", s} }
func seq(es ...event) tape       { return es }
func repeat(n int, e event) tape { return slices.Repeat(tape{e}, n) }

// goldenValues is the encoding, value by value. PROTOCOL.md shows part of it; the fuzz targets start from it.
var goldenValues = []struct {
	name   string
	events tape
	hex    string
}{
	{"null", seq(null()), "c0"},
	{"false", seq(boolean(false)), "c1"},
	{"true", seq(boolean(true)), "c2"},
	{"zero", seq(integer(0)), "00"},
	{"largest integer of one byte", seq(integer(63)), "3f"},
	{"smallest integer with a varint", seq(integer(64)), "c440"},
	{"integer with a varint of two bytes", seq(integer(300)), "c4ac02"},
	{"largest integer", seq(integer(math.MaxInt64)), "c4ffffffffffffffff7f"},
	{"minus one", seq(integer(-1)), "d0"},
	{"minus sixteen", seq(integer(-16)), "df"},
	{"minus seventeen", seq(integer(-17)), "c510"},
	{"smallest integer", seq(integer(math.MinInt64)), "c5ffffffffffffffff7f"},
	{"float that is whole stays a float", seq(float(1)), "c33ff0000000000000"},
	{"negative zero stays negative", seq(float(math.Copysign(0, -1))), "c38000000000000000"},
	{"largest float", seq(float(math.MaxFloat64)), "c37fefffffffffffff"},
	{"smallest float", seq(float(math.SmallestNonzeroFloat64)), "c30000000000000001"},
	{"empty string", seq(str("")), "40"},
	{"string", seq(str("héllo")), "4668c3a96c6c6f"},
	{"longest string of one length byte", seq(str(strings.Repeat("a", 63))), "7f" + strings.Repeat("61", 63)},
	{"shortest string with a varint", seq(str(strings.Repeat("a", 64))), "c640" + strings.Repeat("61", 64)},
	{"string of 200 bytes", seq(str(strings.Repeat("b", 200))), "c6c801" + strings.Repeat("62", 200)},
	{"string with a NUL", seq(str("a\x00b")), "43610062"},
	{"empty list", seq(list(0)), "80"},
	{"list", seq(list(3), integer(1), integer(2), integer(3)), "83010203"},
	{"longest list of one count byte", append(seq(list(31)), repeat(31, null())...), "9f" + strings.Repeat("c0", 31)},
	{"shortest list with a varint", append(seq(list(32)), repeat(32, null())...), "c720" + strings.Repeat("c0", 32)},
	{"list of lists", seq(list(2), list(1), list(0), list(0)), "82818080"},
	{"empty dict", seq(dict(0)), "a0"},
	{"dict keeps its order", seq(dict(2), key("b"), integer(1), key("a"), boolean(true)), "a2016201" + "0161c2"},
	{"dict with the empty key", seq(dict(1), key(""), null()), "a100c0"},
	{"long key", seq(dict(1), key(strings.Repeat("k", 130)), null()), "a18201" + strings.Repeat("6b", 130) + "c0"},
	{"nested", seq(dict(2), key("id"), integer(7), key("tags"), list(2), str("a"), float(0.5)),
		"a2026964070474616773824161c33fe0000000000000"},
	{"same key in two dicts", seq(list(2), dict(1), key("a"), dict(1), key("a"), null(), dict(1), key("a"), null()),
		"82a10161a10161c0a10161c0"},
}

func encode(events tape, limits wire.Limits) ([]byte, error) {
	var e wire.Encoder
	e.Reset(nil, limits)
	if err := events.play(&e); err != nil {
		return nil, err
	}
	return e.Bytes()
}

func decode(body []byte, limits wire.Limits) (tape, error) {
	var t tape
	err := wire.Decode(body, limits, &t)
	return t, err
}

func TestGoldenValues(t *testing.T) {
	for _, test := range goldenValues {
		t.Run(test.name, func(t *testing.T) {
			got, err := encode(test.events, generous)
			if err != nil || hex.EncodeToString(got) != test.hex {
				t.Errorf("encoded: got %x, %v, want %s", got, err, test.hex)
			}
			body, err := hex.DecodeString(test.hex)
			if err != nil {
				t.Fatal(err)
			}
			events, err := decode(body, generous)
			if err != nil || fmt.Sprint(events) != fmt.Sprint(test.events) {
				t.Errorf("decoded: got %v, %v, want %v", events, err, test.events)
			}
			for n := range body {
				if _, err := decode(body[:n], generous); !errors.Is(err, wire.ErrMalformed) {
					t.Errorf("first %d bytes: got %v, want ErrMalformed", n, err)
				}
			}
			exact := wire.Limits{MaxDepth: generous.MaxDepth, MaxBytes: len(body)}
			if _, err := encode(test.events, exact); err != nil {
				t.Errorf("encoding with a limit of exactly its size: %v", err)
			}
			if _, err := decode(body, exact); err != nil {
				t.Errorf("decoding with a limit of exactly its size: %v", err)
			}
			if len(body) == 1 {
				return
			}
			exact.MaxBytes--
			if _, err := encode(test.events, exact); !errors.Is(err, wire.ErrSize) {
				t.Errorf("encoding with one byte less: got %v, want ErrSize", err)
			}
			if _, err := decode(body, exact); !errors.Is(err, wire.ErrSize) {
				t.Errorf("decoding with one byte less: got %v, want ErrSize", err)
			}
		})
	}
}

func TestDepthIsInclusive(t *testing.T) {
	nested := func(n int, inner ...event) tape { return append(repeat(n, list(1)), inner...) }
	for _, test := range []struct {
		name   string
		events tape
		limit  int
		want   error
	}{
		{"scalar at 1", seq(integer(1)), 1, nil},
		{"null at 1", seq(null()), 1, nil},
		{"string at 1", seq(str("x")), 1, nil},
		{"empty list at 1", seq(list(0)), 1, nil},
		{"empty dict at 1", seq(dict(0)), 1, nil},
		{"list of a scalar at 2", seq(list(1), integer(1)), 2, nil},
		{"list of a scalar at 1", seq(list(1), integer(1)), 1, wire.ErrDepth},
		{"dict of a scalar at 2", seq(dict(1), key("a"), integer(1)), 2, nil},
		{"dict of a scalar at 1", seq(dict(1), key("a"), integer(1)), 1, wire.ErrDepth},
		{"list of an empty list at 2", seq(list(1), list(0)), 2, nil},
		{"list of an empty list at 1", seq(list(1), list(0)), 1, wire.ErrDepth},
		{"one more wrapper at 2", seq(list(1), list(1), null()), 2, wire.ErrDepth},
		{"31 wrappers of a scalar at 32", nested(31, null()), 32, nil},
		{"32 wrappers of a scalar at 32", nested(32, null()), 32, wire.ErrDepth},
		{"31 wrappers of an empty dict at 32", nested(31, dict(0)), 32, nil},
		{"depth falls when a container closes", seq(list(3), list(1), null(), dict(1), key("a"), null(), list(0)), 3, nil},
		{"the deepest branch counts", seq(list(2), null(), list(1), list(1), null()), 3, wire.ErrDepth},
	} {
		t.Run(test.name, func(t *testing.T) {
			limits := wire.Limits{MaxDepth: test.limit, MaxBytes: 1 << 10}
			if _, err := encode(test.events, limits); !errors.Is(err, test.want) {
				t.Errorf("encoding: got %v, want %v", err, test.want)
			}
			body, err := encode(test.events, generous)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := decode(body, limits); !errors.Is(err, test.want) {
				t.Errorf("decoding: got %v, want %v", err, test.want)
			}
		})
	}
}

func TestDecodeRejects(t *testing.T) {
	for _, test := range malformedValues {
		t.Run(test.name, func(t *testing.T) {
			body, err := hex.DecodeString(test.hex)
			if err != nil {
				t.Fatal(err)
			}
			_, err = decode(body, generous)
			var malformed *wire.MalformedError
			if !errors.As(err, &malformed) || !errors.Is(err, wire.ErrMalformed) {
				t.Fatalf("got %v, want a MalformedError", err)
			}
			if malformed.Problem != test.problem {
				t.Errorf("got %q, want %q", malformed.Problem, test.problem)
			}
		})
	}
}

var malformedValues = []struct{ name, hex, problem string }{
	{"nothing", "", "value is cut short"},
	{"two values", "0000", "bytes after the value"},
	{"first byte that starts no value", "c9", "first byte of no value"},
	{"last byte that starts no value", "ff", "first byte of no value"},
	{"NaN", "c37ff8000000000000", "float is not finite"},
	{"infinity", "c37ff0000000000000", "float is not finite"},
	{"negative infinity", "c3fff0000000000000", "float is not finite"},
	{"float without its bytes", "c33ff00000", "float is cut short"},
	{"integer of one byte in the long form", "c43f", "integer has a shorter form"},
	{"negative of one byte in the long form", "c50f", "integer has a shorter form"},
	{"over-long varint", "c4c000", "varint has a shorter form"},
	{"varint of eleven bytes", "c4" + strings.Repeat("80", 10) + "01", "varint is out of range"},
	{"varint past 64 bits", "c4ffffffffffffffffff02", "varint is out of range"},
	{"integer past 63 bits", "c480808080808080808001", "integer is out of range"},
	{"negative past 63 bits", "c580808080808080808001", "integer is out of range"},
	{"varint cut short", "c480", "varint is cut short"},
	{"short string in the long form", "c60161", "length has a shorter form"},
	{"short list in the long form", "c70100", "length has a shorter form"},
	{"short dict in the long form", "c8010000", "length has a shorter form"},
	{"string longer than what remains", "426a", "length is more than what remains"},
	{"long string longer than what remains", "c6ffffffff0f61", "length is more than what remains"},
	{"list longer than what remains", "8200", "count is more than what remains"},
	{"long list longer than what remains", "c7ffffffff0700", "length is more than what remains"},
	{"dict longer than what remains", "a2016100", "count is more than what remains"},
	{"long dict longer than half of what remains", "c820" + strings.Repeat("00", 63), "count is more than what remains"},
	{"counts that only together are too large", "838300000000", "count is more than what remains"},
	{"invalid UTF-8", "41ff", "text is not UTF-8"},
	{"surrogate in UTF-8", "43eda080", "text is not UTF-8"},
	{"invalid UTF-8 in a key", "a101ff00", "text is not UTF-8"},
	{"key longer than what remains", "a10561c0", "length is more than what remains"},
	{"over-long key length", "a18100c0", "varint has a shorter form"},
	{"repeated key", "a2016100016100", "dict repeats a key"},
	{"repeated empty key", "a200000000", "dict repeats a key"},
}

func TestBodyIsOnePartOfTheBuffer(t *testing.T) {
	var e wire.Encoder
	e.Reset([]byte("prefix"), wire.Limits{MaxDepth: 1, MaxBytes: 2})
	if err := e.String("x"); err != nil {
		t.Fatal(err)
	}
	got, err := e.Bytes()
	if err != nil || !bytes.Equal(got, []byte("prefixAx")) {
		t.Errorf("got %q, %v", got, err)
	}
}
