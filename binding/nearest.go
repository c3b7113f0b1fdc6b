package binding

import "strings"

// maxSpelling bounds the names that are compared: the distance takes time in
// the product of both lengths.
const maxSpelling = 64

// nearest returns the parameter that name was probably meant to be, or "".
// Only the parameters themselves are ever suggested.
func (in Input) nearest(name string) string {
	if len(name) > maxSpelling {
		return ""
	}
	given := fold(name)
	best, bestDistance := "", maxSpelling
	for i := range in.fields {
		known := in.fields[i].Name
		if len(known) > maxSpelling {
			continue
		}
		folded := fold(known)
		d := distance(given, folded)
		if part(given, folded) || part(folded, given) {
			d = min(d, 2)
		}
		if d <= max(len(given), len(folded)+1)/3 && d < bestDistance {
			best, bestDistance = known, d
		}
	}
	return best
}

// part reports whether a short name was written for a longer one, such as
// query for search_query.
func part(short, long []rune) bool {
	return len(short) >= 3 && strings.Contains(string(long), string(short))
}

// fold removes what spellings of the same words differ in: case and underscores.
func fold(name string) []rune {
	return []rune(strings.ToLower(strings.ReplaceAll(name, "_", "")))
}

// distance counts the insertions, deletions, replacements and swaps of
// neighbours that lead from a to b (Damerau's, in its restricted form).
func distance(a, b []rune) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above[j]+cost, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
