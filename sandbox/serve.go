package sandbox

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/codemode-go/codemode/wire"
)

// An Engine is what a worker does. Its methods are called on one goroutine, Setup once and then Run at most once, with everything enforced
// that [Pool.Report] names: no files, no network, no environment, no other process. What it needs beyond the binary comes in
// setup and job.
type Engine interface {
	// Setup takes Options.Setup, which it may keep, and warms up. It should be what is slow about a job and the same for each: the worker waits for its job
	// only when Setup has returned. An error ends the worker; its text reaches the host's log.
	Setup(setup []byte) error

	// Run does one job. Neither job nor what the outcome refers to may be used after it returns. A panic is a crash of the worker.
	Run(job []byte, call CallFunc) Outcome
}

// A CallFunc asks the parent. The reply is valid until the next call. A class other than 0 is a refusal, as the parent's [Dispatch] chose it,
// and reply is nil. After an error the engine should return at once, with any outcome: nobody will see it. It must not be called
// concurrently, nor after Run has returned.
type CallFunc func(target string, arguments []byte) (reply []byte, class byte, err error)

// Serve is the worker's side. In a process that a [Pool] started it confines the process, serves one job with engine and ends the process; it never
// returns. In any other process it returns at once. Call it as the first statement of main, and of TestMain in test binaries: whatever runs
// before it runs unconfined in every worker, and whatever it prints breaks New.
func Serve(engine Engine) {
	if !isWorker {
		return
	}
	// Nothing here may depend on the host's state: this process has done nothing but its init functions.
	m, err := parseArguments(os.Args[2:])
	if err != nil {
		quit(err)
	}
	settle(m)
	in, out, err := takePipes()
	if err != nil {
		quit(err)
	}
	report := confine(m, in)
	if err := serve(engine, in, out, report); err != nil {
		quit(err)
	}
	os.Exit(0)
}

// quit ends a worker that cannot go on. An input that ended is how a parent goes; nobody is left to read about it.
func quit(err error) {
	if errors.Is(err, io.EOF) {
		os.Exit(0)
	}
	fmt.Fprintln(os.Stderr, workerSays, err)
	os.Exit(1)
}

// workerSays is before the last words of a worker whose main did start with Serve.
const workerSays = "sandbox: worker:"

// serve speaks the protocol once: Hello, Setup, Ready, Run, calls, outcome.
func serve(engine Engine, in io.Reader, out io.Writer, report Report) error {
	sink := wire.NewWriter(out)
	if err := sink.Write(wire.KindHello, wire.AppendHello(nil, wire.Hello{Version: wire.Version, Report: report.encode()})); err != nil {
		return err
	}
	setup, err := readSetup(in)
	if err != nil {
		return err
	}
	if err := engine.Setup(setup); err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	if err := sink.Write(wire.KindReady); err != nil {
		return err
	}
	frames := wire.NewReader(in)
	frame, err := frames.Next(wire.Caps{wire.KindRun: wire.MaxLength})
	if err != nil {
		return err
	}
	c := caller{frames: wire.NewReader(in), sink: sink}
	outcome := engine.Run(frame.Payload, c.call)
	if c.err != nil {
		return c.err
	}
	if err := send(sink, outcome); err != nil {
		return err
	}
	// The parent takes its measures and kills. To end at once would cost the memory that it wants to see.
	if _, err := frames.Next(wire.Caps{}); err != nil {
		return err
	}
	return nil
}

func send(sink *wire.Writer, outcome Outcome) error {
	if f := outcome.Fault; f != nil {
		return sink.Write(wire.KindFault, wire.AppendFault(nil, wire.Fault{Units: outcome.Units, Class: f.Class, Detail: f.Detail}))
	}
	var envelope [wire.MaxDoneEnvelope]byte
	return sink.Write(wire.KindDone, wire.AppendDone(envelope[:0], wire.Done{Units: outcome.Units}), outcome.Value)
}

// A caller is the worker's end of the calls.
type caller struct {
	frames   *wire.Reader
	sink     *wire.Writer
	seq      uint64
	envelope []byte
	err      error
}

func (c *caller) call(target string, arguments []byte) (reply []byte, class byte, err error) {
	if c.err != nil {
		return nil, 0, c.err
	}
	reply, class, c.err = c.exchange(target, arguments)
	return reply, class, c.err
}

func (c *caller) exchange(target string, arguments []byte) (reply []byte, class byte, err error) {
	c.seq++
	c.envelope = wire.AppendCall(c.envelope[:0], wire.Call{Seq: c.seq, Target: target})
	if err := c.sink.Write(wire.KindCall, c.envelope, arguments); err != nil {
		return nil, 0, err
	}
	frame, err := c.frames.Next(wire.Caps{wire.KindResult: wire.MaxLength})
	if err != nil {
		return nil, 0, err
	}
	result, err := wire.ParseResult(frame.Payload)
	if err != nil {
		return nil, 0, err
	}
	if result.Seq != c.seq {
		return nil, 0, fmt.Errorf("parent answered call %d, want %d", result.Seq, c.seq)
	}
	if result.Class != 0 {
		return nil, result.Class, nil
	}
	return result.Value, 0, nil
}

// A mandate is what the worker learns from its arguments.
type mandate struct {
	memory int64 // bytes
	cpu    int64 // seconds; 0: unbounded
}

func parseArguments(arguments []string) (mandate, error) {
	var m mandate
	for _, argument := range arguments {
		name, value, _ := strings.Cut(argument, "=")
		target := map[string]*int64{"memory": &m.memory, "cpu": &m.cpu}[name]
		if target == nil {
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 0 {
			return m, fmt.Errorf("argument %q: want a number of zero or more", argument)
		}
		*target = n
	}
	if m.memory == 0 {
		return m, errors.New("argument memory is missing; workers are started by a Pool, not by hand")
	}
	return m, nil
}

// maxStack bounds a goroutine's stack. The runtime's own bound is 1 GiB, most of which recursion touches before it dies. Stacks double, so they end
// at 32 MiB, and what takes seconds at twice that (printing lists in lists, a hundred thousand deep) ends alike on slow and on fast machines.
const maxStack = 48 << 20

const maxProcs = 4

// settle sets what the Go runtime itself can bound.
func settle(m mandate) {
	// One job on one goroutine: more processors serve only its garbage collector, and every thread costs address space. Setting the number,
	// even to the same, ends the runtime's own updates, which would read files.
	runtime.GOMAXPROCS(min(runtime.GOMAXPROCS(0), maxProcs))
	debug.SetMaxStack(maxStack)
	debug.SetMemoryLimit(max(m.memory-64<<20, m.memory*3/4))
	debug.SetTraceback("none")
}
