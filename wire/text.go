package wire

import "unicode/utf8"

// validText is utf8.ValidString, which takes the last bytes of a string one by one. Most strings are short and ASCII, and for
// those that is most of the time that it takes to encode them; here their last word overlaps the one before.
func validText(s string) bool {
	return isASCII(s) || utf8.ValidString(s)
}

func isASCII(s string) bool {
	switch n := len(s); {
	case n >= 8:
		rest := word(s[n-8:])
		for ; len(s) > 8; s = s[8:] {
			if (rest|word(s))&highBits != 0 {
				return false
			}
		}
		return rest&highBits == 0
	case n >= 4:
		return (half(s)|half(s[n-4:]))&(highBits>>32) == 0
	case n > 0:
		return s[0]|s[n/2]|s[n-1] < utf8.RuneSelf
	}
	return true
}

const highBits = 0x8080808080808080

// The compiler makes a single load of each of these.

func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func half(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}
