// Package wire is the protocol between a parent and a worker process: length-prefixed frames, and a compact, exact encoding of values.
//
//	var enc wire.Encoder
//	enc.Reset(wire.AppendResult(buf[:0], wire.Result{Seq: call.Seq}), wire.Limits{MaxDepth: 32, MaxBytes: 1 << 20})
//	enc.Dict(2)
//	enc.Key("id")
//	enc.Int(7)
//	enc.Key("tags")
//	enc.List(0)
//	buf, err := enc.Bytes() // the first error of all the above
//	if err == nil {
//		err = writer.Write(wire.KindResult, buf)
//	}
//
// # Frames
//
// A frame is a kind and a payload:
//
//	+--------+------+-----------------+
//	| length | kind | payload         |
//	| 4 bytes| 1    | length bytes    |
//	+--------+------+-----------------+
//
// A [Writer] writes each frame with one call of Write. A [Reader] is told with every Next which kinds may come and how long each may be
// ([Caps]). It decides on the header alone, so a peer that announces a gigabyte, or speaks out of turn, costs nothing. What the caps are
// at each point of a conversation is the state machine in PROTOCOL.md, which is also enough to write a worker in another language.
//
// Hello, Call, Result, Done and Fault have typed payloads with a pair of functions each, such as [AppendCall] and [ParseCall]; those of Setup and
// Run are any bytes, that of Ready is empty. The envelope constants, such as [MaxCallEnvelope], turn the limits of the parts into the caps of
// frames.
//
// # Values
//
// A value is null, a boolean, an int64, a finite float64, a string of valid UTF-8, a list of values, or a dict of string keys and values
// whose order is kept. Integers and floats stay apart, and a negative zero stays negative. There is exactly one encoding of each value.
//
// Nothing here holds a value in memory. [Decode] reads bytes and pushes events into a [Visitor]; an [Encoder] is the Visitor that writes
// bytes. Whoever has values of some kind, such as Go structs or those of an interpreter, writes one walker that pushes them into a Visitor and one
// Visitor that builds them, and can convert to and from everything else that does the same. The interface has only plain Go types,
// so a package can declare its own copy instead of importing this one.
//
// # Limits
//
// [Limits] bound depth and bytes, both inclusive. A scalar has depth 1, a container one more than the deepest value inside it, an empty one
// 1. Bytes are those of the body alone, not of the frame around it. Both sides count in the same way: what an Encoder accepts within some
// limits, Decode accepts within the same.
//
//	value                      depth   bytes
//	null, true, 7, "a"         1       1, 1, 1, 2
//	[]                         1       1
//	[7]                        2       2
//	{"id": [7]}                3       6
//
// # Untrusted bytes
//
// Decode and Next may be given anything. They do not panic, do not recurse, and take time and memory in proportion to the bytes that
// are really there: Decode less than eight times the body, which is one copy of it and what it needs to remember the keys of dicts, and some for
// each level of depth; Next no more than a frame within its caps. Counts are checked against what remains before a
// Visitor hears of them, so it may allocate by them. Repeated keys are found by comparison in small dicts and through a hash with
// a random seed in large ones, which no choice of keys makes slow; the Encoder checks the same. A dict with the keys of the one before it, as
// in most lists of records, is spared all of that.
//
// # Concurrency
//
// Reader, Writer and Encoder belong to one goroutine at a time. Functions are safe for concurrent use.
//
// # What it is not
//
// It is not a format for storage: [Version] is that of both sides of a pipe, which are the same program as a rule. It has no schema, no
// timestamps, no byte strings, no integers past 64 bits, no streams inside a value, no compression. It starts no process and enforces no order of frames:
// that is the work of package sandbox.
package wire
