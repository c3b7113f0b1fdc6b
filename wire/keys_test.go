package wire_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/wire"
)

// dicts returns a list of dicts with the given keys; "_" is the empty one.
const maxMultiple = 8

func dicts(sequences ...string) tape {
	t := seq(list(len(sequences)))
	for _, s := range sequences {
		keys := strings.Fields(s)
		t = append(t, dict(len(keys)))
		for _, k := range keys {
			t = append(t, key(strings.TrimSuffix(k, "_")), null())
		}
	}
	return t
}

// raw encodes events without asking whether they are a value or whether keys repeat.
func raw(events tape) []byte {
	var body []byte
	for _, e := range events {
		n, _ := e.value.(int)
		switch {
		case e.name == "Key":
			body = wire.AppendDone(body, wire.Done{Units: uint64(len(e.value.(string)))})
			body = append(body, e.value.(string)...)
		case n == 0:
			scalar, err := encode(seq(e), generous)
			if err != nil {
				panic(err)
			}
			body = append(body, scalar...)
		case e.name == "List" && n < 32:
			body = append(body, 0x80|byte(n))
		case e.name == "Dict" && n < 32:
			body = append(body, 0xa0|byte(n))
		case e.name == "List":
			body = wire.AppendDone(append(body, 0xc7), wire.Done{Units: uint64(n)})
		default:
			body = wire.AppendDone(append(body, 0xc8), wire.Done{Units: uint64(n)})
		}
	}
	return body
}

func checkKeys(t *testing.T, events tape, repeats bool) {
	t.Helper()
	var want error
	if repeats {
		want = wire.ErrMalformed
	}
	encoded, err := encode(events, generous)
	if !errors.Is(err, want) {
		t.Errorf("encoding %v: got %v, want %v", events, err, want)
	}
	body := raw(events)
	if err == nil && string(encoded) != string(body) {
		t.Errorf("encoding %v: got %x, want %x", events, encoded, body)
	}
	decoded, err := decode(body, generous)
	if !errors.Is(err, want) {
		t.Errorf("decoding %v: got %v, want %v", events, err, want)
	}
	if err == nil && !slices.Equal(decoded, events) {
		t.Errorf("decoding: got %v, want %v", decoded, events)
	}
}

func TestKeysOfADictDiffer(t *testing.T) {
	many := func(n int) string {
		keys := make([]string, n)
		for i := range keys {
			keys[i] = fmt.Sprintf("key-%d", (i*7919)%n)
		}
		return strings.Join(keys, " ")
	}
	for _, test := range []struct {
		name    string
		events  tape
		repeats bool
	}{
		{"same sequence again", dicts("a b c", "a b c", "a b c"), false},
		{"other order", dicts("a b c", "c b a", "b a c"), false},
		{"shorter, then longer", dicts("a b c", "a b", "a b c d", "a", "a b c d"), false},
		{"repeat in the first", dicts("a b a"), true},
		{"repeat behind a common beginning", dicts("a b c", "a b a"), true},
		{"repeat of the key before", dicts("a b c", "a b b"), true},
		{"repeat of an expected key after another one", dicts("a b c", "a x a"), true},
		{"the other key may come where it was left out", dicts("a b c", "a c b"), false},
		{"repeat past the end of the sequence", dicts("a b", "a b a"), true},
		{"the sequence of the dict before the last is forgotten", dicts("a b c d", "a x", "a b c a"), true},
		{"the empty key", dicts("_ a", "_ _"), true},
		{"the empty key behind another end", dicts("a b c d", "a x _ _"), true},
		{"long key before a short one, which then comes twice", dicts(strings.Repeat("k", 128)+" b", "b b"), true},
		{"16 keys", dicts(many(16)), false},
		{"17 keys", dicts(many(17)), false},
		{"17 keys, the last repeats the first", dicts(many(17) + " key-0"), true},
		{"1,000 keys twice", dicts(many(1000), many(1000)), false},
		{"1,000 keys, then a repeat", dicts(many(1000) + " key-77"), true},
		{"1,000 keys, again with a repeat at the end", dicts(many(1000)+" x", many(1000)+" key-999"), true},
		{"1,000 keys, again with another order at the end", dicts(many(1000)+" x y", many(1000)+" y x"), false},
		{"keys that differ in one byte", dicts("abcdefgh abcdefgi abcdefgj", "abcdefgh abcdefgj abcdefgi"), false},
		{"key that is the beginning of another", dicts("a aa aaa aaaa", "aaaa aaa aa a"), false},
		{"long keys", dicts(strings.Repeat("k", 127)+" "+strings.Repeat("k", 128), strings.Repeat("k", 127)+" "+strings.Repeat("k", 128)), false},
		{"long key in place of the expected one", dicts("a b c", "a "+strings.Repeat("k", 128)+" c c"), true},
		{"long key, then the ones that were expected", dicts("a b c", "a "+strings.Repeat("k", 128)+" c b"), false},
		{"100 keys twice, then another end", dicts(many(100)+" x y", many(100)+" x y", many(100)+" x x"), true},
		{"100 keys twice, then another order", dicts(many(100)+" x y", many(100)+" x y", many(100)+" y x"), false},
		{"other key in place of the expected one, which comes later", dicts("a b c d", "a x c d b"), false},
		{"long key again", dicts(strings.Repeat("k", 200) + " " + strings.Repeat("k", 200)), true},
	} {
		t.Run(test.name, func(t *testing.T) { checkKeys(t, test.events, test.repeats) })
	}
}

func TestKeysOfTheValueBefore(t *testing.T) {
	var e wire.Encoder
	for _, first := range []string{"a b c", "_ a", strings.Repeat("k", 200)} {
		for _, second := range []string{"a a", "_ _", "a _ _", "b b"} {
			e.Reset(nil, generous)
			if err := dicts(first, first).play(&e); err != nil {
				t.Fatal(err)
			}
			e.Reset(nil, generous)
			if err := dicts(second).play(&e); !errors.Is(err, wire.ErrMalformed) {
				t.Errorf("%q after %q: got %v, want ErrMalformed", second, first, err)
			}
		}
	}
}

// Against a model with a set per dict, on nested dicts that keep much of each other's sequences.
func TestKeysAgainstAModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		repeats := false
		var grow func(depth int) tape
		grow = func(depth int) tape {
			if depth == 0 || r.IntN(3) == 0 {
				return seq(null())
			}
			n := r.IntN(5)
			if r.IntN(20) == 0 {
				n = 15 + r.IntN(30)
			}
			events, seen := seq(dict(n)), map[string]bool{}
			for i := range n {
				k := strings.Repeat("k", i%3) + fmt.Sprint(i)
				if r.IntN(12) == 0 {
					k = fmt.Sprint(r.IntN(n))
				}
				repeats = repeats || seen[k]
				seen[k] = true
				events = append(append(events, key(k)), grow(depth-1)...)
			}
			return events
		}
		events := seq(list(3))
		for range 3 {
			events = append(events, grow(3)...)
		}
		checkKeys(t, events, repeats)
		if t.Failed() {
			return
		}
	}
}

// Decoding takes memory in proportion to the body, whatever is in it, and some for each level of depth that the limits allow.
func TestDecodeAllocatesASmallMultipleOfItsInput(t *testing.T) {
	const size = 1 << 20
	limits := wire.Limits{MaxDepth: 1000, MaxBytes: size}
	distinct := func(n int) tape {
		var events tape
		for i := range n {
			events = append(events, key(fmt.Sprintf("%06x", i^0x2aaaaa)), null())
		}
		return events
	}
	changing := seq(list(size / 80))
	for i := range size / 80 {
		changing = append(changing, dict(19))
		for j := range 19 {
			changing = append(changing, key(fmt.Sprintf("%02x", (i+j)%256)), null())
		}
	}
	fill := func(body []byte, unit ...byte) []byte {
		return append(body, slices.Repeat(unit, (size-len(body))/len(unit))...)
	}
	for i, test := range []struct {
		name string
		body []byte
	}{
		{"many dicts of 19 keys in changing order", raw(changing)},
		{"announces all there is", fill(raw(seq(dict(size/2-4))), 0)},
		{"lists in lists", fill(nil, 0x81)},
		{"dicts in dicts", fill(nil, 0xa1, 0)},
		{"many keys", raw(append(seq(dict(size/8-8)), distinct(size/8-8)...))},
		{"many keys, half of them missing", raw(append(seq(dict(size/8-8)), distinct(size/16)...))},
		{"many keys, announced as many more", fill(raw(append(seq(dict(size/4)), distinct(size/16)...)), 0)},
		{"many dicts of 17 keys", raw(append(seq(list(size/160)), slices.Repeat(append(seq(dict(17)), distinct(17)...), size/160)...))},
		{"huge announcements inside each other", fill(slices.Repeat(raw(seq(dict(size/8), key(""))), 64), 0)},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.GC() // empties the pool of decoders
			runtime.ReadMemStats(&before)
			err := wire.Decode(test.body, limits, nothing{})
			runtime.ReadMemStats(&after)
			ratio := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(test.body))
			t.Logf("%d bytes: %v; allocated %.1f times as much", len(test.body), err, ratio)
			if len(test.body) > size || ratio > maxMultiple {
				t.Errorf("allocated %.1f times the body, want at most %d", ratio, maxMultiple)
			}
			if i == 0 && ratio > 1.15 {
				t.Errorf("allocated %.1f times the body, want the tables of closed dicts used again", ratio)
			}
		})
	}
}
