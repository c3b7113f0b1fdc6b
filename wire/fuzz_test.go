package wire_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/codemode-go/codemode/wire"
)

var fuzzLimits = wire.Limits{MaxDepth: 40, MaxBytes: 1 << 16}

// A budget is a Visitor that checks what Decode promises to builders: all that was ever announced is within the body, nothing nests too
// deeply, and the events form values.
type budget struct {
	tape
	wire.Encoder // says whether the events are a value
	announced    int
}

func (b *budget) both(e event) error {
	b.tape = append(b.tape, e)
	if n, ok := e.value.(int); ok {
		b.announced += n
		if e.name == "Dict" {
			b.announced += n
		}
	}
	return e.play(&b.Encoder)
}

func (b *budget) Null() error           { return b.both(null()) }
func (b *budget) Bool(v bool) error     { return b.both(boolean(v)) }
func (b *budget) Int(i int64) error     { return b.both(integer(i)) }
func (b *budget) Float(f float64) error { return b.both(float(f)) }
func (b *budget) String(s string) error { return b.both(str(s)) }
func (b *budget) List(n int) error      { return b.both(list(n)) }
func (b *budget) Dict(n int) error      { return b.both(dict(n)) }
func (b *budget) Key(s string) error    { return b.both(key(s)) }

// FuzzDecode: any bytes are refused as one of the three errors or are exactly what the encoder writes for the value that they are.
func FuzzDecode(f *testing.F) {
	for _, seed := range goldenValues {
		f.Add(raw(seed.events))
	}
	for _, seed := range malformedValues {
		body, err := hex.DecodeString(seed.hex)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		discarded := wire.Decode(body, fuzzLimits, nothing{})
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > uint64(maxMultiple*len(body)+64<<10) {
			t.Errorf("allocated %d bytes for a body of %d", n, len(body))
		}

		var b budget
		b.Reset(nil, fuzzLimits)
		err := wire.Decode(body, fuzzLimits, &b)
		if (err == nil) != (discarded == nil) {
			t.Errorf("got %v into one visitor and %v into another", discarded, err)
		}
		if b.announced > len(body) {
			t.Errorf("announced %d keys and values out of %d bytes", b.announced, len(body))
		}
		if err != nil {
			if !errors.Is(err, wire.ErrMalformed) && !errors.Is(err, wire.ErrDepth) && !errors.Is(err, wire.ErrSize) {
				t.Errorf("got %v, want one of the errors of this package", err)
			}
			return
		}
		again, err := b.Bytes()
		if err != nil || !bytes.Equal(again, body) {
			t.Errorf("decoded and encoded again: got %x, %v, want %x", again, err, body)
		}
		checkWithinLimits(t, b.tape, body)
	})
}

// checkWithinLimits checks that a value passes limits that are exactly its own, and no smaller ones.
func checkWithinLimits(t *testing.T, events tape, body []byte) {
	depth := depthOf(events)
	for _, limits := range []wire.Limits{{MaxDepth: depth, MaxBytes: len(body)}, {MaxDepth: depth - 1, MaxBytes: len(body)}, {MaxDepth: depth, MaxBytes: len(body) - 1}} {
		tight := limits.MaxDepth == depth && limits.MaxBytes == len(body)
		_, encodeErr := encode(events, limits)
		_, decodeErr := decode(body, limits)
		if (encodeErr == nil) != tight || (decodeErr == nil) != tight {
			t.Errorf("value of depth %d and %d bytes with %+v: encoding %v, decoding %v", depth, len(body), limits, encodeErr, decodeErr)
		}
	}
}

// depthOf counts the depth as the limits define it, from nothing but the events.
func depthOf(events tape) int {
	deepest, open := 0, []int{}
	for _, e := range events {
		if e.name == "Key" {
			continue
		}
		deepest = max(deepest, len(open)+1)
		if len(open) > 0 {
			open[len(open)-1]--
		}
		if n, ok := e.value.(int); ok && n > 0 {
			open = append(open, n)
		}
		for len(open) > 0 && open[len(open)-1] == 0 {
			open = open[:len(open)-1]
		}
	}
	return deepest
}

// eventsOf reads any bytes as events, most of them in an order that makes no value.
func eventsOf(script []byte) tape {
	var events tape
	for len(script) > 0 {
		op, rest := script[0], script[1:]
		n := min(int(op>>3), len(rest))
		switch op & 7 {
		case 0:
			events = append(events, null())
		case 1:
			events = append(events, boolean(op>>3 != 0))
		case 2, 3:
			var bits uint64
			for _, b := range rest[:min(n, 8)] {
				bits = bits<<8 | uint64(b)
			}
			if op&7 == 2 {
				events = append(events, integer(int64(bits)))
			} else {
				events = append(events, float(math.Float64frombits(bits)))
			}
			rest = rest[min(n, 8):]
		case 4:
			events = append(events, str(string(rest[:n])))
			rest = rest[n:]
		case 5:
			events = append(events, list(int(op>>3)))
		case 6:
			events = append(events, dict(int(op>>3)))
		case 7:
			events = append(events, key(string(rest[:n])))
			rest = rest[n:]
		}
		script = rest
	}
	return events
}

// FuzzEncode: any events are refused or come back from what was written.
func FuzzEncode(f *testing.F) {
	f.Add([]byte{5 | 2<<3, 0, 4 | 1<<3, 'a'})
	f.Add([]byte{6 | 2<<3, 7 | 1<<3, 'a', 0, 7 | 1<<3, 'b', 2 | 2<<3, 1, 44})
	f.Add([]byte{6 | 2<<3, 7 | 1<<3, 'a', 0, 7 | 1<<3, 'a', 0})
	f.Add([]byte{5 | 2<<3, 6 | 1<<3, 7 | 1<<3, 'a', 0, 6 | 1<<3, 7 | 1<<3, 'a', 0})
	f.Add([]byte{3 | 8<<3, 0x80, 0, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{3 | 8<<3, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{5, 5})
	f.Fuzz(func(t *testing.T, script []byte) {
		events := eventsOf(script)
		body, err := encode(events, fuzzLimits)
		if err != nil {
			return
		}
		got, err := decode(body, fuzzLimits)
		if err != nil || !slices.Equal(got, events) {
			t.Errorf("got %v, %v, want %v", got, err, events)
		}
		checkWithinLimits(t, events, body)
	})
}

// FuzzFrames: a stream of any bytes, cut anywhere, yields frames within their caps that write back as the stream, and then one error. The
// buffer stays within the largest cap.
func FuzzFrames(f *testing.F) {
	f.Add(conversation(f), uint8(3))
	f.Add([]byte("\x00\x00\x00\x04\x06abcd\x00\x00\x00\x00\x03"), uint8(1))
	f.Add([]byte("\x7f\xff\xff\xff\x05half"), uint8(7))
	f.Add([]byte("\x00\x00\x00\x00\x09"), uint8(0))
	f.Fuzz(func(t *testing.T, stream []byte, cut uint8) {
		const limit = 10_000
		r := wire.NewReader(&trickle{bytes: stream, step: int(cut) + 1})
		caps := open(limit)
		caps[wire.KindReady] = wire.Empty
		caps[wire.KindSetup] = 0
		var again bytes.Buffer
		w := wire.NewWriter(&again)
		for {
			frame, err := r.Next(caps)
			if err != nil {
				checkEnd(t, err, stream[again.Len():])
				break
			}
			if len(frame.Payload) > max(caps[frame.Kind], 0) {
				t.Fatalf("%v: payload of %d bytes is over its cap", frame.Kind, len(frame.Payload))
			}
			if err := w.Write(frame.Kind, frame.Payload); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.HasPrefix(stream, again.Bytes()) {
			t.Errorf("got %x, which does not begin %x", again.Bytes(), stream)
		}
		if n := r.BufferSize(); n > limit+wire.HeaderSize {
			t.Errorf("holds %d bytes", n)
		}
	})
}

func checkEnd(t *testing.T, err error, rest []byte) {
	var refused *wire.FrameError
	switch {
	case err == io.EOF && len(rest) == 0:
	case err == io.ErrUnexpectedEOF && len(rest) > 0:
	case errors.As(err, &refused) && len(rest) >= wire.HeaderSize && byte(refused.Kind) == rest[4]:
	default:
		t.Errorf("got %v with %d bytes left", err, len(rest))
	}
}

// A trickle gives out a few bytes at a time.
type trickle struct {
	bytes []byte
	step  int
}

func (r *trickle) Read(p []byte) (int, error) {
	if len(r.bytes) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.bytes[:min(r.step, len(r.bytes))])
	r.bytes = r.bytes[n:]
	return n, nil
}

// FuzzPayloads: a payload that parses is the one that its parts append to.
func FuzzPayloads(f *testing.F) {
	for _, frame := range talk {
		f.Add(frame.payload)
	}
	for _, test := range malformedPayloads {
		f.Add([]byte(test.payload))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		same(t, payload, wire.ParseHello, wire.AppendHello)
		same(t, payload, wire.ParseCall, wire.AppendCall)
		same(t, payload, wire.ParseResult, wire.AppendResult)
		same(t, payload, wire.ParseDone, wire.AppendDone)
		same(t, payload, wire.ParseFault, wire.AppendFault)
	})
}

func same[T any](t *testing.T, payload []byte, parse func([]byte) (T, error), add func([]byte, T) []byte) {
	t.Helper()
	parsed, err := parse(payload)
	if err != nil {
		if !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("got %v, want ErrMalformed", err)
		}
		return
	}
	if again := add(nil, parsed); !bytes.Equal(again, payload) {
		t.Errorf("%+v: got %x, want %x", parsed, again, payload)
	}
}
