package linediff

const (
	// snakeLength is the number of equal lines in a row that make a run
	// worth a shortcut.
	snakeLength = 20
	// shortcutCost is the number of edits after which such runs are taken.
	shortcutCost = 256
	// minMaxCost is the least number of edits after which a comparison ends
	// with the best split seen so far.
	minMaxCost = 256
	// shortcutGain: a run is taken when it lies this many times further than
	// the edits spent to reach it.
	shortcutGain = 4
)

// A box is a part of the edit graph: lines [x0,x1) of one side against lines
// [y0,y1) of the other.
type box struct{ x0, x1, y0, y1 int }

// A split is a point at which a box falls into two. A side that is minimal
// must be compared without shortcuts.
type split struct {
	x, y         int
	lower, upper bool // must be minimal
}

// A search holds the two sides and, for each diagonal x-y, the furthest point
// that was reached from the start and from the end.
type search struct {
	a, b              *side
	forward, backward []int
	offset            int
	maxCost           int
}

func newSearch(a, b *side) *search {
	diagonals := len(a.kept) + len(b.kept) + 3
	return &search{
		a: a, b: b,
		forward:  make([]int, diagonals+1),
		backward: make([]int, diagonals+1),
		offset:   len(b.kept) + 1,
		maxCost:  max(roughRoot(diagonals), minMaxCost),
	}
}

// compare marks the changed lines of a box.
func (s *search) compare(b box, minimal bool) {
	x, y := s.a.kept, s.b.kept
	for b.x0 < b.x1 && b.y0 < b.y1 && x[b.x0] == y[b.y0] {
		b.x0++
		b.y0++
	}
	for b.x0 < b.x1 && b.y0 < b.y1 && x[b.x1-1] == y[b.y1-1] {
		b.x1--
		b.y1--
	}
	switch {
	case b.x0 == b.x1:
		s.b.mark(b.y0, b.y1)
	case b.y0 == b.y1:
		s.a.mark(b.x0, b.x1)
	default:
		m := s.middle(b, minimal)
		s.compare(box{b.x0, m.x, b.y0, m.y}, m.lower)
		s.compare(box{m.x, b.x1, m.y, b.y1}, m.upper)
	}
}

func (s *side) mark(from, to int) {
	for i := from; i < to; i++ {
		s.changed[s.positions[i]] = true
	}
}

// A band is the range of diagonals that a search has reached. It grows by one
// diagonal at each end with every edit, until it meets the edge of the box.
type band struct{ lo, hi int }

// grow widens the band within limits and puts a sentinel beyond each new end.
func (b *band) grow(reach []int, offset int, limits band, sentinel int) {
	if b.lo > limits.lo {
		b.lo--
		reach[offset+b.lo-1] = sentinel
	} else {
		b.lo++
	}
	if b.hi < limits.hi {
		b.hi++
		reach[offset+b.hi+1] = sentinel
	} else {
		b.hi--
	}
}

func (b band) holds(d int) bool { return b.lo <= d && d <= b.hi }

const beyond = int(^uint(0) >> 1)

// middle finds where to split a box: a point on a shortest path where both
// searches meet or, unless the box must be minimal, a good enough one.
func (s *search) middle(b box, minimal bool) split {
	limits := band{b.x0 - b.y1, b.x1 - b.y0}
	start, end := b.x0-b.y0, b.x1-b.y1
	f, r := band{start, start}, band{end, end}
	s.forward[s.offset+start] = b.x0
	s.backward[s.offset+end] = b.x1
	odd := (start-end)&1 != 0

	for cost := 1; ; cost++ {
		f.grow(s.forward, s.offset, limits, -1)
		x, y, met, long := s.advance(b, f, r, odd)
		if met {
			return split{x, y, true, true}
		}
		r.grow(s.backward, s.offset, limits, beyond)
		x, y, met, long2 := s.retreat(b, f, r, !odd)
		if met {
			return split{x, y, true, true}
		}
		if minimal {
			continue
		}
		if (long || long2) && cost > shortcutCost {
			if m, ok := s.shortcut(b, f, r, cost); ok {
				return m
			}
		}
		if cost >= s.maxCost {
			return s.furthest(b, f, r)
		}
	}
}

// advance takes one more edit from the start. It reports where it met the
// other search, if it may and did, and whether it saw a long run.
func (s *search) advance(b box, f, r band, meet bool) (x, y int, met, long bool) {
	v, w := s.forward, s.backward
	ax, by := s.a.kept, s.b.kept
	for d := f.hi; d >= f.lo; d -= 2 {
		k := s.offset + d
		x = max(v[k-1]+1, v[k+1])
		y = x - d
		from := x
		for x < b.x1 && y < b.y1 && ax[x] == by[y] {
			x++
			y++
		}
		long = long || x-from > snakeLength
		v[k] = x
		if meet && r.holds(d) && w[k] <= x {
			return x, y, true, long
		}
	}
	return 0, 0, false, long
}

// retreat is advance from the end.
func (s *search) retreat(b box, f, r band, meet bool) (x, y int, met, long bool) {
	v, w := s.forward, s.backward
	ax, by := s.a.kept, s.b.kept
	for d := r.hi; d >= r.lo; d -= 2 {
		k := s.offset + d
		x = min(w[k-1], w[k+1]-1)
		y = x - d
		from := x
		for x > b.x0 && y > b.y0 && ax[x-1] == by[y-1] {
			x--
			y--
		}
		long = long || from-x > snakeLength
		w[k] = x
		if meet && f.holds(d) && x <= v[k] {
			return x, y, true, long
		}
	}
	return 0, 0, false, long
}
