package linediff

import (
	"bytes"
	"fmt"
)

// A Hunk is a passage of changed lines with the lines around them. Positions
// count from 0.
type Hunk struct {
	OldFrom, OldTo int
	NewFrom, NewTo int
}

// Hunks returns the passages of a unified diff with so many lines of context.
func (s Script) Hunks(context int) []Hunk {
	var hunks []Hunk
	i, j := 0, 0
	for i < len(s.Old) || j < len(s.New) {
		if !s.changedAt(i, j) {
			i++
			j++
			continue
		}
		from, to := i, j
		for i < len(s.Old) && s.Removed[i] {
			i++
		}
		for j < len(s.New) && s.Added[j] {
			j++
		}
		lead := min(context, from, to)
		h := Hunk{
			OldFrom: from - lead, OldTo: min(i+context, len(s.Old)),
			NewFrom: to - lead, NewTo: min(j+context, len(s.New)),
		}
		if last := len(hunks) - 1; last >= 0 && hunks[last].OldTo >= h.OldFrom {
			hunks[last].OldTo, hunks[last].NewTo = h.OldTo, h.NewTo
		} else {
			hunks = append(hunks, h)
		}
	}
	return hunks
}

func (s Script) changedAt(i, j int) bool {
	return i < len(s.Old) && s.Removed[i] || j < len(s.New) && s.Added[j]
}

// AppendHunk appends a hunk in the unified format.
func (s Script) AppendHunk(buf []byte, h Hunk) []byte {
	buf = fmt.Appendf(buf, "@@ -%s +%s @@\n", span(h.OldFrom, h.OldTo), span(h.NewFrom, h.NewTo))
	i, j := h.OldFrom, h.NewFrom
	for i < h.OldTo || j < h.NewTo {
		switch {
		case i < h.OldTo && s.Removed[i]:
			buf = appendLine(buf, '-', s.Old[i])
			i++
		case j < h.NewTo && s.Added[j]:
			buf = appendLine(buf, '+', s.New[j])
			j++
		default:
			buf = appendLine(buf, ' ', s.Old[i])
			i++
			j++
		}
	}
	return buf
}

// span is a range as unified diffs write it: an empty one names the line
// before it, a single line leaves out its count.
func span(from, to int) string {
	switch n := to - from; n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	default:
		return fmt.Sprintf("%d,%d", from+1, n)
	}
}

func appendLine(buf []byte, mark byte, line []byte) []byte {
	buf = append(append(buf, mark), line...)
	if !bytes.HasSuffix(line, newline) {
		buf = append(buf, "\n\\ No newline at end of file\n"...)
	}
	return buf
}
