package wire_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/wire"
)

func TestEncoderRefuses(t *testing.T) {
	for _, test := range []struct {
		name    string
		events  tape
		problem string
	}{
		{"NaN", seq(float(math.NaN())), "float is not finite"},
		{"infinity", seq(float(math.Inf(1))), "float is not finite"},
		{"negative infinity", seq(float(math.Inf(-1))), "float is not finite"},
		{"invalid UTF-8", seq(str("a\xff")), "string is not UTF-8"},
		{"invalid UTF-8 in a key", seq(dict(1), key("a\xff")), "key is not UTF-8"},
		{"repeated key", seq(dict(2), key("a"), null(), key("a")), "dict repeats a key"},
		{"repeated empty key", seq(dict(2), key(""), null(), key("")), "dict repeats a key"},
		{"repeated key behind a dict", seq(dict(2), key("a"), dict(1), key("b"), null(), key("a")), "dict repeats a key"},
		{"repeated long key", seq(dict(2), key(strings.Repeat("k", 300)), null(), key(strings.Repeat("k", 300))), "dict repeats a key"},
		{"negative count of a list", seq(list(-1)), "count is negative"},
		{"negative count of a dict", seq(dict(-1)), "count is negative"},
		{"invalid UTF-8 in a long string", seq(str(strings.Repeat("a", 100) + "\xff")), "string is not UTF-8"},
		{"second value", seq(null(), null()), "more than one value"},
		{"second container", seq(list(0), list(0)), "more than one value"},
		{"value behind a full list", seq(list(1), null(), null()), "more than one value"},
		{"key behind a full dict", seq(dict(1), key("a"), null(), key("b")), "more than one value"},
		{"key outside a dict", seq(key("a")), "key where a value is due"},
		{"key in a list", seq(list(1), key("a")), "key where a value is due"},
		{"key behind a key", seq(dict(1), key("a"), key("b")), "key where a value is due"},
		{"value where a key is due", seq(dict(1), null()), "value where a key is due"},
		{"container where a key is due", seq(dict(1), list(0)), "value where a key is due"},
		{"nothing", nil, "value is incomplete"},
		{"list with too little", seq(list(2), null()), "value is incomplete"},
		{"dict with too little", seq(dict(1)), "value is incomplete"},
		{"dict without its last value", seq(dict(1), key("a")), "value is incomplete"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := encode(test.events, generous)
			var malformed *wire.MalformedError
			if !errors.As(err, &malformed) || malformed.Problem != test.problem {
				t.Errorf("got %v, want %q", err, test.problem)
			}
		})
	}
}

func TestEncoderKeepsItsFirstError(t *testing.T) {
	var e wire.Encoder
	prefix := []byte("prefix")
	e.Reset(prefix, wire.Limits{MaxDepth: 2, MaxBytes: 4})
	if err := e.List(3); err != nil {
		t.Fatal(err)
	}
	if err := e.String("abc"); !errors.Is(err, wire.ErrSize) {
		t.Fatalf("got %v, want ErrSize", err)
	}
	for _, event := range seq(null(), boolean(true), integer(1), integer(1000), float(math.NaN()), str("\xff"), list(math.MaxInt), dict(math.MaxInt), key("k")) {
		if err := event.play(&e); !errors.Is(err, wire.ErrSize) {
			t.Errorf("%s afterwards: got %v, want ErrSize", event.name, err)
		}
	}
	got, err := e.Bytes()
	if string(got) != "prefix" || !errors.Is(err, wire.ErrSize) {
		t.Errorf("Bytes: got %q, %v, want the buffer as it came and ErrSize", got, err)
	}
	e.Reset(got, generous)
	if err := e.Null(); err != nil {
		t.Errorf("after Reset: %v", err)
	}
}

func TestEncoderBeforeReset(t *testing.T) {
	for _, event := range seq(null(), boolean(true), integer(1), integer(1000), float(1), str("s"), list(1), dict(1), dict(math.MaxInt), key("k")) {
		var e wire.Encoder
		if err := event.play(&e); err == nil {
			t.Errorf("%s: no error", event.name)
		}
		if _, err := e.Bytes(); err == nil {
			t.Errorf("Bytes after %s: no error", event.name)
		}
	}
	var e wire.Encoder
	if _, err := e.Bytes(); err == nil {
		t.Errorf("Bytes of the zero Encoder: no error")
	}
}

func TestBothLimitsAreRequired(t *testing.T) {
	for _, limits := range []wire.Limits{{}, {MaxDepth: 1}, {MaxBytes: 1}, {MaxDepth: -1, MaxBytes: 1}, {MaxDepth: 1, MaxBytes: -1}} {
		_, encodeErr := encode(seq(null()), limits)
		_, decodeErr := decode([]byte{0xc0}, limits)
		for _, err := range []error{encodeErr, decodeErr} {
			if err == nil || errors.Is(err, wire.ErrSize) || errors.Is(err, wire.ErrDepth) {
				t.Errorf("%+v: got %v, want an error about the limits", limits, err)
			}
		}
	}
}

func TestSizeIsFoundWhereItIsAnnounced(t *testing.T) {
	for _, event := range seq(list(10), dict(5), list(math.MaxInt), dict(math.MaxInt), dict(math.MaxInt/2+1)) {
		var e wire.Encoder
		e.Reset(nil, wire.Limits{MaxDepth: 9, MaxBytes: 10})
		if err := event.play(&e); !errors.Is(err, wire.ErrSize) {
			t.Errorf("%s(%d) in ten bytes: got %v, want ErrSize", event.name, event.value, err)
		}
	}
	for _, event := range seq(list(9), dict(4)) {
		var e wire.Encoder
		e.Reset(nil, wire.Limits{MaxDepth: 9, MaxBytes: 10})
		if err := event.play(&e); err != nil {
			t.Errorf("%s(%d) in ten bytes: %v", event.name, event.value, err)
		}
	}
}

func TestSizeIsFoundAtTheKeyThatPassesIt(t *testing.T) {
	record := seq(dict(1), key("abc"), null())
	for _, events := range []tape{record[:2], append(append(seq(list(2)), record...), record[:2]...)} {
		whole := 0
		for _, e := range events {
			whole += len(raw(seq(e)))
		}
		var e wire.Encoder
		for short := range 4 {
			e.Reset(nil, wire.Limits{MaxDepth: 9, MaxBytes: whole - short})
			var want error
			if short > 0 {
				want = wire.ErrSize
			}
			if err := events.play(&e); !errors.Is(err, want) {
				t.Errorf("%d bytes short: got %v, want %v", short, err, want)
			}
		}
	}
}

// A value that refers to itself twice at every level has 2^depth leaves; the walk has to end with the limit.
func TestSharedGraphEndsAtTheFirstLimit(t *testing.T) {
	events := 0
	var walk func(v wire.Visitor, depth int) error
	walk = func(v wire.Visitor, depth int) error {
		events++
		if depth == 0 {
			return v.Int(1)
		}
		if err := v.List(2); err != nil {
			return err
		}
		for range 2 {
			if err := walk(v, depth-1); err != nil {
				return err
			}
		}
		return nil
	}
	var e wire.Encoder
	e.Reset(nil, wire.Limits{MaxDepth: 31, MaxBytes: 10_000})
	if err := walk(&e, 30); !errors.Is(err, wire.ErrSize) || events > 10_001 {
		t.Errorf("wide: got %v after %d events, want ErrSize within 10,001", err, events)
	}
	events = 0
	e.Reset(nil, wire.Limits{MaxDepth: 30, MaxBytes: 10_000})
	if err := walk(&e, 30); !errors.Is(err, wire.ErrDepth) || events > 30 {
		t.Errorf("deep: got %v after %d events, want ErrDepth within 30", err, events)
	}
}

func TestVisitorErrorsComeBackUnchanged(t *testing.T) {
	for _, test := range goldenValues {
		body, err := encode(test.events, generous)
		if err != nil {
			t.Fatal(err)
		}
		for n := range test.events {
			stop := &stopper{after: n}
			if err := wire.Decode(body, generous, stop); err != errStop {
				t.Errorf("%s: got %v, want the visitor's own error", test.name, err)
			}
			if stop.seen != n+1 {
				t.Errorf("%s: got %d events, want none after the error of number %d", test.name, stop.seen, n+1)
			}
		}
	}
}

var errStop = errors.New("stop")

type stopper struct{ after, seen int }

func (s *stopper) event() error {
	s.seen++
	if s.seen > s.after {
		return errStop
	}
	return nil
}

func (s *stopper) Null() error         { return s.event() }
func (s *stopper) Bool(bool) error     { return s.event() }
func (s *stopper) Int(int64) error     { return s.event() }
func (s *stopper) Float(float64) error { return s.event() }
func (s *stopper) String(string) error { return s.event() }
func (s *stopper) List(int) error      { return s.event() }
func (s *stopper) Dict(int) error      { return s.event() }
func (s *stopper) Key(string) error    { return s.event() }

// A relay decodes inside of an event: calls of Decode do not share state.
type relay struct {
	nothing
	body []byte
}

func (r relay) Int(int64) error { return wire.Decode(r.body, generous, nothing{}) }

func TestDecodeInsideAVisitor(t *testing.T) {
	inner, err := encode(seq(dict(1), key("x"), list(1), str("y")), generous)
	if err != nil {
		t.Fatal(err)
	}
	outer, err := encode(seq(dict(2), key("a"), integer(1), key("b"), list(2), integer(2), integer(3)), generous)
	if err != nil {
		t.Fatal(err)
	}
	if err := wire.Decode(outer, generous, relay{body: inner}); err != nil {
		t.Error(err)
	}
}

func ExampleMalformedError() {
	err := wire.Decode([]byte{0xa2, 1, 'a', 0, 1, 'a', 0}, wire.Limits{MaxDepth: 8, MaxBytes: 64}, nothing{})
	fmt.Println(err)
	fmt.Println(errors.Is(err, wire.ErrMalformed))
	// Output:
	// wire: byte 6: dict repeats a key
	// true
}
