package linediff

// A side is one of the two texts without the common ends. Only its kept lines
// are compared; the others are changed for certain.
type side struct {
	lines   []int32
	changed []bool

	kept      []int32 // the numbers of the kept lines
	positions []int   // and their indexes in lines
}

// What is known of a line before any comparison.
const (
	matchless = iota // the other text does not have it
	ordinary
	frequent // so common in the other text that a match says little
)

const (
	maxMatchLimit = 1024
	// scanWindow bounds how far isolated looks to either side.
	scanWindow = 100
	// frequentShare: a frequent line goes when fewer than one in this many
	// lines of its run is frequent.
	frequentShare = 4
)

// matchLimit is the number of matches from which a line counts as frequent:
// about the square root of the number of lines.
func matchLimit(lines int) int32 { return int32(min(roughRoot(lines), maxMatchLimit)) }

// roughRoot is a power of two near the square root of n.
func roughRoot(n int) int {
	root := 1
	for ; n > 0; n >>= 2 {
		root <<= 1
	}
	return root
}

// discard sets aside the lines that cannot match and those frequent ones that
// lie among them. The second is a shortcut: it makes the diff of a rewritten
// passage one block instead of many blocks around each brace and blank line.
func (s *side) discard(limit int32, matches []int32) {
	classes := make([]uint8, len(s.lines))
	for i, id := range s.lines {
		switch n := matches[id]; {
		case n == 0:
			classes[i] = matchless
		case n >= limit:
			classes[i] = frequent
		default:
			classes[i] = ordinary
		}
	}
	s.kept = make([]int32, 0, len(s.lines))
	s.positions = make([]int, 0, len(s.lines))
	for i, class := range classes {
		if class == matchless || class == frequent && isolated(classes, i) {
			s.changed[i] = true
			continue
		}
		s.kept = append(s.kept, s.lines[i])
		s.positions = append(s.positions, i)
	}
}

// isolated reports whether the frequent line i lies in the midst of a run of
// matchless lines: some on both sides, and few other frequent lines.
func isolated(classes []uint8, i int) bool {
	lo, hi := max(0, i-scanWindow), min(len(classes)-1, i+scanWindow)
	// The line itself is counted once for each side.
	none, many := 0, 2
	scan := func(from, to, step int) bool {
		found := false
		for j := from; j != to && classes[j] != ordinary; j += step {
			if classes[j] == matchless {
				none++
				found = true
			} else {
				many++
			}
		}
		return found
	}
	return scan(i-1, lo-1, -1) && scan(i+1, hi+1, 1) && many*frequentShare < many+none
}
