package wire

// A Visitor receives one value as a series of events. Whoever reads a value calls it; whoever builds one implements it.
//
// List and Dict announce how many elements follow and have no end event: a list of n is followed by n values, a dict of n by n times a
// Key and a value. The first error ends the walk at once, and the walker returns it unchanged.
type Visitor interface {
	Null() error
	Bool(bool) error
	Int(int64) error
	Float(float64) error
	String(string) error
	List(n int) error
	Dict(n int) error
	Key(string) error
}

// The first byte of a value. Small values live in it.
const (
	tagInt      = 0x00 // 00–3f: the integers 0 to 63
	tagString   = 0x40 // 40–7f: a string of 0 to 63 bytes
	tagList     = 0x80 // 80–9f: a list of 0 to 31 values
	tagDict     = 0xa0 // a0–bf: a dict of 0 to 31 pairs
	tagNull     = 0xc0
	tagFalse    = 0xc1
	tagTrue     = 0xc2
	tagFloat    = 0xc3 // eight bytes, IEEE 754, most significant first
	tagLongInt  = 0xc4 // varint n: the integer n, at least 64
	tagLongNeg  = 0xc5 // varint n: the integer −1 − n, n at least 16
	tagLongText = 0xc6 // varint n: a string of n bytes, at least 64
	tagLongList = 0xc7 // varint n: a list of n values, at least 32
	tagLongDict = 0xc8 // varint n: a dict of n pairs, at least 32
	tagNeg      = 0xd0 // d0–df: the integers −1 to −16

	shortInts   = tagString - tagInt
	shortTexts  = tagList - tagString
	shortCounts = tagDict - tagList
	shortNegs   = 0x10
)
