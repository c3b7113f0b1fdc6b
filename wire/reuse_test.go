package wire_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
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

// Wherever the array of the caller ends, and wherever the limit lies, the bytes are the same or the error is ErrSize.
func TestBufferMayEndAnywhere(t *testing.T) {
	record := seq(dict(5), key("id"), str("r1"), key(strings.Repeat("k", 20)), integer(-1), key("a long one"), integer(1<<40),
		key("list"), list(2), float(1.5), str(strings.Repeat("é", 40)), key("more"), dict(0))
	events := append(append(seq(list(2)), record...), record...)
	const envelope = "envelope"
	whole, err := encode(events, generous)
	if err != nil {
		t.Fatal(err)
	}
	var e wire.Encoder
	for size := range len(whole) + 20 {
		for _, room := range []int{0, 1, len(whole) + 20} {
			room = min(size+room, len(whole)+20)
			buf := append(make([]byte, 0, len(envelope)+room), envelope...)
			e.Reset(buf, wire.Limits{MaxDepth: 9, MaxBytes: max(size, 1)})
			err := events.play(&e)
			body, bytesErr := e.Bytes()
			if size < len(whole) {
				if !errors.Is(err, wire.ErrSize) || bytesErr != err || string(body) != envelope {
					t.Fatalf("limit %d, room for %d: got %q, %v and %v, want ErrSize", size, room, body, err, bytesErr)
				}
			} else if err != nil || bytesErr != nil || string(body) != envelope+string(whole) {
				t.Fatalf("limit %d, room for %d: got %q, %v and %v, want %q", size, room, body, err, bytesErr, whole)
			}
		}
		e.Reset(make([]byte, 0, size), generous)
		if err := events.play(&e); err != nil {
			t.Fatal(err)
		}
		if body, err := e.Bytes(); err != nil || string(body) != string(whole) {
			t.Fatalf("array of %d bytes: got %q and %v, want %q", size, body, err, whole)
		}
	}
}
