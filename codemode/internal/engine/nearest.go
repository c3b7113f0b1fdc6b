package engine

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxNameBytes bounds the names that are quoted in messages and compared for
// suggestions.
const maxNameBytes = 128

// maxListed bounds how many members of a namespace a message lists.
const maxListed = 8

// A guess keeps the candidate that is nearest to what was written.
type guess struct {
	want     string
	best     string
	distance int
}

// guessFor accepts candidates that differ from name in less than half of its
// bytes and in at most three, case and underscores aside.
func guessFor(name string) *guess {
	want := fold(name)
	if len(name) > maxNameBytes || !utf8.ValidString(name) {
		want = ""
	}
	return &guess{want: want, distance: min((len(want)+1)/2, 4)}
}

// offer considers a candidate; text is what a suggestion would say.
func (g *guess) offer(candidate, text string) {
	if g.want == "" || len(candidate) > maxNameBytes {
		return
	}
	if d := distance(g.want, fold(candidate), g.distance); d < g.distance {
		g.best, g.distance = text, d
	}
}

func fold(name string) string {
	return strings.ReplaceAll(strings.ToLower(name), "_", "")
}

// distance is the Levenshtein distance of two short strings, or any number
// ≥ limit once it is known not to be below.
func distance(a, b string, limit int) int {
	// The bound held before folding, which makes some letters longer.
	if d := len(a) - len(b); d >= limit || -d >= limit || len(b) > maxNameBytes {
		return limit
	}
	var space [maxNameBytes + 1]int
	row := space[:len(b)+1]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal, smallest := row[0], i+1
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
			smallest = min(smallest, cost)
		}
		if smallest >= limit {
			return limit
		}
	}
	return row[len(b)]
}

// offerWord considers a name of the language. These are short, so that almost
// any name is near one of them; what differs from it must be a slip.
func (g *guess) offerWord(candidate string) {
	slips := 1
	if len(candidate) >= 5 {
		slips = 2
	}
	word := fold(candidate)
	if g.want != "" && g.want[0] == word[0] && distance(g.want, word, slips+1) <= slips {
		g.offer(candidate, candidate)
	}
}

// nearestName suggests what an undefined name may have meant: a function of a
// module, a variable in sight, a name of the language, a namespace, or a
// capability by its last segment or without its dots.
func (in *inspector) nearestName(name string) string {
	switch {
	case slices.Contains(mathNames, name) && len(name) > 1:
		return "math." + name
	case slices.Contains(jsonNames, name):
		return "json." + name
	}
	g := guessFor(name)
	for i := len(in.scopes) - 1; i >= 0; i-- {
		for _, binding := range in.scopes[i] {
			g.offer(binding.First.Name, binding.First.Name)
		}
	}
	for _, candidate := range universalNames {
		g.offerWord(candidate)
	}
	for _, candidate := range addedNames {
		g.offerWord(candidate)
	}
	in.names.catalog.members("", func(root string) { g.offer(root, root) })
	if g.best != "" {
		return g.best
	}
	if dotted := in.names.catalog.withLeaf(name); dotted != "" {
		return dotted
	}
	return in.names.catalog.withoutDots(name)
}

// nearestMember suggests the dotted name that path.name may have meant.
func (c *catalog) nearestMember(path, name string) string {
	g := guessFor(name)
	c.members(path+".", func(segment string) { g.offer(segment, path+"."+segment) })
	if g.best != "" {
		return g.best
	}
	return c.withLeaf(name)
}

// withLeaf returns the first capability whose last segment is leaf.
func (c *catalog) withLeaf(leaf string) string {
	for i := range c.count {
		if name := c.name(i); strings.HasSuffix(name, leaf) && strings.HasSuffix(name, "."+leaf) {
			return name
		}
	}
	return ""
}

// withoutDots returns the capability whose name is written in name with other
// separators or none, as names of tools are: records_lookup, recordsLookup.
func (c *catalog) withoutDots(name string) string {
	if len(name) > c.longest+strings.Count(name, "_") {
		return ""
	}
	for i := range c.count {
		if candidate := c.name(i); sameLetters(candidate, name) {
			return candidate
		}
	}
	return ""
}

// sameLetters compares without separators and the case of ASCII letters. It
// allocates nothing: a catalog can have thousands of names.
func sameLetters(a, b string) bool {
	i, j := 0, 0
	for {
		for i < len(a) && (a[i] == '.' || a[i] == '_') {
			i++
		}
		for j < len(b) && (b[j] == '.' || b[j] == '_') {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if lower(a[i]) != lower(b[j]) {
			return false
		}
		i++
		j++
	}
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// list returns the first members of a namespace for a message.
func (c *catalog) list(path string) string {
	var list strings.Builder
	n := 0
	c.members(path+".", func(segment string) {
		switch n++; {
		case n > maxListed+1 || len(segment) > maxNameBytes:
		case n > maxListed:
			list.WriteString(", ...")
		default:
			if n > 1 {
				list.WriteString(", ")
			}
			list.WriteString(segment)
		}
	})
	return list.String()
}
