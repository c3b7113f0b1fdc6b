package wire

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
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
	buf      []byte // as long as it may be without a larger array or a look at the limit; what lies behind at is anything
	at       int    // where the next byte goes
	start    int    // where the body begins in buf
	end      int    // where it has to end at the latest
	maxDepth int
	err      error
}

var errNotReset = errors.New("wire: Encoder used before Reset")

// Reset makes the encoder ready for one value, to be appended to buf[:len(buf)]. The encoder owns buf until [Encoder.Bytes]. Bytes are
// counted from len(buf), so an envelope in front costs nothing. What lay between len(buf) and cap(buf) is lost.
func (e *Encoder) Reset(buf []byte, limits Limits) {
	e.reset()
	e.start, e.maxDepth, e.err = len(buf), limits.MaxDepth, limits.check()
	e.end = e.start + max(min(limits.MaxBytes, MaxLength-e.start), 0)
	e.append(buf)
	if e.err != nil {
		e.top.left = 0
	}
}

// append takes what an append to written has made of it.
func (e *Encoder) append(buf []byte) { e.buf, e.at = buf[:min(cap(buf), e.end)], len(buf) }

func (e *Encoder) written() []byte { return e.buf[:e.at] }

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
	return e.written(), nil
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
	tag, magnitude := byte(tagLongInt), uint64(i)
	if i < 0 {
		tag, magnitude = tagLongNeg, uint64(^i)
	}
	if e.at >= len(e.buf)-binary.MaxVarintLen64 || !e.top.valueDue() {
		if err := e.prepare(1 + uvarintLength(magnitude)); err != nil {
			return err
		}
	}
	e.buf[e.at] = tag
	e.at += 1 + binary.PutUvarint(e.buf[e.at+1:], magnitude)
	return e.wrote()
}

// Float writes a float, which has to be finite. A negative zero stays one.
func (e *Encoder) Float(f float64) error {
	if e.at >= len(e.buf)-8 || f-f != 0 || !e.top.valueDue() { // f-f is not zero for NaN and the infinities
		if f-f != 0 {
			return e.notFinite()
		}
		if err := e.prepare(9); err != nil {
			return err
		}
	}
	room := e.buf[e.at : e.at+9]
	room[0] = tagFloat
	binary.BigEndian.PutUint64(room[1:], math.Float64bits(f))
	e.at += 9
	return e.wrote()
}

func (e *Encoder) notFinite() error {
	if !e.due() {
		return e.refuse()
	}
	return e.malformed("float is not finite")
}

// String writes a string, which has to be valid UTF-8.
func (e *Encoder) String(s string) error {
	if len(s) >= shortTexts || len(s) >= len(e.buf)-e.at || !e.top.valueDue() || !validText(s) {
		return e.anyString(s)
	}
	e.buf[e.at] = tagString | byte(len(s))
	e.at += 1 + copy(e.buf[e.at+1:], s)
	return e.wrote()
}

// anyString is for strings that are long, come to the end of the buffer or are refused.
func (e *Encoder) anyString(s string) error {
	size := 1 + len(s)
	if len(s) >= shortTexts {
		size += uvarintLength(uint64(len(s)))
	}
	switch {
	case !e.due():
		return e.refuse()
	case size > e.end-e.at:
		return e.fail(ErrSize)
	case !validText(s):
		return e.malformed("string is not UTF-8")
	case len(s) < shortTexts:
		e.append(append(append(e.written(), tagString|byte(len(s))), s...))
	default:
		e.append(append(binary.AppendUvarint(append(e.written(), tagLongText), uint64(len(s))), s...))
	}
	return e.wrote()
}

// List opens a list of n values.
func (e *Encoder) List(n int) error { return e.open(n, n, valuesOnly, tagList, tagLongList) }

// Dict opens a dict of n pairs.
func (e *Encoder) Dict(n int) error {
	if uint(n-1) < shortCounts-1 && 2*n < len(e.buf)-e.at && e.top.valueDue() && fits(e.depth, n, e.maxDepth) {
		// As most are; open takes half as long again.
		e.buf[e.at] = tagDict | byte(n)
		e.at++
		e.top.left--
		e.push(uint32(2*n), keysAndValues)
		return nil
	}
	if n > MaxLength/2 {
		return e.fail(ErrSize)
	}
	return e.open(n, 2*n, keysAndValues, tagDict, tagLongDict)
}

// Key writes the key of the value that follows.
func (e *Encoder) Key(key string) error {
	top := e.top
	if len(e.buf)-e.at < max(len(name{}.form), 1+len(key)) || !top.keyDue() || int(top.count) >= len(top.names) {
		return e.newKey(key)
	}
	expected := &top.names[top.count]
	if expected.key != key {
		return e.newKey(key)
	}
	*(*[len(expected.form)]byte)(e.buf[e.at:]) = expected.form
	if len(key) >= len(expected.form) {
		copy(e.buf[e.at+1:], key)
	}
	top.left--
	top.count++
	e.at += 1 + len(key)
	return nil
}

func (e *Encoder) newKey(key string) error {
	switch {
	case e.top == nil || !e.top.keyDue():
		return e.refuse()
	case len(key) > e.end-e.at-uvarintLength(uint64(len(key))):
		return e.fail(ErrSize)
	case !validText(key):
		return e.malformed("key is not UTF-8")
	}
	from := e.at - e.start
	e.append(append(binary.AppendUvarint(e.written(), uint64(len(key))), key...))
	if !addKey(&e.nesting, e.written()[e.start:], from) {
		return e.malformed("dict repeats a key")
	}
	e.top.remember(key)
	e.top.left--
	return nil
}

func (e *Encoder) single(b byte) error {
	if e.at >= len(e.buf) || !e.top.valueDue() {
		if err := e.prepare(1); err != nil {
			return err
		}
	}
	e.buf[e.at] = b
	e.at++
	return e.wrote()
}

func (e *Encoder) open(n, events int, due uint32, short, long byte) error {
	switch {
	case !e.due():
		return e.refuse()
	case n < 0:
		return e.malformed("count is negative")
	case !fits(e.depth, n, e.maxDepth):
		return e.fail(ErrDepth)
	case events > e.end-e.at-1:
		return e.fail(ErrSize)
	case n < shortCounts:
		e.append(append(e.written(), short|byte(n)))
	default:
		e.append(binary.AppendUvarint(append(e.written(), long), uint64(n)))
	}
	if n == 0 {
		return e.wrote()
	}
	e.top.left--
	e.push(uint32(events), due)
	return nil
}

// fits reports whether a container of n elements may be opened within open others. It answers for the elements too, which
// spares every scalar the question.
func fits(open, n, maxDepth int) bool {
	return open+1+min(n, 1) <= maxDepth
}

// due reports whether the next event may be a value. The events themselves ask top: where there is room, there was a Reset.
func (e *Encoder) due() bool { return e.top != nil && e.top.valueDue() }

// prepare makes room for n bytes of a value, or says why there is none.
func (e *Encoder) prepare(n int) error {
	if !e.due() {
		return e.refuse()
	}
	if n > e.end-e.at {
		return e.fail(ErrSize)
	}
	e.append(slices.Grow(e.written(), n))
	return nil
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
	return e.fail(&MalformedError{Offset: e.at - e.start, Problem: problem})
}

// fail keeps the first error and leaves no event due, so that the checks of the events find the error without looking for it.
func (e *Encoder) fail(err error) error {
	if e.err == nil {
		e.err = err
		if e.top != nil {
			e.top.left = 0
		}
	}
	return e.err
}
