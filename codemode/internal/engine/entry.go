package engine

import (
	"fmt"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

const (
	noMain         = "the program does not define main (write `def main():` at the top level and return the result from it)"
	mainParameters = "main takes parameters, want none (write `def main():`)"
	mainNoFunction = "main: got %s, want a function (write `def main():`)"
	onlyInMain     = ": capabilities can be called only while main runs"
	loadPhase      = onlyInMain + " (move the call into main)"
	loadPhaseMain  = onlyInMain + ", and the top level calls main at %s (leave that call out: main is called by itself)"
	loadPhaseOther = onlyInMain + ", and the top level comes here from %s (move that call into main)"
)

// entryProblem reports what is wrong with the entry point as far as the source
// alone shows it, so that a program without main costs not one step.
func entryProblem(file *syntax.File) *Problem {
	main := globalNamed(file, "main")
	if main == nil {
		return &Problem{Line: 1, Column: 1, Message: noMain}
	}
	message := ""
	for _, stmt := range file.Stmts {
		switch stmt := stmt.(type) {
		case *syntax.DefStmt:
			if stmt.Name == main && len(stmt.Params) > 0 {
				message = mainParameters
			}
		case *syntax.AssignStmt:
			if stmt.LHS == syntax.Expr(main) {
				message = assignedMain(stmt.RHS)
			}
		}
	}
	if message == "" {
		return nil
	}
	problem := problemAt(main.NamePos, message)
	return &problem
}

// assignedMain judges `main = x` for those x whose type is plain to see.
func assignedMain(x syntax.Expr) string {
	switch x := unparen(x).(type) {
	case *syntax.LambdaExpr:
		if len(x.Params) > 0 {
			return mainParameters
		}
	case *syntax.Literal:
		return fmt.Sprintf(mainNoFunction, literalType(x.Token))
	case *syntax.ListExpr:
		return fmt.Sprintf(mainNoFunction, "list")
	case *syntax.DictExpr:
		return fmt.Sprintf(mainNoFunction, "dict")
	}
	return ""
}

// globalNamed returns the identifier that first binds the global name.
func globalNamed(file *syntax.File, name string) *syntax.Ident {
	module, _ := file.Module.(*resolve.Module)
	if module == nil {
		return nil
	}
	for _, binding := range module.Globals {
		if binding.First.Name == name {
			return binding.First
		}
	}
	return nil
}

// duringLoad says what is wrong with a call of a capability on stack while the
// top level runs. It can stand in main and be right: what is not is at the
// other end of the stack.
func duringLoad(stack starlark.CallStack) string {
	message := loadPhase
	for _, frame := range stack {
		switch {
		case frame.Pos.Filename() != filename || frame.Name == "<toplevel>":
		case frame.Name == "main":
			return fmt.Sprintf(loadPhaseMain, stack[0].Pos)
		default:
			message = fmt.Sprintf(loadPhaseOther, stack[0].Pos)
		}
	}
	return message
}

// entryPoint checks the value of main after the load phase. Only functions
// that the program itself defines will do: a builtin or a capability would run
// without a frame in the source.
func entryPoint(p *program, value starlark.Value) (*starlark.Function, *Problem) {
	pos := globalNamed(p.file, "main").NamePos
	main, ok := value.(*starlark.Function)
	switch {
	case value == nil:
		problem := problemAt(pos, noMain)
		return nil, &problem
	case !ok:
		problem := problemAt(pos, fmt.Sprintf(mainNoFunction, value.Type()))
		return nil, &problem
	case main.NumParams() > 0 || main.HasVarargs() || main.HasKwargs():
		problem := problemAt(pos, mainParameters)
		return nil, &problem
	}
	return main, nil
}

// onlyReturn returns the place of the one return statement of the function
// that is defined at def, or def if there is no such statement or a choice.
func onlyReturn(file *syntax.File, def syntax.Position) syntax.Position {
	var returns []syntax.Position
	for _, stmt := range file.Stmts {
		f, ok := stmt.(*syntax.DefStmt)
		if !ok || f.Def != def {
			continue
		}
		for _, stmt := range f.Body {
			syntax.Walk(stmt, func(n syntax.Node) bool {
				switch n := n.(type) {
				case *syntax.ReturnStmt:
					returns = append(returns, n.Return)
				case *syntax.DefStmt, *syntax.LambdaExpr:
					return false
				}
				return true
			})
		}
	}
	if len(returns) == 1 {
		return returns[0]
	}
	return def
}
