package wire

import (
	"encoding/binary"
	"errors"
	"math"
)

// An Encoder is the [Visitor] that writes one value as bytes. It is made ready by [Encoder.Reset] and reused; once its buffers are warm it
// allocates nothing. It is not safe for concurrent use.
//
// Every event is checked before it is written: depth and size (the first event that passes a limit gets [ErrDepth] or
// [ErrSize], so that a walker of a shared graph stops there), UTF-8, finite floats, repeated keys, and that the
// events are one value ([ErrMalformed]). A count that cannot fit into what is left of MaxBytes passes the limit already when it is announced,
// and a container whose elements would lie too deep when it is opened. The first error stays: all later events return it.
type Encoder struct {
	nesting
	buf      []byte
	start    int // where the body begins in buf
	end      int // where it has to end at the latest
	maxDepth int
	err      error
}

var errNotReset = errors.New("wire: Encoder used before Reset")

// Reset makes the encoder ready for one value, to be appended to buf[:len(buf)]. The encoder owns buf until [Encoder.Bytes]. Bytes are
// counted from len(buf), so an envelope in front costs nothing.
func (e *Encoder) Reset(buf []byte, limits Limits) {
	e.reset()
	e.buf, e.start, e.maxDepth, e.err = buf, len(buf), limits.MaxDepth, limits.check()
	e.end = e.start + min(limits.MaxBytes, MaxLength-e.start)
	if e.err != nil {
		e.top.left = 0
	}
}

// Bytes returns the buffer given to Reset with the value appended. Unless exactly one complete value was written it returns the
// buffer without the value, for reuse, and the first error.
func (e *Encoder) Bytes() ([]byte, error) {
	switch {
	case e.err != nil:
		return e.buf[:e.start], e.err
	case e.top == nil:
		return nil, errNotReset
	case e.top.left != 0:
		return e.buf[:e.start], e.malformed("value is incomplete")
	}
	return e.buf, nil
}

// Null writes a null.
func (e *Encoder) Null() error { return e.single(tagNull) }

// Bool writes a boolean.
func (e *Encoder) Bool(b bool) error {
	if b {
		return e.single(tagTrue)
	}
	return e.single(tagFalse)
}

// Int writes an integer.
func (e *Encoder) Int(i int64) error {
	if uint64(i) < shortInts {
		return e.single(byte(i))
	}
	if ^i >= 0 && ^i < shortNegs {
		return e.single(tagNeg | byte(^i))
	}
	if !e.top.valueDue() {
		return e.refuse()
	}
	tag, magnitude := byte(tagLongInt), uint64(i)
	if i < 0 {
		tag, magnitude = tagLongNeg, uint64(^i)
	}
	if 1+uvarintLength(magnitude) > e.end-len(e.buf) {
		return e.fail(ErrSize)
	}
	e.buf = binary.AppendUvarint(append(e.buf, tag), magnitude)
	return e.wrote()
}

// Float writes a float, which has to be finite. A negative zero stays one.
func (e *Encoder) Float(f float64) error {
	if !e.top.valueDue() {
		return e.refuse()
	}
	if f-f != 0 { // NaN and the infinities
		return e.malformed("float is not finite")
	}
	if 9 > e.end-len(e.buf) {
		return e.fail(ErrSize)
	}
	e.buf = binary.BigEndian.AppendUint64(append(e.buf, tagFloat), math.Float64bits(f))
	return e.wrote()
}

// String writes a string, which has to be valid UTF-8.
func (e *Encoder) String(s string) error {
	if !e.top.valueDue() {
		return e.refuse()
	}
	if len(s) >= shortTexts {
		return e.longString(s)
	}
	if len(s) >= e.end-len(e.buf) {
		return e.fail(ErrSize)
	}
	if !validText(s) {
		return e.malformed("string is not UTF-8")
	}
	e.buf = append(append(e.buf, tagString|byte(len(s))), s...)
	return e.wrote()
}

func (e *Encoder) longString(s string) error {
	if len(s) > e.end-len(e.buf)-1-uvarintLength(uint64(len(s))) {
		return e.fail(ErrSize)
	}
	if !validText(s) {
		return e.malformed("string is not UTF-8")
	}
	e.buf = append(binary.AppendUvarint(append(e.buf, tagLongText), uint64(len(s))), s...)
	return e.wrote()
}

// List opens a list of n values.
func (e *Encoder) List(n int) error { return e.open(n, n, 0, tagList, tagLongList) }

// Dict opens a dict of n pairs.
func (e *Encoder) Dict(n int) error {
	if n > MaxLength/2 {
		return e.fail(ErrSize)
	}
	return e.open(n, 2*n, 1, tagDict, tagLongDict)
}

// Key writes the key of the value that follows.
func (e *Encoder) Key(key string) error {
	top := e.top
	if !top.keyDue() {
		return e.refuse()
	}
	if len(key) >= e.end-len(e.buf) || !top.expects(key) {
		return e.newKey(key)
	}
	top.left--
	top.count++
	e.buf = append(append(e.buf, byte(len(key))), key...)
	return nil
}

func (e *Encoder) newKey(key string) error {
	if len(key) > e.end-len(e.buf)-uvarintLength(uint64(len(key))) {
		return e.fail(ErrSize)
	}
	if !validText(key) {
		return e.malformed("key is not UTF-8")
	}
	from := len(e.buf) - e.start
	e.buf = append(binary.AppendUvarint(e.buf, uint64(len(key))), key...)
	if !addKey(&e.nesting, e.buf[e.start:], from) {
		return e.malformed("dict repeats a key")
	}
	e.top.remember(key)
	e.top.left--
	return nil
}

func (e *Encoder) single(b byte) error {
	if !e.top.valueDue() {
		return e.refuse()
	}
	if len(e.buf) >= e.end {
		return e.fail(ErrSize)
	}
	e.buf = append(e.buf, b)
	return e.wrote()
}

func (e *Encoder) open(n, events int, dict uint32, short, long byte) error {
	if !e.top.valueDue() {
		return e.refuse()
	}
	if n < 0 {
		return e.malformed("count is negative")
	}
	if !fits(e.depth, n, e.maxDepth) {
		return e.fail(ErrDepth)
	}
	if room := e.end - len(e.buf) - 1; events > room {
		return e.fail(ErrSize)
	}
	if n < shortCounts {
		e.buf = append(e.buf, short|byte(n))
	} else {
		e.buf = binary.AppendUvarint(append(e.buf, long), uint64(n))
	}
	e.top.left--
	if n > 0 {
		e.push(uint32(events), dict)
		return nil
	}
	if e.top.left == 0 {
		e.pop()
	}
	return nil
}

// fits reports whether a container of n elements may be opened within open others. It answers for the elements too, which
// spares every scalar the question.
func fits(open, n, maxDepth int) bool {
	return open+1+min(n, 1) <= maxDepth
}

// wrote counts a value.
func (e *Encoder) wrote() error {
	left := e.top.left - 1
	e.top.left = left
	if left == 0 {
		e.pop()
	}
	return nil
}

// refuse answers an event that comes out of turn, or after an error.
func (e *Encoder) refuse() error {
	switch {
	case e.err != nil:
		return e.err
	case e.top == nil:
		return errNotReset
	case e.top.keyDue():
		return e.malformed("value where a key is due")
	case e.top.left != 0:
		return e.malformed("key where a value is due")
	}
	return e.malformed("more than one value")
}

func (e *Encoder) malformed(problem string) error {
	return e.fail(&MalformedError{Offset: len(e.buf) - e.start, Problem: problem})
}

// fail keeps the first error and leaves no event due, so that the checks of the events find the error without looking for it.
func (e *Encoder) fail(err error) error {
	if e.err == nil {
		e.err = err
		if e.top != nil {
			e.top.left, e.top.dict = 0, 0
		}
	}
	return e.err
}

func uvarintLength(u uint64) int {
	n := 1
	for ; u >= 0x80; u >>= 7 {
		n++
	}
	return n
}
