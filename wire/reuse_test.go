package wire_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/codemode-go/codemode/wire"
)

func TestAllocations(t *testing.T) {
	wide := seq(list(2), dict(100))
	for i := range 100 {
		wide = append(wide, key(fmt.Sprintf("key %d", i)), null())
	}
	wide = append(wide, wide[1:]...)
	rs := records(100)
	for name, walk := range map[string]func(wire.Visitor) error{
		"records":   func(v wire.Visitor) error { return walkRecords(rs, v) },
		"wide dict": wide.play,
	} {
		var e wire.Encoder
		var body []byte
		encodeAll := func() {
			e.Reset(body[:0], generous)
			if err := walk(&e); err != nil {
				t.Fatal(err)
			}
			var err error
			if body, err = e.Bytes(); err != nil {
				t.Fatal(err)
			}
		}
		if n := testing.AllocsPerRun(20, encodeAll); n != 0 {
			t.Errorf("encoding %s: got %v allocations, want none", name, n)
		}
		var v wire.Visitor = nothing{}
		decodeAll := func() {
			if err := wire.Decode(body, generous, v); err != nil {
				t.Fatal(err)
			}
		}
		// The race detector makes sync.Pool forget at random.
		if n := testing.AllocsPerRun(20, decodeAll); n > 1 && !raceEnabled {
			t.Errorf("decoding %s: got %v allocations, want the one of the body", name, n)
		}
	}
}

// What a large value leaves behind neither stays in memory nor matters to the next one.
func TestReuseAfterALargeValue(t *testing.T) {
	limits := wire.Limits{MaxDepth: 1000, MaxBytes: 1 << 20}
	large := seq(list(2), dict(20_000))
	for i := range 20_000 {
		large = append(large, key(fmt.Sprint(i)), null())
	}
	large = append(append(large, repeat(900, list(1))...), null())
	var e wire.Encoder
	for range 2 {
		e.Reset(nil, limits)
		if err := large.play(&e); err != nil {
			t.Fatal(err)
		}
		body, err := e.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if events, err := decode(body, limits); err != nil || !slices.Equal(events, large) {
			t.Errorf("large value does not come back: %v", err)
		}
		e.Reset(nil, limits)
		if err := seq(list(2), dict(2), key("0"), null(), key("0")).play(&e); !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("repeated key afterwards: got %v, want ErrMalformed", err)
		}
	}
}
