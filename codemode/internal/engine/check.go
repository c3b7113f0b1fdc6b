package engine

import (
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
)

// Check finds problems in source without running it, in order of position: of
// syntax, names and the entry point, and every call of a capability that can
// be judged as it stands. A program without problems may still fail.
func (e *Engine) Check(source []byte) []Problem {
	file, problem := parse(source)
	if problem != nil {
		return []Problem{*problem}
	}
	names := &names{catalog: e.catalog}
	err := resolve.File(file, names.predeclared, starlark.Universe.Has)
	problems := append(resolveProblems(err), inspect(file, names, true)...)
	if problem := entryProblem(file); problem != nil {
		problems = append(problems, *problem)
	}
	return inOrder(problems)
}

// furtherProblems is Check for a source that has already failed, and whose
// text may have brought down the interpreter.
func (e *Engine) furtherProblems(source []byte) (problems []Problem) {
	defer func() {
		if recover() != nil {
			problems = nil
		}
	}()
	return e.Check(source)
}

// detail puts up to maxFurther other problems behind the one that ended the
// run, so that one round mends all.
func detail(first Problem, others []Problem) string {
	var b strings.Builder
	b.WriteString(first.String())
	further := 0
	for _, p := range others {
		if further == maxFurther {
			break
		}
		if p.Line == first.Line && p.Column == first.Column && strings.HasPrefix(first.Message, p.Message) {
			continue
		}
		b.WriteString("; also ")
		b.WriteString(p.String())
		further++
	}
	return clean(b.String(), MaxDetailBytes)
}
