package wire

import "unicode/utf8"

// validText is utf8.ValidString, made for strings that are short and ASCII, as most are. The library's takes the last bytes of
// those one by one, which was most of the time it took to encode them; here the last word overlaps the one before.
func validText(s string) bool {
	switch n := len(s); {
	case n >= 8:
		last := word(s[n-8:])
		for rest := s; len(rest) > 8 && last&highBits == 0; rest = rest[8:] {
			last |= word(rest)
		}
		if last&highBits == 0 {
			return true
		}
	case n >= 4:
		if (half(s)|half(s[n-4:]))&(highBits>>32) == 0 {
			return true
		}
	case n == 0 || s[0]|s[n/2]|s[n-1] < utf8.RuneSelf:
		return true
	}
	return utf8.ValidString(s)
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
