package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
	"github.com/codemode-go/codemode/wire"
)

// A hostile worker speaks the protocol itself, unconfined, and well up to its job. The job says how it goes on.
const hostileArgument = "hostile"

func serveHostile() {
	if !sandbox.IsWorker() || !slices.Contains(os.Args, hostileArgument) {
		return
	}
	h := hostile{wire.NewReader(os.Stdin), wire.NewWriter(os.Stdout)}
	h.write(wire.KindHello, wire.AppendHello(nil, wire.Hello{Version: wire.Version, Report: make([]byte, 6)}))
	setup := string(h.read(wire.KindSetup))
	if setup == "call behind Ready" {
		h.write(wire.KindReady)
		time.Sleep(5 * time.Millisecond)
		h.call(1)
		time.Sleep(time.Hour)
	}
	h.write(wire.KindReady)
	if setup == "deaf" {
		time.Sleep(time.Hour)
	}
	job := string(h.read(wire.KindRun))
	if text, echo := strings.CutPrefix(job, "echo "); echo {
		h.done(text)
	} else if text, raw := strings.CutPrefix(job, "raw "); raw {
		os.Stdout.WriteString(text)
		os.Exit(0)
	} else {
		behaviours[job](h)
	}
	time.Sleep(time.Hour)
}

type hostile struct {
	in  *wire.Reader
	out *wire.Writer
}

func (h hostile) read(kind wire.Kind) []byte {
	caps := wire.Caps{}
	caps[kind] = wire.MaxLength
	frame, err := h.in.Next(caps)
	if err != nil {
		os.Exit(0)
	}
	return bytes.Clone(frame.Payload)
}

func (h hostile) write(kind wire.Kind, parts ...[]byte) { h.out.Write(kind, parts...) }

func (h hostile) call(seq uint64) {
	h.write(wire.KindCall, wire.AppendCall(nil, wire.Call{Seq: seq, Target: "target"}))
}

func (h hostile) done(text string) {
	h.write(wire.KindDone, wire.AppendDone(nil, wire.Done{Value: []byte(text)}))
}

// twice writes what f writes two times, in one piece.
func twice(f func(hostile)) {
	var buf bytes.Buffer
	f(hostile{nil, wire.NewWriter(&buf)})
	f(hostile{nil, wire.NewWriter(&buf)})
	os.Stdout.Write(buf.Bytes())
}

var behaviours = map[string]func(h hostile){
	"garbage":              func(hostile) { os.Stdout.WriteString("HTTP/1.1 200 OK\r\n\r\n") },
	"half a frame":         func(hostile) { os.Stdout.Write([]byte{0, 0, 0, 9, byte(wire.KindDone), 1}) },
	"half a frame, exit":   func(hostile) { os.Stdout.Write([]byte{0, 0, 0, 9, byte(wire.KindDone), 1}); os.Exit(0) },
	"a frame over its cap": func(hostile) { os.Stdout.Write([]byte{0x7f, 0, 0, 0, byte(wire.KindDone), 1}) },
	"Hello again":          func(h hostile) { h.write(wire.KindHello, []byte{1}) },
	"Ready again":          func(h hostile) { h.write(wire.KindReady) },
	"a parent's frame":     func(h hostile) { h.write(wire.KindResult, []byte{1, 0}) },
	"an empty Done":        func(h hostile) { h.write(wire.KindDone) },
	"two calls at once":    func(hostile) { twice(func(h hostile) { h.call(1) }) },
	"Done twice":           func(hostile) { twice(func(h hostile) { h.done("x") }) },
	"a wrong seq":          func(h hostile) { h.call(2) },
	"seq 0":                func(h hostile) { h.call(0) },
	"a target of no text":  func(h hostile) { h.write(wire.KindCall, []byte{1, 1, 0xff}) },
	"a long target": func(h hostile) {
		h.write(wire.KindCall, wire.AppendCall(nil, wire.Call{Seq: 1, Target: strings.Repeat("t", 1<<10+1)}))
	},
	"a detail of no text": func(h hostile) { h.write(wire.KindFault, []byte{0, 1, 0xff}) },
	"an unknown target":   func(h hostile) { h.call(1); h.read(wire.KindResult); h.done("answered") },
	"10,000 calls": func(h hostile) {
		for seq := range uint64(10000) {
			h.call(seq + 1)
			h.read(wire.KindResult)
		}
		h.done("answered")
	},
	"a flood on standard error": func(hostile) { flood() },
	"a flood on standard error and an outcome": func(h hostile) {
		go flood()
		h.done("x")
	},
	"a child that stays": func(hostile) { startChild(os.Stdout); os.Exit(0) },
	"a death that is noticed late": func(hostile) {
		startChild(nil) // its end of standard error hides the exit
		fmt.Fprintln(os.Stderr, "fatal error: runtime: out of memory")
		os.Exit(2)
	},
	"closed pipes":     func(hostile) { os.Stdin.Close(); os.Stdout.Close() },
	"all pipes closed": func(hostile) { os.Stdin.Close(); os.Stdout.Close(); os.Stderr.Close() },
	"deaf to a reply":  func(h hostile) { h.call(1) },
	"a call without an ear": func(h hostile) {
		os.Stdin.Close()
		h.call(1)
	},
	"silence":       func(hostile) {},
	"stopped":       func(hostile) { stopSelf() },
	"a false alibi": func(hostile) { fmt.Fprintln(os.Stderr, "fatal error: out of cheese"); os.Exit(2) },
}

func flood() {
	line := bytes.Repeat([]byte("noise "), 100)
	for {
		os.Stderr.Write(line)
	}
}

// startChild leaves a process behind that holds standard input and error and out, until the parent closes its end of standard input.
func startChild(out io.Writer) {
	cmd := exec.Command(selfImage(), mirrorMode)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, out, os.Stderr
	cmd.Env = []string{}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}

func TestHostileWorkersGetNowhere(t *testing.T) {
	unknown := errors.New("no such target")
	limited := errors.New("too many calls")
	late := context.DeadlineExceeded
	answer := func(value []byte, err error) sandbox.Dispatch {
		return func(context.Context, sandbox.Call) (sandbox.Reply, error) { return sandbox.Reply{Value: value}, err }
	}
	counting := func(_ context.Context, call sandbox.Call) (sandbox.Reply, error) {
		if call.Seq > 100 {
			return sandbox.Reply{}, limited
		}
		return sandbox.Reply{}, nil
	}
	cases := []struct {
		job      string
		dispatch sandbox.Dispatch
		err      error
		value    string
	}{
		{job: "garbage", err: sandbox.ErrProtocol},
		{job: "half a frame", err: late},
		{job: "half a frame, exit", err: sandbox.ErrCrashed},
		{job: "a frame over its cap", err: sandbox.ErrProtocol},
		{job: "Hello again", err: sandbox.ErrProtocol},
		{job: "Ready again", err: sandbox.ErrProtocol},
		{job: "a parent's frame", err: sandbox.ErrProtocol},
		{job: "an empty Done", err: sandbox.ErrProtocol},
		{job: "two calls at once", dispatch: answer(nil, nil), err: sandbox.ErrProtocol},
		{job: "Done twice", err: sandbox.ErrProtocol},
		{job: "a wrong seq", dispatch: answer(nil, nil), err: sandbox.ErrProtocol},
		{job: "seq 0", dispatch: answer(nil, nil), err: sandbox.ErrProtocol},
		{job: "a target of no text", dispatch: answer(nil, nil), err: sandbox.ErrProtocol},
		{job: "a long target", dispatch: answer(nil, nil), err: sandbox.ErrProtocol},
		{job: "a detail of no text", err: sandbox.ErrProtocol},
		{job: "an unknown target", dispatch: answer(nil, unknown), err: unknown},
		{job: "10,000 calls", dispatch: counting, err: limited},
		{job: "10,000 calls", dispatch: answer(nil, nil), value: "answered"},
		{job: "a flood on standard error", err: late},
		{job: "a flood on standard error and an outcome", value: "x"},
		{job: "a child that stays", err: late},
		{job: "a death that is noticed late", err: sandbox.ErrLimit},
		{job: "closed pipes", err: sandbox.ErrProtocol},
		{job: "all pipes closed", err: sandbox.ErrProtocol},
		{job: "deaf to a reply", dispatch: answer(make([]byte, 1<<20), nil), err: late},
		{job: "a call without an ear", dispatch: answer(nil, nil), err: sandbox.ErrProtocol},
		{job: "silence", err: late},
		{job: "stopped", err: late},
		{job: "a false alibi", err: sandbox.ErrCrashed},
	}
	p := newPool(t, sandbox.WithArguments(sandbox.Options{}, hostileArgument))
	for _, c := range cases {
		t.Run(c.job, func(t *testing.T) {
			t.Parallel()
			patience := 20 * time.Second
			if c.err == late {
				patience = 500 * time.Millisecond
			}
			outcome, _, err := p.Run(within(t, patience), []byte(c.job), c.dispatch)
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Errorf("error: got %v, want %v", err, c.err)
			}
			if string(outcome.Value) != c.value {
				t.Errorf("value: got %q, want %q", outcome.Value, c.value)
			}
			expectEcho(t, p) // the next job is served
		})
	}
}

func TestWorkerThatDoesNotReadItsJob(t *testing.T) {
	p := newPool(t, sandbox.WithArguments(sandbox.Options{Setup: []byte("deaf")}, hostileArgument))
	for _, job := range []string{"short", strings.Repeat("x", 1<<20)} {
		_, _, err := p.Run(within(t, 500*time.Millisecond), []byte(job), nil)
		if err != context.DeadlineExceeded {
			t.Errorf("a job of %d bytes: got %v, want %v", len(job), err, context.DeadlineExceeded)
		}
	}
}

func TestCallBeforeTheJobIsABreach(t *testing.T) {
	p := newPool(t, sandbox.WithArguments(sandbox.Options{Setup: []byte("call behind Ready")}, hostileArgument))
	for range 4 { // cold ones and warm ones
		_, _, err := p.Run(within(t, 20*time.Second), []byte("x"), nil)
		if !errors.Is(err, sandbox.ErrProtocol) {
			t.Errorf("got %v, want %v", err, sandbox.ErrProtocol)
		}
	}
}

func TestWorkerErrorKeepsBothEndsOfStandardError(t *testing.T) {
	p := newPool(t, sandbox.Options{})
	_, _, err := p.Run(within(t, 20*time.Second), []byte("print "+strings.Repeat("long ", 10000)+"end"), nil)
	var worker *sandbox.WorkerError
	if !errors.As(err, &worker) {
		t.Fatalf("got %v, want a WorkerError", err)
	}
	for _, part := range []string{"on standard output: long", "end\n", "panic: to show it"} {
		if !strings.Contains(worker.Stderr, part) {
			t.Errorf("captured output: got %.60q…, want %q in it", worker.Stderr, part)
		}
	}
	if n := len(worker.Stderr); n > 6<<10 {
		t.Errorf("captured output: got %d bytes, want it bounded", n)
	}
	if strings.Contains(err.Error(), "long") {
		t.Errorf("text: got %q, want nothing the worker wrote", err)
	}
}

func selfImage() string {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe"
	}
	path, _ := os.Executable()
	return path
}
