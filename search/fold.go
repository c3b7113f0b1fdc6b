package search

import (
	"cmp"
	"unicode"
	"unicode/utf8"
)

// compareFold orders two names without regard to case. It returns 0 exactly
// when strings.EqualFold reports true.
func compareFold(a, b string) int {
	for a != "" && b != "" {
		x, sizeA := utf8.DecodeRuneInString(a)
		y, sizeB := utf8.DecodeRuneInString(b)
		if x != y {
			if order := cmp.Compare(foldRune(x), foldRune(y)); order != 0 {
				return order
			}
		}
		a, b = a[sizeA:], b[sizeB:]
	}
	return cmp.Compare(len(a), len(b))
}

// foldRune returns the smallest rune that differs from r in case only.
func foldRune(r rune) rune {
	if 'a' <= r && r <= 'z' {
		return r - ('a' - 'A')
	}
	if r < utf8.RuneSelf {
		return r
	}
	smallest := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		smallest = min(smallest, next)
	}
	return smallest
}
