package engine

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// dialect is standard Starlark: no while, no sets, no recursion, no control
// flow and no second assignment at the top level.
var dialect = &syntax.FileOptions{}

// A program is source that was parsed and resolved without a problem.
type program struct {
	file     *syntax.File
	compiled *starlark.Program
	names    *names
}

// predeclared returns the values of the names that the program uses, and of
// no others.
func (p *program) predeclared(r *run) starlark.StringDict {
	dict := make(starlark.StringDict, len(p.names.used))
	for _, name := range p.names.used {
		if v, ok := added()[name]; ok {
			dict[name] = v
		} else {
			dict[name] = &namespace{run: r, path: name}
		}
	}
	return dict
}

// names answers the resolver's question which names are predeclared. It says
// yes to every name, and remembers those that do not exist: for each undefined
// name the resolver would compare all others with it, which takes seconds for
// a program of many.
type names struct {
	catalog *catalog
	used    []string
	missing bool
}

func (n *names) predeclared(name string) bool {
	if isUniversal(name) || name == unavailableName {
		return false
	}
	if n.exists(name) {
		n.used = append(n.used, name) // the resolver asks once for each
	} else {
		n.missing = true
	}
	return true
}

func (n *names) exists(name string) bool {
	return slices.Contains(addedNames, name) || n.catalog.hasNamespace(name)
}

// load prepares source for execution. Nothing has run when it returns.
func load(source []byte, c *catalog) (*program, []Problem) {
	file, problem := parse(source)
	if problem != nil {
		return nil, []Problem{*problem}
	}
	p := &program{file: file, names: &names{catalog: c}}
	var err error
	p.compiled, err = starlark.FileProgram(file, p.names.predeclared)
	problems := resolveProblems(err)
	if err != nil || p.names.missing || hasLoad(file) {
		problems = append(problems, inspect(file, p.names, false)...)
	}
	if problem := entryProblem(file); problem != nil {
		problems = append(problems, *problem)
	}
	return p, inOrder(problems)
}

// parse returns the syntax tree of source, or the first thing that is wrong
// with its text.
func parse(source []byte) (*syntax.File, *Problem) {
	if problem := TextProblem(source); problem != nil {
		return nil, problem
	}
	file, err := dialect.Parse(filename, source, 0)
	if err == nil {
		return file, nil
	}
	var at syntax.Error
	if !errors.As(err, &at) || strings.HasPrefix(at.Msg, "internal ") {
		// The parser ran into a defect of its own.
		return nil, &Problem{Line: 1, Column: 1, Message: "the source cannot be parsed"}
	}
	problem := syntaxProblem(source, at)
	return nil, &problem
}

// TextProblem reports what the interpreter would not notice or not name: it
// takes a NUL for the end of the file, invalid UTF-8 for U+FFFD, and stumbles
// over a byte-order mark without saying what it is. Nil if source is a text.
func TextProblem(source []byte) *Problem {
	if !bytes.HasPrefix(source, []byte("\ufeff")) && bytes.IndexByte(source, 0) < 0 && utf8.Valid(source) {
		return nil
	}
	at := func(offset int, message string) *Problem {
		line, column := position(source, offset)
		return &Problem{Line: line, Column: column, Message: message}
	}
	if bytes.HasPrefix(source, []byte("\ufeff")) {
		return at(0, "the source starts with a byte-order mark (U+FEFF): remove it")
	}
	for i := 0; i < len(source); {
		r, size := utf8.DecodeRune(source[i:])
		switch {
		case r == 0:
			return at(i, `the source contains a NUL byte: write "\x00" in a string literal`)
		case r == utf8.RuneError && size == 1:
			return at(i, fmt.Sprintf("the source is not valid UTF-8: byte 0x%02x", source[i]))
		}
		i += size
	}
	return nil
}

// position counts as the scanner does: CR, LF and CRLF end a line, columns
// are runes.
func position(source []byte, offset int) (line, column int) {
	line, column = 1, 1
	for i := 0; i < offset; {
		r, size := utf8.DecodeRune(source[i:])
		i += size
		switch {
		case r == '\r' && i < len(source) && source[i] == '\n':
		case r == '\n' || r == '\r':
			line++
			column = 1
		default:
			column++
		}
	}
	return line, column
}

func hasLoad(file *syntax.File) bool {
	return slices.ContainsFunc(file.Stmts, func(s syntax.Stmt) bool {
		_, ok := s.(*syntax.LoadStmt)
		return ok
	})
}

// resolveProblems takes the resolver's list apart.
func resolveProblems(err error) []Problem {
	var list resolve.ErrorList
	if !errors.As(err, &list) {
		return nil
	}
	slices.SortStableFunc(list, func(a, b resolve.Error) int {
		return comparePosition(int(a.Pos.Line), int(a.Pos.Col), int(b.Pos.Line), int(b.Pos.Col))
	})
	var problems []Problem
	for _, e := range list[:min(len(list), maxProblems)] {
		problems = append(problems, problemAt(e.Pos, withHint(clean(e.Msg, maxMessageBytes), resolveHints)))
	}
	return problems
}

// inOrder sorts problems by position, keeps the first at each, and bounds them.
func inOrder(problems []Problem) []Problem {
	slices.SortStableFunc(problems, func(a, b Problem) int { return comparePosition(a.Line, a.Column, b.Line, b.Column) })
	problems = slices.CompactFunc(problems, sameProblem)
	return problems[:min(len(problems), maxProblems)]
}

// sameProblem reports whether a and b are about the same place. That main is
// missing is about none: it stands at the start, beside what is wrong there.
func sameProblem(a, b Problem) bool {
	return a.Line == b.Line && a.Column == b.Column && (a.Message == noMain) == (b.Message == noMain)
}

func comparePosition(line1, column1, line2, column2 int) int {
	if line1 != line2 {
		return line1 - line2
	}
	return column1 - column2
}
