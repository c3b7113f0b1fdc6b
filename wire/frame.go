package wire

import (
	"encoding/binary"
	"fmt"
)

// Version is the version of the protocol that this package speaks. It travels in [Hello], the first frame of every conversation.
const Version = 1

// A Kind says what a frame is about.
type Kind byte

// The frames of a conversation, in the order of their first appearance. Who sends which is in PROTOCOL.md.
const (
	KindHello  Kind = 1 + iota // worker: the protocol's version and what is enforced
	KindSetup                  // parent: what the worker needs before a job
	KindReady                  // worker: set up and warm
	KindRun                    // parent: the job
	KindCall                   // worker: asks the parent for something while the job runs
	KindResult                 // parent: answers a Call
	KindDone                   // worker: the job's value
	KindFault                  // worker: why the job has none
)

var kindNames = [...]string{
	KindHello: "Hello", KindSetup: "Setup", KindReady: "Ready", KindRun: "Run",
	KindCall: "Call", KindResult: "Result", KindDone: "Done", KindFault: "Fault",
}

// String returns the kind's name, "Kind(9)" for one that has none.
func (k Kind) String() string {
	if k.known() {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", byte(k))
}

func (k Kind) known() bool { return k >= KindHello && k <= KindFault }

// A Frame is one message.
type Frame struct {
	Kind    Kind
	Payload []byte // belongs to the Reader and is valid until its next Next
}

// HeaderSize is the size of what precedes a payload: its length in four bytes, most significant first, and the kind.
const HeaderSize = 5

// Empty in [Caps] allows a kind whose payload is empty.
const Empty = -1

// Caps says which kinds are allowed as the next frame, and the largest payload of each. A kind that is left out (zero) is refused, one
// with [Empty] or any negative number must have no payload:
//
//	wire.Caps{wire.KindReady: wire.Empty, wire.KindFault: wire.MaxFaultEnvelope + 4096}
type Caps [KindFault + 1]int

// check returns the length of the payload that header announces, if caps let it pass.
func (c *Caps) check(header []byte) (int, error) {
	length, kind := binary.BigEndian.Uint32(header), Kind(header[4])
	limit := 0
	if kind.known() {
		limit = c[kind]
	}
	if limit == 0 || int64(length) > int64(min(max(limit, 0), MaxLength)) {
		return 0, &FrameError{Kind: kind, Length: int64(length), Cap: limit}
	}
	return int(length), nil
}
