package engine

import (
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Check finds problems in source without running it, in order of position: of
// syntax, names and the entry point, and every call of a capability that can
// be judged as it stands. A program without problems may still fail.
func (e *Engine) Check(source []byte) (problems []Problem) {
	defer func() {
		if recover() != nil { // a defect of the interpreter or of this package
			problems = []Problem{{Line: 1, Column: 1, Message: "the source cannot be checked"}}
		}
	}()
	return e.check(source)
}

func (e *Engine) check(source []byte) []Problem {
	file, problem := parse(source)
	if problem == nil {
		return inOrder(e.resolved(file))
	}
	problems := []Problem{*problem}
	if TextProblem(source) != nil || len(source) > maxHintSource {
		return problems
	}
	// The rest of the source is judged as if the commonest habits were not
	// in it; if that does not make it a program, only they are reported.
	words := tokens(source)
	problems = append(problems, elsewhere(habits(words), *problem, words)...)
	mended, edits, more := mend(source, words)
	if file, again := parse(mended); again == nil {
		problems = append(problems, elsewhere(more, *problem, words)...)
		for _, p := range e.resolved(file) {
			if p, ok := edits.original(p); ok {
				problems = append(problems, p)
			}
		}
	}
	return inOrder(problems)
}

// resolved returns the problems of a syntax tree.
func (e *Engine) resolved(file *syntax.File) []Problem {
	names := &names{catalog: e.catalog}
	err := resolve.File(file, names.predeclared, starlark.Universe.Has)
	problems := append(resolveProblems(err), inspect(file, names, true)...)
	if problem := entryProblem(file); problem != nil {
		problems = append(problems, *problem)
	}
	return problems
}

// elsewhere leaves out the habit at which the parser stopped: it names the
// same word, by its start.
func elsewhere(problems []Problem, first Problem, words []token) []Problem {
	at := syntax.Error{Pos: syntax.MakePosition(nil, int32(first.Line), int32(first.Column)), Msg: first.Message}
	stopped := place{words, stoppedAt(words, at)}.at(0)
	return slices.DeleteFunc(problems, func(p Problem) bool {
		return p.Line == stopped.line && p.Column <= stopped.column
	})
}

// furtherProblems is Check for a source that has already failed, and whose
// text may have brought down the interpreter.
func (e *Engine) furtherProblems(source []byte) (problems []Problem) {
	defer func() {
		if recover() != nil {
			problems = nil
		}
	}()
	return e.check(source)
}

// detail puts up to maxFurther other problems behind the one that ended the
// run, so that one round mends all. Check may know more of the first one: a
// call stops at its first wrong argument.
func detail(first Problem, others []Problem) string {
	var further, repeated []Problem
	told := map[string]bool{first.Message: true}
	for _, p := range others {
		switch {
		case sameProblem(p, first):
			if strings.HasPrefix(p.Message, first.Message) {
				first = p
			}
		case told[p.Message]:
			repeated = append(repeated, p)
		default:
			told[p.Message] = true
			further = append(further, p)
		}
	}
	further = append(further, repeated...) // they come last where there are too many
	further = inOrder(further[:min(len(further), maxFurther)])
	text := first.String()
	for _, p := range further {
		text += "; also " + p.String()
	}
	return clean(text, MaxDetailBytes)
}
