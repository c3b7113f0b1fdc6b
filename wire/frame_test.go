package wire_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/codemode-go/codemode/wire"
)

// open allows every kind with a payload of up to max bytes.
func open(max int) wire.Caps {
	var caps wire.Caps
	for i := range caps {
		caps[i] = max
	}
	return caps
}

func header(kind wire.Kind, length uint32) []byte {
	return append(binary.BigEndian.AppendUint32(nil, length), byte(kind))
}

func frames(t *testing.T, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := wire.NewWriter(&b)
	for _, part := range parts {
		if err := w.Write(wire.KindCall, []byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestFramesArriveWholeHoweverTheyAreCut(t *testing.T) {
	payloads := []string{"", "a", strings.Repeat("b", 4090), strings.Repeat("c", 4096), strings.Repeat("d", 100_000), "e", ""}
	stream := frames(t, payloads...)
	for name, source := range map[string]func(io.Reader) io.Reader{
		"at once":           func(r io.Reader) io.Reader { return r },
		"byte by byte":      iotest.OneByteReader,
		"half of each read": iotest.HalfReader,
		"end with the data": iotest.DataErrReader,
	} {
		t.Run(name, func(t *testing.T) {
			r := wire.NewReader(source(bytes.NewReader(stream)))
			for i, want := range payloads {
				frame, err := r.Next(open(100_000))
				if err != nil || frame.Kind != wire.KindCall || string(frame.Payload) != want {
					t.Fatalf("frame %d: got %v of %d bytes, %v, want %d bytes", i, frame.Kind, len(frame.Payload), err, len(want))
				}
			}
			if _, err := r.Next(open(1)); err != io.EOF {
				t.Errorf("after the last: got %v, want io.EOF", err)
			}
		})
	}
}

func TestEndInsideAFrameIsUnexpected(t *testing.T) {
	stream := frames(t, "first", "second")
	for n := 1; n < len(stream); n++ {
		r := wire.NewReader(bytes.NewReader(stream[:n]))
		var err error
		for err == nil {
			_, err = r.Next(open(100))
		}
		want := io.ErrUnexpectedEOF
		if n == wire.HeaderSize+len("first") {
			want = io.EOF
		}
		if err != want {
			t.Errorf("stream of %d bytes: got %v, want %v", n, err, want)
		}
	}
}

// A silent source delivers its bytes and then fails the test if it is asked for more than once.
type silent struct {
	bytes []byte
	asked int
}

var errSilence = errors.New("silence")

func (s *silent) Read(p []byte) (int, error) {
	if len(s.bytes) == 0 {
		s.asked++
		return 0, errSilence
	}
	n := copy(p, s.bytes)
	s.bytes = s.bytes[n:]
	return n, nil
}

func TestRefusedOnSightOfTheHeader(t *testing.T) {
	for _, test := range []struct {
		name   string
		header []byte
		caps   wire.Caps
		want   error
	}{
		{"kind that is left out", header(wire.KindRun, 0), wire.Caps{wire.KindCall: 10}, wire.ErrUnexpected},
		{"any kind without caps", header(wire.KindHello, 0), wire.Caps{}, wire.ErrUnexpected},
		{"kind zero", header(0, 0), open(10), wire.ErrUnexpected},
		{"kind past the last", header(wire.KindFault+1, 0), open(10), wire.ErrUnexpected},
		{"kind 255", header(255, 0), open(10), wire.ErrUnexpected},
		{"one byte over the cap", header(wire.KindCall, 11), wire.Caps{wire.KindCall: 10}, wire.ErrSize},
		{"one byte where none is allowed", header(wire.KindReady, 1), wire.Caps{wire.KindReady: wire.Empty}, wire.ErrSize},
		{"length with the highest bit", header(wire.KindCall, 1<<31), open(1 << 30), wire.ErrSize},
		{"longest length", header(wire.KindCall, 1<<32-1), open(1 << 30), wire.ErrSize},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := &silent{bytes: test.header}
			r := wire.NewReader(source)
			for range 2 {
				_, err := r.Next(test.caps)
				var refused *wire.FrameError
				if !errors.As(err, &refused) || !errors.Is(err, test.want) {
					t.Fatalf("got %v, want %v", err, test.want)
				}
			}
			if source.asked != 0 {
				t.Errorf("source was asked for the payload")
			}
		})
	}
}

func TestRefusalsNameTheFrame(t *testing.T) {
	for _, test := range []struct {
		header []byte
		caps   wire.Caps
		want   string
	}{
		{header(wire.KindRun, 3), wire.Caps{}, "wire: frame Run: not allowed here"},
		{header(77, 3), open(10), "wire: frame Kind(77): not allowed here"},
		{header(wire.KindCall, 11), open(10), "wire: frame Call: got a payload of 11 bytes, want at most 10"},
		{header(wire.KindReady, 1), open(wire.Empty), "wire: frame Ready: got a payload of 1 bytes, want at most 0"},
	} {
		if _, err := wire.NewReader(bytes.NewReader(test.header)).Next(test.caps); err == nil || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}

func TestBufferedTellsOfWhatWasSentAhead(t *testing.T) {
	r := wire.NewReader(bytes.NewReader(frames(t, "first", "second")))
	if n := r.Buffered(); n != 0 {
		t.Errorf("before the first: got %d", n)
	}
	for _, want := range []int{wire.HeaderSize + len("second"), 0} {
		if _, err := r.Next(open(10)); err != nil {
			t.Fatal(err)
		}
		if n := r.Buffered(); n != want {
			t.Errorf("got %d, want %d", n, want)
		}
	}
}

func TestCapsAreInclusive(t *testing.T) {
	r := wire.NewReader(bytes.NewReader(append(frames(t, "1234567890"), header(wire.KindReady, 0)...)))
	if _, err := r.Next(wire.Caps{wire.KindCall: 10}); err != nil {
		t.Errorf("ten bytes at a cap of ten: %v", err)
	}
	if _, err := r.Next(wire.Caps{wire.KindReady: wire.Empty}); err != nil {
		t.Errorf("empty payload at Empty: %v", err)
	}
}

func TestBufferGrowsWithTheBytesNotWithTheAnnouncement(t *testing.T) {
	const announced = 1 << 30
	r := wire.NewReader(&silent{bytes: append(header(wire.KindCall, announced), make([]byte, 10_000)...)})
	if _, err := r.Next(open(announced)); err != errSilence {
		t.Fatalf("got %v, want the source's own error", err)
	}
	if n := r.BufferSize(); n > 20_000 {
		t.Errorf("10,000 bytes of a frame announced as %d: holds %d", announced, n)
	}
	r = wire.NewReader(bytes.NewReader(frames(t, strings.Repeat("x", 10_000))))
	if _, err := r.Next(open(10_000)); err != nil {
		t.Fatal(err)
	}
	if n := r.BufferSize(); n != wire.HeaderSize+10_000 {
		t.Errorf("frame of 10,000 bytes: holds %d", n)
	}
}

func TestNoByteIsLostByAReadError(t *testing.T) {
	stream := frames(t, "payload")
	for n := range stream {
		source := &silent{bytes: stream[:n]}
		r := wire.NewReader(source)
		if _, err := r.Next(open(10)); err != errSilence {
			t.Fatalf("got %v, want the source's own error", err)
		}
		source.bytes = stream[n:]
		frame, err := r.Next(open(10))
		if err != nil || string(frame.Payload) != "payload" {
			t.Errorf("after %d bytes and an error: got %q, %v", n, frame.Payload, err)
		}
	}
}

func TestReaderGivesUpOnASourceWithoutProgress(t *testing.T) {
	r := wire.NewReader(emptyReads{})
	if _, err := r.Next(open(1)); err != io.ErrNoProgress {
		t.Errorf("got %v, want io.ErrNoProgress", err)
	}
}

type emptyReads struct{}

func (emptyReads) Read([]byte) (int, error) { return 0, nil }

// A sink counts calls and fails from a given one on.
type sink struct {
	bytes.Buffer
	calls, failAt int
	short         bool
}

var errSink = errors.New("sink is closed")

func (s *sink) Write(p []byte) (int, error) {
	s.calls++
	if s.failAt > 0 && s.calls >= s.failAt {
		return 0, errSink
	}
	if s.short {
		return len(p) - 1, nil
	}
	return s.Buffer.Write(p)
}

func TestOneWritePerFrame(t *testing.T) {
	var s sink
	w := wire.NewWriter(&s)
	if err := w.Write(wire.KindResult, []byte("ab"), nil, []byte("cd")); err != nil {
		t.Fatal(err)
	}
	if s.calls != 1 || s.String() != "\x00\x00\x00\x04\x06abcd" {
		t.Errorf("got %q in %d writes", s.String(), s.calls)
	}
}

func TestWriterRefuses(t *testing.T) {
	for _, kind := range []wire.Kind{0, wire.KindFault + 1, 255} {
		var s sink
		w := wire.NewWriter(&s)
		if err := w.Write(kind); !errors.Is(err, wire.ErrUnexpected) || s.calls != 0 {
			t.Errorf("%v: got %v after %d writes, want ErrUnexpected", kind, err, s.calls)
		}
		if err := w.Write(wire.KindReady); err != nil {
			t.Errorf("a good frame afterwards: %v", err)
		}
	}
}

func TestWriterStaysBroken(t *testing.T) {
	s := &sink{failAt: 1}
	w := wire.NewWriter(s)
	for range 3 {
		if err := w.Write(wire.KindReady); err != errSink {
			t.Errorf("got %v, want the sink's own error", err)
		}
	}
	if s.calls != 1 {
		t.Errorf("got %d writes, want 1", s.calls)
	}
	w = wire.NewWriter(&sink{short: true})
	if err := w.Write(wire.KindReady); err != io.ErrShortWrite {
		t.Errorf("short write: got %v, want io.ErrShortWrite", err)
	}
}

func TestKindNames(t *testing.T) {
	for kind, want := range map[wire.Kind]string{wire.KindHello: "Hello", wire.KindFault: "Fault", 0: "Kind(0)", 9: "Kind(9)"} {
		if got := kind.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
