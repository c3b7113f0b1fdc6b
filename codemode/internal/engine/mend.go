package engine

import "strings"

// mend rewrites those habits of other languages that have a counterpart, so
// that the rest of a source can be judged too. What it makes is for finding
// faults and never runs; what stands in it stands on the line of the original,
// and edits lead back to the column.
func mend(source []byte, words []token) (mended []byte, applied edits, problems []Problem) {
	m := &mender{words: words, open: make([]bracket, 1)}
	for m.i = 0; m.i < len(words); m.i++ {
		if len(m.open) > 1 || !words[m.i].first || !m.statement() {
			m.word()
		}
	}
	mended, applied = m.edits.apply(source)
	return mended, applied, m.problems
}

type mender struct {
	words    []token
	i        int // the current word
	open     []bracket
	edits    edits
	problems []Problem
}

// A bracket is one that is open, or the statement for the outermost.
type bracket struct {
	token
	start    int  // the word behind it
	item     int  // the first word of the current element
	clause   int  // the for directly in it, 0 for none
	colon    bool // a key or slice was seen
	lambda   bool // a lambda was seen
	compared bool // the expression so far is a comparison
}

func (m *mender) at(i int) token { return place{m.words, i}.at(0) }

func (m *mender) top() *bracket { return &m.open[len(m.open)-1] }

func (m *mender) report(at token, text string) {
	if len(m.problems) < maxProblems {
		m.problems = append(m.problems, Problem{Line: at.line, Column: at.column, Message: text})
	}
}

// replace puts text in the place of the words from i up to j, if they are on
// one line, and reports whether they are.
func (m *mender) replace(i, j int, text string) bool {
	from, last := m.at(i), m.at(j-1)
	if from.line != last.endLine || from.kind == newlineToken {
		return false
	}
	m.edits = append(m.edits, edit{from, last.offset + len(last.text) - from.offset, last.endColumn - from.column, text})
	return true
}

func (m *mender) insert(i int, text string) { m.edits = append(m.edits, edit{at: m.at(i), text: text}) }

// end returns the first word at or after i that is one of texts or ends the
// line, brackets left out.
func (m *mender) end(i int, texts ...string) int {
	for depth := 0; i < len(m.words); i++ {
		t := m.words[i]
		switch {
		case depth == 0 && (t.kind == newlineToken || t.is(texts...)):
			return i
		case t.is("(", "[", "{"):
			depth++
		case t.is(")", "]", "}"):
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return i
}

// statement handles the habits that are statements. It reports whether it went
// over the current word.
func (m *mender) statement() bool {
	i, t, next := m.i, m.at(m.i), m.at(m.i+1)
	m.open[0] = bracket{item: i}
	switch {
	case place{m.words, i}.matches(t, "<fence>"), t.is("@"):
		for m.i = m.end(i); i < m.i; i++ {
			m.replace(i, i+1, "")
		}
		m.i--
	case t.is("import", "from", "raise", "del", "global", "nonlocal"):
		m.pass(i, m.end(i))
	case t.is("assert") && (next.kind == wordToken || next.kind == stringToken || next.kind == numberToken):
		m.report(t, noAssertion)
		m.pass(i, m.end(i))
	case t.is("try", "finally"):
		m.replace(i, i+1, "if 1")
	case t.is("except", "with"):
		m.block(i, m.end(i, ":"))
	case t.is("async") && next.is("def") && next.line == t.line:
		m.edits = append(m.edits, edit{t, next.offset - t.offset, next.column - t.column, ""})
		m.parameters(i + 1)
	case t.is("def"):
		m.parameters(i)
	case t.is("yield", "await"):
		if next.kind == newlineToken {
			return m.replace(i, i+1, "pass")
		}
		return m.replace(i, i+1, "not")
	case t.kind == wordToken && !isReservedWord(t.text) && next.is(":"):
		m.report(next, noTypes)
		if value := m.end(i, "="); m.at(value).is("=") {
			return m.replace(i+1, value, "")
		}
		m.pass(i, m.end(i))
	default:
		return false
	}
	return true
}

// pass makes the words from i up to j a pass, line by line.
func (m *mender) pass(i, j int) {
	m.replace(i, i+1, "pass")
	for k := i + 1; k < j; k++ {
		m.replace(k, k+1, "")
	}
	m.i = j - 1
}

// block makes a block of except or with one that binds the same names.
func (m *mender) block(i, colon int) {
	var names []string
	for j := m.end(i, "as"); j+1 < colon; j = m.end(j+1, "as") {
		names = append(names, m.at(j+1).text)
	}
	switch {
	case len(names) > 0:
		m.replace(i, colon, "for "+strings.Join(names, ", ")+" in ()")
		m.i = colon - 1
	case m.at(i).is("except"):
		m.replace(i, colon, "if 1")
		m.i = colon - 1
	default:
		m.replace(i, i+1, "if")
	}
}

// parameters leaves out the annotations of a def.
func (m *mender) parameters(def int) {
	i := m.end(def, "(")
	if !m.at(i).is("(") {
		return
	}
	told := false
	annotated := func(i, j int) {
		if !told {
			m.report(m.at(i), noTypes)
		}
		told = true
		m.replace(i, j, "")
	}
	for i++; i < len(m.words) && !m.at(i).is(")"); {
		switch t := m.at(i); {
		case t.kind == newlineToken, t.is(","):
			i++
		case t.is("="):
			for i = m.end(i, ",", "lambda"); m.at(i).is("lambda"); {
				i = m.end(m.end(i, ":"), ",", "lambda") // its parameters are not those of the def
			}
		case t.is(":"):
			end := m.end(i, ",", "=")
			annotated(i, end)
			i = end
		default:
			i = max(i+1, m.end(i, ",", ":", "="))
		}
	}
	if m.i = i; m.at(i + 1).is("->") {
		m.i = m.end(i+1, ":")
		annotated(i+1, m.i)
	}
}

// word handles the habits that are words and marks within a statement.
func (m *mender) word() {
	i, t, next := m.i, m.at(m.i), m.at(m.i+1)
	top := m.top()
	switch {
	case t.is("(", "[", "{"):
		m.open = append(m.open, bracket{token: t, start: i + 1, item: i + 1})
	case t.is(")", "]", "}"):
		m.close()
	case t.is(","):
		if top.compared = false; top.clause == 0 {
			top.item = i + 1
		}
	case t.is(":", "=", ";"):
		top.colon, top.compared = top.colon || t.is(":"), false
	case t.kind == newlineToken:
		if len(m.open) == 1 {
			top.compared = false
		}
	case isFormatPrefix(t) && next.kind == stringToken && next.offset == t.offset+len(t.text), t.is("async", "await", "yield"):
		m.replace(i, i+1, "")
	case t.kind == numberToken && strings.Contains(t.text, "_"):
		m.report(t, noUnderscore)
		m.replace(i, i+1, strings.ReplaceAll(t.text, "_", ""))
	case t.kind == stringToken && m.besideString():
		m.report(t, noJoining)
		m.insert(i, "+")
	case t.is("is") && next.is("not"):
		m.replace(i, i+2, "!=")
		m.i++
	case t.is("is"):
		m.replace(i, i+1, "==")
	case t.is("**", "*"):
		m.stars(t)
	case t.is("<", ">", "<=", ">=", "==", "!="):
		if top.compared {
			m.report(t, noChain)
			m.replace(i, i+1, " and ")
		}
		top.compared = true
	case t.is("for") && top.clause == 0:
		top.clause = i
		top.compared = false
	case t.is("lambda"):
		top.lambda, top.compared = true, false
	case t.is("and", "or", "not", "if", "else", "in", "return"):
		top.compared = top.compared && t.is("not", "in")
	}
}

// before returns the word before i, ends of lines within brackets left out.
func (m *mender) before(i int) token {
	if len(m.open) > 1 {
		return place{m.words, i}.before()
	}
	return m.at(i - 1)
}

// besideString reports whether the string at the current word follows another.
func (m *mender) besideString() bool {
	i := m.i
	if prefix := m.at(i - 1); isFormatPrefix(prefix) && prefix.offset+len(prefix.text) == m.at(i).offset {
		i--
	}
	return m.before(i).kind == stringToken
}

// stars handles powers and unpacking.
func (m *mender) stars(t token) {
	top, before, power := m.top(), m.before(m.i), t.is("**")
	starts := len(m.open) > 1 && before.offset == top.offset || before.is(",")
	operand := before.kind == stringToken || before.kind == numberToken || before.is(")", "]", "}") ||
		before.kind == wordToken && !isReservedWord(before.text)
	switch {
	case top.lambda: // its parameters have stars
	case power && top.is("{") && starts:
		m.report(t, noMerging)
		m.replace(m.i, m.i+1, "0:")
		top.colon = true
	case power && operand:
		m.report(t, noPower)
		m.replace(m.i, m.i+1, "*")
	case !power && !top.is("(") && (starts || len(m.open) == 1 && (t.first || before.is("="))):
		m.report(t, noUnpacking)
		m.replace(m.i, m.i+1, "")
	}
}

// close handles what shows only when a bracket is closed: generators and sets.
func (m *mender) close() {
	if len(m.open) == 1 {
		return
	}
	top := *m.top()
	m.open = m.open[:len(m.open)-1]
	for top.start < m.i && m.at(top.start).kind == newlineToken {
		top.start++
	}
	switch {
	case top.is("(") && top.clause > 0:
		m.report(m.at(top.clause), noGenerator)
		m.insert(top.item, "[")
		m.insert(m.i, "]")
	case top.is("{") && !top.colon && top.start < m.i:
		m.report(top.token, noSet)
		m.edits = append(m.edits, edit{top.token, 1, 1, "["})
		m.replace(m.i, m.i+1, "]")
	}
}
