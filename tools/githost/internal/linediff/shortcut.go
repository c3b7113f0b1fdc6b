package linediff

// shortcut looks, once a comparison has become expensive, for a diagonal that
// came much further than its edits and ends in a long run of equal lines.
func (s *search) shortcut(b box, f, r band, cost int) (split, bool) {
	var m split
	best := 0
	start := b.x0 - b.y0
	for d := f.hi; d >= f.lo; d -= 2 {
		x := s.forward[s.offset+d]
		y := x - d
		gain := (x - b.x0) + (y - b.y0) - abs(d-start)
		if gain > shortcutGain*cost && gain > best &&
			b.x0+snakeLength <= x && x < b.x1 && b.y0+snakeLength <= y && y < b.y1 &&
			s.equal(x-snakeLength, y-snakeLength) {
			best = gain
			m = split{x: x, y: y, lower: true}
		}
	}
	if best > 0 {
		return m, true
	}
	end := b.x1 - b.y1
	for d := r.hi; d >= r.lo; d -= 2 {
		x := s.backward[s.offset+d]
		y := x - d
		gain := (b.x1 - x) + (b.y1 - y) - abs(d-end)
		if gain > shortcutGain*cost && gain > best &&
			b.x0 < x && x <= b.x1-snakeLength && b.y0 < y && y <= b.y1-snakeLength &&
			s.equal(x, y) {
			best = gain
			m = split{x: x, y: y, upper: true}
		}
	}
	return m, best > 0
}

// equal reports whether a long run of equal lines begins at a point.
func (s *search) equal(x, y int) bool {
	for i := range snakeLength {
		if s.a.kept[x+i] != s.b.kept[y+i] {
			return false
		}
	}
	return true
}

// furthest gives up the search: it splits at the point that came furthest.
func (s *search) furthest(b box, f, r band) split {
	ahead, aheadX := -1, -1
	for d := f.hi; d >= f.lo; d -= 2 {
		x := min(s.forward[s.offset+d], b.x1)
		y := x - d
		if y > b.y1 {
			x, y = b.y1+d, b.y1
		}
		if x+y > ahead {
			ahead, aheadX = x+y, x
		}
	}
	behind, behindX := beyond, beyond
	for d := r.hi; d >= r.lo; d -= 2 {
		x := max(s.backward[s.offset+d], b.x0)
		y := x - d
		if y < b.y0 {
			x, y = b.y0+d, b.y0
		}
		if x+y < behind {
			behind, behindX = x+y, x
		}
	}
	if b.x1+b.y1-behind < ahead-(b.x0+b.y0) {
		return split{x: aheadX, y: ahead - aheadX, lower: true}
	}
	return split{x: behindX, y: behind - behindX, upper: true}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
