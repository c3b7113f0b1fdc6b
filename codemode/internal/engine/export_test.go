package engine

// Habits returns what the scanner for habits of other languages finds.
func Habits(source []byte) []Problem { return habits(tokens(source)) }

// TokenSpans returns the offset and length of every token.
func TokenSpans(source []byte) (spans [][2]int) {
	for _, t := range tokens(source) {
		spans = append(spans, [2]int{t.offset, len(t.text)})
	}
	return spans
}

// Nearest returns the candidate that is suggested for name.
func Nearest(name string, candidates ...string) string {
	g := guessFor(name)
	for _, c := range candidates {
		g.offer(c, c)
	}
	return g.best
}

// Clean is what every text for a detail goes through.
func Clean(text string, limit int) string { return clean(text, limit) }

// A HintLine is one line of the tables of hints.
type HintLine struct{ Message, Text string }

// HintLines returns all of them.
func HintLines() (lines []HintLine) {
	for _, h := range nameHints {
		lines = append(lines, HintLine{"undefined: " + h.message + " (", h.text})
	}
	for _, hints := range [][]hint{attributeHints, runtimeHints, finalHints, resolveHints} {
		for _, h := range hints {
			lines = append(lines, HintLine{h.message, h.text})
		}
	}
	for _, h := range syntaxHints {
		lines = append(lines, HintLine{h.message, h.text})
	}
	return lines
}

// Mend returns what of a source is judged in its place.
func Mend(source []byte) (string, []Problem) {
	mended, _, problems := mend(source, tokens(source))
	return string(mended), problems
}
