package linediff

import "bytes"

// A Script tells which lines of two texts belong to no common line.
type Script struct {
	// Old and New are the lines of both texts, line ends included.
	Old, New [][]byte
	// Removed and Added have an element for each line of Old and New.
	Removed, Added []bool
}

// Compare compares two texts. The script's lines share their memory.
func Compare(old, new []byte) Script {
	s := Script{Old: Split(old), New: Split(new)}
	s.Removed = make([]bool, len(s.Old))
	s.Added = make([]bool, len(s.New))
	if len(s.Old) == 0 || len(s.New) == 0 {
		fill(s.Removed)
		fill(s.Added)
		return s
	}

	a, b, kinds := number(s.Old, s.New)
	first, lastA, lastB := trim(a, b)
	x := side{lines: a[first:lastA], changed: s.Removed[first:lastA]}
	y := side{lines: b[first:lastB], changed: s.Added[first:lastB]}
	x.discard(matchLimit(len(a)), kinds.inNew)
	y.discard(matchLimit(len(b)), kinds.inOld)

	newSearch(&x, &y).compare(box{0, len(x.kept), 0, len(y.kept)}, false)
	return s
}

// Counts returns how many lines the script adds and removes.
func (s Script) Counts() (added, removed int) {
	return count(s.Added), count(s.Removed)
}

func fill(flags []bool) {
	for i := range flags {
		flags[i] = true
	}
}

func count(flags []bool) int {
	n := 0
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}

// Split cuts a text into lines that keep their line end. What follows the last
// line end is a line when it is not empty.
func Split(text []byte) [][]byte {
	lines := make([][]byte, 0, bytes.Count(text, newline)+1)
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		lines = append(lines, text[:n:n])
		text = text[n:]
	}
	return lines
}

var newline = []byte{'\n'}

// kinds counts how often each distinct line occurs in each text.
type kinds struct{ inOld, inNew []int32 }

// number replaces every line by a number that equal lines share.
func number(old, new [][]byte) (a, b []int32, k kinds) {
	ids := make(map[string]int32, len(old))
	assign := func(lines [][]byte) []int32 {
		numbers := make([]int32, len(lines))
		for i, line := range lines {
			id, ok := ids[string(line)]
			if !ok {
				id = int32(len(ids))
				ids[string(line)] = id
			}
			numbers[i] = id
		}
		return numbers
	}
	a, b = assign(old), assign(new)
	k = kinds{inOld: make([]int32, len(ids)), inNew: make([]int32, len(ids))}
	for _, id := range a {
		k.inOld[id]++
	}
	for _, id := range b {
		k.inNew[id]++
	}
	return a, b, k
}

// trim finds what remains without the common lines at both ends.
func trim(a, b []int32) (first, lastA, lastB int) {
	lastA, lastB = len(a), len(b)
	for first < lastA && first < lastB && a[first] == b[first] {
		first++
	}
	for lastA > first && lastB > first && a[lastA-1] == b[lastB-1] {
		lastA--
		lastB--
	}
	return first, lastA, lastB
}

// Origins returns for each line of New the index of the line of Old that it
// stands for, or -1 for an added one.
func (s Script) Origins() []int {
	origins := make([]int, len(s.New))
	i := 0
	for j := range s.New {
		if s.Added[j] {
			origins[j] = -1
			continue
		}
		for s.Removed[i] {
			i++
		}
		origins[j] = i
		i++
	}
	return origins
}
