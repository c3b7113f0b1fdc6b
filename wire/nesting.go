package wire

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// A level is one open container.
type level struct {
	left     uint32 // events that it still takes: values of a list, keys and values of a dict
	dict     uint32 // 1 in a dict, where an even left waits for a key and an odd one for a value; 0 in a list
	firstKey uint32 // where its keys begin in nesting.keys
	table    uint32 // where its hash table begins in nesting.tables
	slots    uint32 // the size of that table, a power of two; 0 while there is none
	seen     uint64 // the fingerprints of its keys: a bit that is clear proves a key new
}

// A nesting is the containers that are open at one point of a value. The embedded level is the innermost one; the outermost is an
// imaginary list that takes exactly one value.
//
// Keys are remembered as offsets into the bytes of the value, where each stands behind its length. Since the length has only one form, two
// keys are equal exactly when their bytes with the length are, so an offset is all there is to store. Up to linearKeys are compared one by
// one; larger dicts get an open hash table with a random seed, so no choice of keys makes it slow. All levels share two stacks, which
// are kept for the next value.
type nesting struct {
	level
	stack  []level
	keys   []uint32
	tables []uint32 // offset + 1; 0 is a free slot
}

const (
	linearKeys = 16
	keptKeys   = 1 << 14 // scratch for more keys than this is not kept for the next value
	keptLevels = 1 << 10
)

var seed = maphash.MakeSeed()

func (n *nesting) reset() {
	if cap(n.keys) > keptKeys || cap(n.tables) > 4*keptKeys || cap(n.stack) > keptLevels {
		*n = nesting{}
	}
	n.level = level{left: 1}
	n.stack, n.keys, n.tables = n.stack[:0], n.keys[:0], n.tables[:0]
}

// valueDue reports whether the next event may be a value.
func (n *nesting) valueDue() bool { return n.left != 0 && n.left&n.dict == n.dict }

// keyDue reports whether the next event has to be a key.
func (n *nesting) keyDue() bool { return n.dict == 1 && n.left != 0 && n.left&1 == 0 }

// push opens a container that takes the given number of events, more than none.
func (n *nesting) push(events, dict uint32) {
	n.stack = append(n.stack, n.level)
	n.level = level{left: events, dict: dict, firstKey: uint32(len(n.keys)), table: uint32(len(n.tables))}
}

// pop closes every container that has become full.
func (n *nesting) pop() {
	for n.left == 0 && len(n.stack) > 0 {
		n.keys, n.tables = n.keys[:n.firstKey], n.tables[:n.table]
		n.level = n.stack[len(n.stack)-1]
		n.stack = n.stack[:len(n.stack)-1]
	}
}

// addKey records the key which, with its length, is text[from:], and reports whether it is new in the innermost dict.
func addKey[T string | []byte](n *nesting, text T, from int) bool {
	entry := text[from:]
	size := len(entry)
	bit := fingerprint(size, entry[size/2], entry[size-1])
	if n.seen&bit != 0 || n.slots != 0 {
		keys := n.keys[n.firstKey:]
		if len(keys) >= linearKeys {
			return addHashed(n, text, from)
		}
		for _, at := range keys {
			if string(text[at:int(at)+size]) == string(entry) {
				return false
			}
		}
	}
	n.seen |= bit
	n.keys = append(n.keys, uint32(from))
	return true
}

func fingerprint(size int, middle, last byte) uint64 {
	h := (uint32(size)<<16 | uint32(middle)<<8 | uint32(last)) * 0x9e3779b1
	return 1 << (h >> 26)
}

func addHashed[T string | []byte](n *nesting, text T, from int) bool {
	if n.slots == 0 {
		// left keys are still to come, so the table never grows. A table is only made while this dict is innermost: it lies on top.
		keys := n.keys[n.firstKey:]
		total := uint32(len(keys)) + n.left/2 + 1
		n.slots = 1 << bits.Len32(total+total/2)
		n.tables = slices.Grow(n.tables, int(n.slots))[:n.table+n.slots]
		clear(n.tables[n.table:])
		for _, at := range keys {
			insert(n, text[:from], int(at), keyLength(text, int(at)))
		}
	}
	return insert(n, text, from, len(text)-from)
}

// insert puts text[from:from+size] into the table unless it is there.
func insert[T string | []byte](n *nesting, text T, from, size int) bool {
	table := n.tables[n.table:]
	entry := text[from : from+size]
	for i := uint32(hash(entry)) & (n.slots - 1); ; i = (i + 1) & (n.slots - 1) {
		at := int(table[i]) - 1
		if at < 0 {
			table[i] = uint32(from) + 1
			return true
		}
		if at+size <= len(text) && string(text[at:at+size]) == string(entry) {
			return false
		}
	}
}

func hash[T string | []byte](entry T) uint64 {
	switch entry := any(entry).(type) {
	case string:
		return maphash.String(seed, entry)
	case []byte:
		return maphash.Bytes(seed, entry)
	}
	panic("unreachable")
}

// keyLength returns the length of a recorded key, its length bytes included.
func keyLength[T string | []byte](text T, from int) int {
	length, shift := 0, 0
	for i := from; ; i++ {
		length |= int(text[i]&0x7f) << shift
		if text[i] < 0x80 {
			return i + 1 - from + length
		}
		shift += 7
	}
}
