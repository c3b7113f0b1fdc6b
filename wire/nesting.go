package wire

import (
	"hash/maphash"
	"math/bits"
	"slices"
)

// A level is one open container.
type level struct {
	left  uint32 // events that it still takes: values of a list, keys and values of a dict
	due   uint32 // a value may come while left has any of these bits
	table uint32 // where its hash table begins in nesting.tables
	count uint32 // the keys of the dict so far
	slots uint32 // the size of that table, a power of two; 0 while there is none
	seen  uint64 // the fingerprints of the keys: a bit that is clear proves a key new; 0 while all of them are as in the dict before

	// keys has the offsets of the count keys. As long as these are the same as those of the dict before, at the same depth of the same
	// value, the other keys of that dict follow them: they are valid and differ from each other, so a dict that repeats its
	// sequence of keys, as the elements of most lists do, is spared the checks.
	keys []uint32

	// names has the first of these keys as the strings that an encoder was given; all shorter than 128 bytes.
	names []name
}

// A name is a key that may come again. To copy an array takes half the time of copying a string.
type name struct {
	key  string
	form [16]byte // the beginning of the encoded key
}

const (
	valuesOnly    = ^uint32(0) // a list waits for a value until none is left
	keysAndValues = 1          // a dict waits for a value while left is odd, for a key while it is even
)

// A nesting is the containers that are open at one point of a value. The outermost level is an imaginary list that takes exactly one value.
//
// Keys are remembered as offsets into the bytes of the value, where each stands behind its length. Since the length has only one form, two
// keys are equal exactly when their bytes with the length are, so an offset is all there is to store. Up to linearKeys are compared one by
// one; larger dicts get an open hash table with a random seed, so no choice of keys makes it slow.
type nesting struct {
	top    *level // &levels[depth]
	depth  int    // the containers that are open
	levels []level
	tables []uint32 // the tables of the open dicts, one after the other: offset + 1; 0 is a free slot
}

const (
	linearKeys = 16
	keptLevels = 256     // deeper stacks than this are not kept for the next value,
	keptSlots  = 1 << 14 // nor are larger tables,
	keptKeys   = 1 << 12 // nor more keys of one level
	keptNames  = 64
)

var seed = maphash.MakeSeed()

// reset makes the nesting ready for one value.
func (n *nesting) reset() {
	if len(n.levels) > keptLevels {
		n.levels = nil
	}
	if cap(n.tables) > keptSlots {
		n.tables = nil
	}
	for i := range n.levels {
		l := &n.levels[i]
		if cap(l.keys) > keptKeys {
			l.keys = nil
		}
		l.keys = l.keys[:0]
		clear(l.names)
		l.names = l.names[:0]
	}
	if len(n.levels) == 0 {
		n.levels = make([]level, 1, 8)
	}
	n.depth, n.tables = 0, n.tables[:0]
	n.top = &n.levels[0]
	n.top.left, n.top.due = 1, valuesOnly
}

// valueDue reports whether the next event may be a value.
func (l *level) valueDue() bool { return l.left&l.due != 0 }

// keyDue reports whether the next event has to be a key.
func (l *level) keyDue() bool { return l.left&l.due == 0 && l.left != 0 }

// push opens a container that takes the given number of events, more than none.
func (n *nesting) push(events, due uint32) {
	n.depth++
	if n.depth == len(n.levels) {
		n.levels = append(n.levels, level{})
	}
	l := &n.levels[n.depth]
	l.left, l.due, l.count, l.table, l.slots, l.seen = events, due, 0, uint32(len(n.tables)), 0, 0
	n.top = l
}

// pop closes every container that has become full.
func (n *nesting) pop() {
	for n.top.left == 0 && n.depth > 0 {
		if n.top.slots != 0 {
			n.tables = n.tables[:n.top.table]
		}
		n.depth--
		n.top = &n.levels[n.depth]
	}
}

// expected returns the offset of the key that would continue the sequence of the dict before, -1 if there is none. A key that is the
// expected one is recorded by counting it: the offsets of the dict before serve this one as well.
func (l *level) expected() int {
	if int(l.count) < len(l.keys) {
		return int(l.keys[l.count])
	}
	return -1
}

// remember notes the string of the key that was added last.
func (l *level) remember(key string) {
	i := int(l.count) - 1
	if i < len(l.names) {
		clear(l.names[i:])
		l.names = l.names[:i]
	}
	if i == len(l.names) && i < keptNames && len(key) < 0x80 {
		n := name{key: key}
		n.form[0] = byte(len(key))
		copy(n.form[1:], key)
		l.names = append(l.names, n)
	}
}

// addKey records the key which, with its length, is text[from:], and reports whether it is new in the innermost dict.
func addKey[T string | []byte](n *nesting, text T, from int) bool {
	l := n.top
	entry := text[from:]
	l.keys = l.keys[:l.count]
	if l.seen == 0 {
		for _, at := range l.keys {
			l.seen |= fingerprint(text[at : int(at)+keyLength(text, int(at))])
		}
	}
	bit := fingerprint(entry)
	if l.seen&bit != 0 || l.slots != 0 {
		if len(l.keys) >= linearKeys {
			if !addHashed(n, text, from) {
				return false
			}
		} else {
			for _, at := range l.keys {
				if string(text[at:int(at)+len(entry)]) == string(entry) {
					return false
				}
			}
		}
	}
	l.seen |= bit
	l.keys = append(l.keys, uint32(from))
	l.count++
	return true
}

func fingerprint[T string | []byte](entry T) uint64 {
	size := len(entry)
	h := (uint32(size)<<16 | uint32(entry[size/2])<<8 | uint32(entry[size-1])) * 0x9e3779b1
	return 1 << (h >> 26)
}

func addHashed[T string | []byte](n *nesting, text T, from int) bool {
	l := n.top
	if l.slots == 0 {
		// left keys are still to come, so the table never grows. A table is only made while its dict is innermost: it lies on top.
		total := l.count + l.left/2 + 1
		l.slots = 1 << bits.Len32(total+total/2)
		n.tables = slices.Grow(n.tables, int(l.slots))[:l.table+l.slots]
		clear(n.tables[l.table:])
		for _, at := range l.keys {
			insert(n, text[:from], int(at), keyLength(text, int(at)))
		}
	}
	return insert(n, text, from, len(text)-from)
}

// insert puts text[from:from+size] into the table unless it is there. All keys in the table begin before from.
func insert[T string | []byte](n *nesting, text T, from, size int) bool {
	table := n.tables[n.top.table:]
	mask := n.top.slots - 1
	entry := text[from : from+size]
	for i := uint32(hash(entry)) & mask; ; i = (i + 1) & mask {
		at := int(table[i]) - 1
		if at < 0 {
			table[i] = uint32(from) + 1
			return true
		}
		if string(text[at:at+size]) == string(entry) {
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
