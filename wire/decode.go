package wire

import (
	"encoding/binary"
	"math"
	"strings"
	"sync"
)

// Decode pushes the one value that body holds into v, in the order of the bytes.
//
// It fails with [ErrSize] before it looks at a body that is too long, with [ErrDepth] on a container that is too deep or whose elements
// would be, and with [ErrMalformed] on anything that an [Encoder] does not write: there is one encoding of each value. What v returns ends
// the walk and is returned as it is. v may have seen the beginning of a value that turns out to be malformed; what it built then is void.
//
// The counts of all open containers together never exceed the bytes that remain, so v may allocate by them. The strings are parts of one
// copy of body, which stays in memory as long as any of them; clone what lives longer. That copy is the only allocation.
// Calls of Decode are independent of each other and safe for concurrent use, also from within v.
func Decode(body []byte, limits Limits, v Visitor) error {
	if err := limits.check(); err != nil {
		return err
	}
	if len(body) > min(limits.MaxBytes, MaxLength) {
		return ErrSize
	}
	d := decoders.Get().(*decoder)
	d.reset()
	d.text, d.v, d.at, d.owed, d.maxDepth = string(body), v, 0, 1, limits.MaxDepth
	err := d.run()
	d.text, d.v = "", nil
	decoders.Put(d)
	return err
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

type decoder struct {
	nesting
	text     string
	at       int // the next byte
	owed     int // keys and values that the open containers still need; each has at least one byte
	maxDepth int
	v        Visitor
}

func (d *decoder) run() error {
	for d.top.left > 0 {
		if d.top.keyDue() {
			if err := d.key(); err != nil {
				return err
			}
		}
		if d.at >= len(d.text) {
			return d.malformed("value is cut short")
		}
		tag := d.text[d.at]
		d.at++
		d.top.left--
		d.owed--
		if err := d.value(tag); err != nil {
			return err
		}
		if d.top.left == 0 {
			d.pop()
		}
	}
	if d.at < len(d.text) {
		return d.malformed("bytes after the value")
	}
	return nil
}

func (d *decoder) value(tag byte) error {
	switch {
	case tag < tagString:
		return d.v.Int(int64(tag))
	case tag < tagList:
		return d.string(uint64(tag & (shortTexts - 1)))
	case tag < tagDict:
		return d.list(int(tag & (shortCounts - 1)))
	case tag < tagNull:
		return d.dictionary(int(tag & (shortCounts - 1)))
	case tag >= tagNeg && tag < tagNeg+shortNegs:
		return d.v.Int(^int64(tag & (shortNegs - 1)))
	}
	switch tag {
	case tagNull:
		return d.v.Null()
	case tagFalse, tagTrue:
		return d.v.Bool(tag == tagTrue)
	case tagFloat:
		return d.float()
	case tagLongInt, tagLongNeg:
		return d.int(tag)
	case tagLongText, tagLongList, tagLongDict:
		return d.long(tag)
	}
	d.at--
	return d.malformed("first byte of no value")
}

func (d *decoder) float() error {
	if len(d.text)-d.at < 8 {
		return d.malformed("float is cut short")
	}
	var b [8]byte
	copy(b[:], d.text[d.at:])
	f := math.Float64frombits(binary.BigEndian.Uint64(b[:]))
	if f-f != 0 {
		return d.malformed("float is not finite")
	}
	d.at += 8
	return d.v.Float(f)
}

func (d *decoder) int(tag byte) error {
	n, err := d.uvarint()
	if err != nil {
		return err
	}
	if n > math.MaxInt64 {
		return d.malformed("integer is out of range")
	}
	if tag == tagLongNeg {
		if n < shortNegs {
			return d.malformed("integer has a shorter form")
		}
		return d.v.Int(^int64(n))
	}
	if n < shortInts {
		return d.malformed("integer has a shorter form")
	}
	return d.v.Int(int64(n))
}

// long reads a value whose length or count did not fit into its first byte.
func (d *decoder) long(tag byte) error {
	n, err := d.uvarint()
	if err != nil {
		return err
	}
	switch {
	case tag == tagLongText && n < shortTexts, tag != tagLongText && n < shortCounts:
		return d.malformed("length has a shorter form")
	case n > uint64(len(d.text)-d.at):
		return d.malformed("length is more than what remains")
	case tag == tagLongText:
		return d.string(n)
	case tag == tagLongList:
		return d.list(int(n))
	}
	return d.dictionary(int(n))
}

func (d *decoder) string(n uint64) error {
	s, err := d.take(n)
	if err != nil {
		return err
	}
	return d.v.String(s)
}

func (d *decoder) list(n int) error {
	if err := d.open(n, int64(n), valuesOnly); err != nil {
		return err
	}
	return d.v.List(n)
}

func (d *decoder) dictionary(n int) error {
	if err := d.open(n, 2*int64(n), keysAndValues); err != nil {
		return err
	}
	return d.v.Dict(n)
}

func (d *decoder) open(n int, events int64, due uint32) error {
	if !fits(d.depth, n, d.maxDepth) {
		return ErrDepth
	}
	if events > int64(len(d.text)-d.at-d.owed) {
		return d.malformed("count is more than what remains")
	}
	if n > 0 {
		d.owed += int(events)
		d.push(uint32(events), due)
	}
	return nil
}

func (d *decoder) key() error {
	if at := d.top.expected(); at >= 0 {
		if end := at + 1 + int(d.text[at]); d.text[at] < 0x80 && strings.HasPrefix(d.text[d.at:], d.text[at:end]) {
			d.top.count++
			d.top.left--
			d.owed--
			d.at += end - at
			return d.v.Key(d.text[at+1 : end])
		}
	}
	return d.newKey()
}

func (d *decoder) newKey() error {
	from := d.at
	n, err := d.uvarint()
	if err != nil {
		return err
	}
	key, err := d.take(n)
	if err != nil {
		return err
	}
	if !addKey(&d.nesting, d.text[:d.at], from) {
		return d.malformed("dict repeats a key")
	}
	d.top.left--
	d.owed--
	return d.v.Key(key)
}

// take returns the next n bytes as text.
func (d *decoder) take(n uint64) (string, error) {
	if n > uint64(len(d.text)-d.at) {
		return "", d.malformed("length is more than what remains")
	}
	s := d.text[d.at : d.at+int(n)]
	if !validText(s) {
		return "", d.malformed("text is not UTF-8")
	}
	d.at += int(n)
	return s, nil
}

func (d *decoder) uvarint() (uint64, error) {
	if d.at < len(d.text) && d.text[d.at] < 0x80 {
		d.at++
		return uint64(d.text[d.at-1]), nil
	}
	n, size, problem := uvarint(d.text[d.at:])
	if problem != "" {
		return 0, d.malformed(problem)
	}
	d.at += size
	return n, nil
}

func (d *decoder) malformed(problem string) error {
	return &MalformedError{Offset: d.at, Problem: problem}
}

func uvarintLength(u uint64) int {
	n := 1
	for ; u >= 0x80; u >>= 7 {
		n++
	}
	return n
}

// uvarint reads an unsigned LEB128 number in its shortest form.
func uvarint[T string | []byte](text T) (n uint64, size int, problem string) {
	for i := range min(len(text), binary.MaxVarintLen64) {
		b := text[i]
		if b < 0x80 {
			if b == 0 && i > 0 {
				return 0, 0, "varint has a shorter form"
			}
			if i == binary.MaxVarintLen64-1 && b > 1 {
				return 0, 0, "varint is out of range"
			}
			return n | uint64(b)<<(7*i), i + 1, ""
		}
		n |= uint64(b&0x7f) << (7 * i)
	}
	if len(text) >= binary.MaxVarintLen64 {
		return 0, 0, "varint is out of range"
	}
	return 0, 0, "varint is cut short"
}
