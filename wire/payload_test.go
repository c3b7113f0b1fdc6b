package wire_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/wire"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// talk is a whole conversation: a job that makes one call, as PROTOCOL.md shows it.
var talk = []struct {
	worker  bool
	kind    wire.Kind
	parsed  any
	payload []byte
}{
	{true, wire.KindHello, wire.Hello{Version: wire.Version, Report: []byte("m")}, wire.AppendHello(nil, wire.Hello{Version: wire.Version, Report: []byte("m")})},
	{false, wire.KindSetup, []byte("setup"), []byte("setup")},
	{true, wire.KindReady, []byte{}, nil},
	{false, wire.KindRun, []byte("job"), []byte("job")},
	{true, wire.KindCall, wire.Call{Seq: 1, Target: "add", Arguments: []byte{0x82, 2, 3}},
		wire.AppendCall(nil, wire.Call{Seq: 1, Target: "add", Arguments: []byte{0x82, 2, 3}})},
	{false, wire.KindResult, wire.Result{Seq: 1, Value: []byte{5}}, wire.AppendResult(nil, wire.Result{Seq: 1, Value: []byte{5}})},
	{true, wire.KindCall, wire.Call{Seq: 2, Target: "drop", Arguments: []byte{0xa0}},
		wire.AppendCall(nil, wire.Call{Seq: 2, Target: "drop", Arguments: []byte{0xa0}})},
	{false, wire.KindResult, wire.Result{Seq: 2, Class: 5, Value: []byte{}}, wire.AppendResult(nil, wire.Result{Seq: 2, Class: 5})},
	{true, wire.KindDone, wire.Done{Units: 300, Value: []byte{0xa1, 1, 'n', 5}}, wire.AppendDone(nil, wire.Done{Units: 300, Value: []byte{0xa1, 1, 'n', 5}})},
	{true, wire.KindFault, wire.Fault{Units: 12, Class: 2, Detail: "é"}, wire.AppendFault(nil, wire.Fault{Units: 12, Class: 2, Detail: "é"})},
}

func parse(frame wire.Frame) (any, error) {
	switch frame.Kind {
	case wire.KindHello:
		return wire.ParseHello(frame.Payload)
	case wire.KindCall:
		return wire.ParseCall(frame.Payload)
	case wire.KindResult:
		return wire.ParseResult(frame.Payload)
	case wire.KindDone:
		return wire.ParseDone(frame.Payload)
	case wire.KindFault:
		return wire.ParseFault(frame.Payload)
	}
	return frame.Payload, nil
}

func conversation(t testing.TB) []byte {
	var stream bytes.Buffer
	w := wire.NewWriter(&stream)
	for _, frame := range talk {
		if err := w.Write(frame.kind, frame.payload); err != nil {
			t.Fatal(err)
		}
	}
	return stream.Bytes()
}

// TestGoldenFrames compares the bytes of a conversation with testdata/conversation.golden; -update rewrites it.
func TestGoldenFrames(t *testing.T) {
	var got strings.Builder
	for _, frame := range talk {
		var b bytes.Buffer
		if err := wire.NewWriter(&b).Write(frame.kind, frame.payload); err != nil {
			t.Fatal(err)
		}
		sender := "parent"
		if frame.worker {
			sender = "worker"
		}
		fmt.Fprintf(&got, "%s  %-6v  % x\n", sender, frame.kind, b.Bytes())
	}
	const file = "testdata/conversation.golden"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.ReplaceAll(string(want), "\r\n", "\n"); text != got.String() {
		t.Errorf("got\n%s\nwant\n%s", got.String(), text)
	}
}

func TestPayloadsComeBack(t *testing.T) {
	r := wire.NewReader(bytes.NewReader(conversation(t)))
	for i, want := range talk {
		frame, err := r.Next(open(100))
		if err != nil {
			t.Fatal(err)
		}
		got, err := parse(frame)
		if err != nil || frame.Kind != want.kind || !reflect.DeepEqual(got, want.parsed) {
			t.Errorf("frame %d: got %v %+v, %v, want %v %+v", i, frame.Kind, got, err, want.kind, want.parsed)
		}
	}
	if _, err := r.Next(open(100)); err != io.EOF {
		t.Errorf("got %v, want io.EOF", err)
	}
}

var malformedPayloads = []struct {
	name    string
	kind    wire.Kind
	payload string
	problem string
}{
	{"Hello without a version", wire.KindHello, "", "varint is cut short"},
	{"Hello with half a version", wire.KindHello, "\x80", "varint is cut short"},
	{"Hello with an over-long version", wire.KindHello, "\x81\x00", "varint has a shorter form"},
	{"Hello with a version past 64 bits", wire.KindHello, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "varint is out of range"},
	{"Call without a target", wire.KindCall, "\x01", "varint is cut short"},
	{"Call with an over-long seq", wire.KindCall, "\x81\x80\x00\x00", "varint has a shorter form"},
	{"Call with a target longer than the payload", wire.KindCall, "\x01\x05abcd", "length is more than what remains"},
	{"Call with a target of 2^63 bytes", wire.KindCall, "\x01\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", "length is more than what remains"},
	{"Call with a target that is not UTF-8", wire.KindCall, "\x01\x02\xc3\x28", "text is not UTF-8"},
	{"Result without a class", wire.KindResult, "\x01", "class is missing"},
	{"Result without anything", wire.KindResult, "", "varint is cut short"},
	{"Done without units", wire.KindDone, "", "varint is cut short"},
	{"Done with over-long units", wire.KindDone, "\x80\x00", "varint has a shorter form"},
	{"Fault without a class", wire.KindFault, "\x01", "class is missing"},
	{"Fault whose detail is not UTF-8", wire.KindFault, "\x01\x01ab\xff", "text is not UTF-8"},
}

func TestMalformedPayloads(t *testing.T) {
	for _, test := range malformedPayloads {
		t.Run(test.name, func(t *testing.T) {
			_, err := parse(wire.Frame{Kind: test.kind, Payload: []byte(test.payload)})
			var malformed *wire.MalformedError
			if !errors.As(err, &malformed) || malformed.Problem != test.problem {
				t.Errorf("got %v, want %q", err, test.problem)
			}
		})
	}
}

func TestEnvelopesAreTheLargest(t *testing.T) {
	target := strings.Repeat("t", 1000)
	for _, test := range []struct {
		name    string
		payload []byte
		want    int
	}{
		{"Hello", wire.AppendHello(nil, wire.Hello{Version: math.MaxUint64}), wire.MaxHelloEnvelope},
		{"Result", wire.AppendResult(nil, wire.Result{Seq: math.MaxUint64, Class: 255}), wire.MaxResultEnvelope},
		{"Done", wire.AppendDone(nil, wire.Done{Units: math.MaxUint64}), wire.MaxDoneEnvelope},
		{"Fault", wire.AppendFault(nil, wire.Fault{Units: math.MaxUint64, Class: 255}), wire.MaxFaultEnvelope},
	} {
		if len(test.payload) != test.want {
			t.Errorf("%s: got %d bytes, want %d", test.name, len(test.payload), test.want)
		}
	}
	// The length of a target takes five bytes only from 256 MiB on.
	call := wire.AppendCall(nil, wire.Call{Seq: math.MaxUint64, Target: target})
	if got, want := len(call), wire.MaxCallEnvelope-3+len(target); got != want {
		t.Errorf("Call: got %d bytes, want %d", got, want)
	}
}

func TestParsedPartsDoNotGrowIntoEachOther(t *testing.T) {
	payload := append(wire.AppendDone(nil, wire.Done{Value: []byte("value")}), "next"...)
	done, err := wire.ParseDone(payload[:len(payload)-4])
	if err != nil {
		t.Fatal(err)
	}
	_ = append(done.Value, "XXXX"...)
	if !bytes.HasSuffix(payload, []byte("next")) {
		t.Errorf("appending to a part changed what follows it: %q", payload)
	}
}
