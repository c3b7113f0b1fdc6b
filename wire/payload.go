package wire

import (
	"encoding/binary"
	"unicode/utf8"
)

// The largest size of what surrounds the variable parts of a payload. With the limits of those parts they give exact caps: a Call takes
// at most MaxCallEnvelope + the longest target + the longest arguments.
const (
	MaxHelloEnvelope  = binary.MaxVarintLen64
	MaxCallEnvelope   = binary.MaxVarintLen64 + binary.MaxVarintLen32
	MaxResultEnvelope = binary.MaxVarintLen64 + 1
	MaxDoneEnvelope   = binary.MaxVarintLen64
	MaxFaultEnvelope  = binary.MaxVarintLen64 + 1
)

// Hello opens a conversation.
type Hello struct {
	Version uint64
	Report  []byte // what the worker enforces, in the words of its owner
}

// Call asks the parent for something while a job runs.
type Call struct {
	Seq       uint64 // 1 for the first call of a job, one more for each
	Target    string // what is called: UTF-8
	Arguments []byte // the body of a value
}

// Result answers the call of the same Seq.
type Result struct {
	Seq   uint64
	Class byte   // 0: answered; otherwise why not
	Value []byte // the body of a value
}

// Done ends a job that has a value.
type Done struct {
	Units uint64 // the work that was counted
	Value []byte // the body of a value
}

// Fault ends a job that has none.
type Fault struct {
	Units  uint64 // the work that was counted
	Class  byte
	Detail string // UTF-8
}

// AppendHello appends the payload of a Hello. In this and the other payloads the last field takes all that remains, so it may be
// left out here and written as another part by [Writer.Write].
func AppendHello(dst []byte, h Hello) []byte {
	return append(binary.AppendUvarint(dst, h.Version), h.Report...)
}

// AppendCall appends the payload of a Call.
func AppendCall(dst []byte, c Call) []byte {
	dst = binary.AppendUvarint(dst, c.Seq)
	dst = binary.AppendUvarint(dst, uint64(len(c.Target)))
	return append(append(dst, c.Target...), c.Arguments...)
}

// AppendResult appends the payload of a Result.
func AppendResult(dst []byte, r Result) []byte {
	return append(append(binary.AppendUvarint(dst, r.Seq), r.Class), r.Value...)
}

// AppendDone appends the payload of a Done.
func AppendDone(dst []byte, d Done) []byte {
	return append(binary.AppendUvarint(dst, d.Units), d.Value...)
}

// AppendFault appends the payload of a Fault.
func AppendFault(dst []byte, f Fault) []byte {
	return append(append(binary.AppendUvarint(dst, f.Units), f.Class), f.Detail...)
}

// ParseHello parses the payload of a Hello. As with the other payloads, byte slices of the result are parts of the payload, and
// a payload that [AppendHello] does not write is a [*MalformedError].
func ParseHello(payload []byte) (Hello, error) {
	p := parser{payload: payload}
	h := Hello{Version: p.uvarint(), Report: p.rest()}
	return checked(h, &p)
}

// ParseCall parses the payload of a Call. Its Arguments are not looked at.
func ParseCall(payload []byte) (Call, error) {
	p := parser{payload: payload}
	c := Call{Seq: p.uvarint(), Target: p.text(p.uvarint()), Arguments: p.rest()}
	return checked(c, &p)
}

// ParseResult parses the payload of a Result. Its Value is not looked at.
func ParseResult(payload []byte) (Result, error) {
	p := parser{payload: payload}
	r := Result{Seq: p.uvarint(), Class: p.byte(), Value: p.rest()}
	return checked(r, &p)
}

// ParseDone parses the payload of a Done. Its Value is not looked at.
func ParseDone(payload []byte) (Done, error) {
	p := parser{payload: payload}
	d := Done{Units: p.uvarint(), Value: p.rest()}
	return checked(d, &p)
}

// ParseFault parses the payload of a Fault.
func ParseFault(payload []byte) (Fault, error) {
	p := parser{payload: payload}
	f := Fault{Units: p.uvarint(), Class: p.byte()}
	f.Detail = p.text(uint64(len(p.payload) - p.at))
	return checked(f, &p)
}

// A parser takes fields off a payload and keeps the first problem; what it returns after one is zero.
type parser struct {
	payload []byte
	at      int
	problem string
}

func checked[T any](parsed T, p *parser) (T, error) {
	if p.problem != "" {
		var zero T
		return zero, &MalformedError{Offset: p.at, Problem: p.problem}
	}
	return parsed, nil
}

func (p *parser) uvarint() uint64 {
	if p.problem != "" {
		return 0
	}
	n, size, problem := uvarint(p.payload[p.at:])
	p.at, p.problem = p.at+size, problem
	return n
}

func (p *parser) byte() byte {
	if p.problem != "" {
		return 0
	}
	if p.at == len(p.payload) {
		p.problem = "class is missing"
		return 0
	}
	p.at++
	return p.payload[p.at-1]
}

func (p *parser) text(length uint64) string {
	if p.problem != "" {
		return ""
	}
	if length > uint64(len(p.payload)-p.at) {
		p.problem = "length is more than what remains"
		return ""
	}
	raw := p.payload[p.at : p.at+int(length)]
	if !utf8.Valid(raw) {
		p.problem = "text is not UTF-8"
		return ""
	}
	p.at += int(length)
	return string(raw)
}

func (p *parser) rest() []byte {
	if p.problem != "" {
		return nil
	}
	return p.payload[p.at:len(p.payload):len(p.payload)]
}
