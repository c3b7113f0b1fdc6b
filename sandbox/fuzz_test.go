package sandbox_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
	"github.com/codemode-go/codemode/wire"
)

// FuzzWorkerOutput lets workers send whatever it finds and end. The run has one end, one of those that a worker can cause, and the next is served.
func FuzzWorkerOutput(f *testing.F) {
	frame := func(kind wire.Kind, payload []byte) []byte {
		var buf bytes.Buffer
		wire.NewWriter(&buf).Write(kind, payload)
		return buf.Bytes()
	}
	call := frame(wire.KindCall, wire.AppendCall(nil, wire.Call{Seq: 1, Target: "target", Arguments: []byte("x")}))
	done := frame(wire.KindDone, wire.AppendDone(nil, wire.Done{Units: 3, Value: []byte("value")}))
	f.Add(done)
	f.Add(frame(wire.KindFault, wire.AppendFault(nil, wire.Fault{Class: 1, Detail: "detail"})))
	f.Add(call)
	f.Add(append(bytes.Clone(call), done...))
	f.Add(done[:len(done)-1])
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 7})
	f.Add([]byte{})
	p, err := sandbox.New(f.Context(), sandbox.WithArguments(sandbox.Options{}, hostileArgument))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { p.Close() })
	f.Fuzz(func(t *testing.T, output []byte) {
		if len(output) > 1<<16 {
			return
		}
		outcome, usage, err := p.Run(within(t, 30*time.Second), append([]byte("raw "), output...), echoCall)
		switch {
		case err == nil:
			if len(outcome.Value) > len(output) || usage.Calls > uint64(len(output)) {
				t.Errorf("got %+v after %+v, want no more than was sent", outcome, usage)
			}
		case !errors.Is(err, sandbox.ErrProtocol) && !errors.Is(err, sandbox.ErrCrashed):
			t.Errorf("got %v, want a breach or a crash", err)
		}
		expectEcho(t, p)
	})
}
