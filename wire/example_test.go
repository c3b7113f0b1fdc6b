package wire_test

import (
	"fmt"
	"io"
	"log"

	"github.com/codemode-go/codemode/wire"
)

// A worker in a goroutine: it greets, takes a job, asks its parent once, and is done.
func Example() {
	fromWorker, toParent := io.Pipe()
	fromParent, toWorker := io.Pipe()
	go func() {
		if err := work(fromParent, toParent); err != nil {
			log.Println(err)
		}
		toParent.Close()
	}()

	limits := wire.Limits{MaxDepth: 8, MaxBytes: 1 << 10}
	reader, writer := wire.NewReader(fromWorker), wire.NewWriter(toWorker)
	next := func(caps wire.Caps) wire.Frame {
		frame, err := reader.Next(caps)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("worker:", frame.Kind)
		return frame
	}
	next(wire.Caps{wire.KindHello: wire.MaxHelloEnvelope})
	writer.Write(wire.KindSetup)
	next(wire.Caps{wire.KindReady: wire.Empty})
	writer.Write(wire.KindRun, []byte("add what you are given"))

	frame := next(wire.Caps{wire.KindCall: wire.MaxCallEnvelope + 64 + limits.MaxBytes})
	call, err := wire.ParseCall(frame.Payload)
	if err != nil {
		log.Fatal(err)
	}
	var numbers wire.Encoder
	numbers.Reset(wire.AppendResult(nil, wire.Result{Seq: call.Seq}), limits)
	numbers.List(2)
	numbers.Int(40)
	numbers.Int(2)
	payload, err := numbers.Bytes()
	if err != nil {
		log.Fatal(err)
	}
	writer.Write(wire.KindResult, payload)

	frame = next(wire.Caps{wire.KindDone: wire.MaxDoneEnvelope + limits.MaxBytes})
	done, err := wire.ParseDone(frame.Payload)
	if err != nil {
		log.Fatal(err)
	}
	var total sum
	if err := wire.Decode(done.Value, limits, &total); err != nil {
		log.Fatal(err)
	}
	fmt.Println("value:", total.total)
	// Output:
	// worker: Hello
	// worker: Ready
	// worker: Call
	// worker: Done
	// value: 42
}

func work(in io.Reader, out io.Writer) error {
	reader, writer := wire.NewReader(in), wire.NewWriter(out)
	writer.Write(wire.KindHello, wire.AppendHello(nil, wire.Hello{Version: wire.Version}))
	if _, err := reader.Next(wire.Caps{wire.KindSetup: wire.Empty}); err != nil {
		return err
	}
	writer.Write(wire.KindReady)
	if _, err := reader.Next(wire.Caps{wire.KindRun: 1 << 10}); err != nil {
		return err
	}
	const nothing = 0xa0 // the value of a dict without pairs
	writer.Write(wire.KindCall, wire.AppendCall(nil, wire.Call{Seq: 1, Target: "numbers", Arguments: []byte{nothing}}))
	frame, err := reader.Next(wire.Caps{wire.KindResult: 1 << 10})
	if err != nil {
		return err
	}
	result, err := wire.ParseResult(frame.Payload)
	if err != nil {
		return err
	}
	limits := wire.Limits{MaxDepth: 8, MaxBytes: 1 << 10}
	var numbers sum
	if err := wire.Decode(result.Value, limits, &numbers); err != nil {
		return err
	}
	var value wire.Encoder
	value.Reset(wire.AppendDone(nil, wire.Done{Units: 1}), limits)
	value.Int(numbers.total)
	payload, err := value.Bytes()
	if err != nil {
		return err
	}
	return writer.Write(wire.KindDone, payload) // the first error of all the writes
}

// A sum is a Visitor that adds all integers of a value.
type sum struct {
	nothing
	total int64
}

func (s *sum) Int(i int64) error {
	s.total += i
	return nil
}

func ExampleEncoder() {
	var e wire.Encoder
	e.Reset(nil, wire.Limits{MaxDepth: 3, MaxBytes: 100})
	e.Dict(2)
	e.Key("id")
	e.Int(7)
	e.Key("tags")
	e.List(1)
	e.String("new")
	body, err := e.Bytes()
	fmt.Printf("% x %v\n", body, err)

	e.Reset(body[:0], wire.Limits{MaxDepth: 3, MaxBytes: 4})
	e.Dict(1)
	e.Key("id")
	e.String("too long")
	_, err = e.Bytes()
	fmt.Println(err)
	// Output:
	// a2 02 69 64 07 04 74 61 67 73 81 43 6e 65 77 <nil>
	// wire: too many bytes
}
