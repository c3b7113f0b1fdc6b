package engine

import (
	"math/big"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/codemode-go/codemode/binding"
)

// call judges a call whose function is, beyond doubt, a capability. Variables
// that hold one, shadowed namespaces and calls with * or ** are left alone.
func (in *inspector) call(call *syntax.CallExpr) {
	capability, ok := in.capability(call.Fn)
	if !ok {
		return
	}
	arguments, ok := readArguments(call)
	if !ok {
		return
	}
	if faults := arguments.faults(capability.Input); len(faults) > 0 {
		in.report(call.Lparen, "%s", capability.Name+": "+strings.Join(faults, "; "))
	}
}

// capability returns the capability that fn denotes.
func (in *inspector) capability(fn syntax.Expr) (Capability, bool) {
	dot, ok := fn.(*syntax.DotExpr)
	if !ok {
		return Capability{}, false
	}
	root, links := unchain(dot)
	id, ok := root.(*syntax.Ident)
	if !ok || !in.predeclared(id) {
		return Capability{}, false
	}
	path := id.Name
	for _, link := range links {
		if path += "." + link.Name.Name; len(path) > in.names.catalog.longest {
			return Capability{}, false
		}
	}
	i, ok := in.names.catalog.find(path)
	if !ok {
		return Capability{}, false
	}
	capability, err := in.names.catalog.capability(i)
	return capability, err == nil
}

// arguments are those of a call as far as the source shows them.
type arguments struct {
	positional int
	named      []starlark.Tuple // name and literal value, nil for any other
}

func readArguments(call *syntax.CallExpr) (a arguments, ok bool) {
	for _, arg := range call.Args {
		switch arg := arg.(type) {
		case *syntax.UnaryExpr:
			if arg.Op == syntax.STAR || arg.Op == syntax.STARSTAR {
				return a, false
			}
		case *syntax.BinaryExpr:
			if arg.Op == syntax.EQ {
				name := starlark.String(arg.X.(*syntax.Ident).Name)
				a.named = append(a.named, starlark.Tuple{name, literalValue(arg.Y)})
				continue
			}
		}
		a.positional++
	}
	return a, true
}

// faults returns what binding says of the arguments, all of it and in the
// order of binding: that stops at the first fault, so it is asked about each
// argument on its own, next to good ones for the rest. Values that are not
// literals are taken to be good.
func (a arguments) faults(input binding.Input) (faults []string) {
	add := func(args starlark.Tuple, kwargs []starlark.Tuple) {
		if err := input.Bind(args, kwargs, discard{}); err != nil {
			faults = append(faults, err.Error())
		}
	}
	if a.positional > 0 {
		add(make(starlark.Tuple, a.positional), nil)
		return faults
	}
	good := make(map[string]starlark.Tuple)
	var required []starlark.Tuple
	for _, field := range input.Fields() {
		pair := starlark.Tuple{starlark.String(field.Name), goodValue(field.Type.Kind)}
		good[field.Name] = pair
		if !field.Optional {
			required = append(required, pair)
		}
	}
	var present []starlark.Tuple
	for _, pair := range a.named {
		name := string(pair[0].(starlark.String))
		if known, ok := good[name]; ok && !slices.ContainsFunc(present, func(p starlark.Tuple) bool { return p[0] == pair[0] }) {
			present = append(present, known)
		}
		if pair[1] != nil || good[name] == nil {
			others := slices.DeleteFunc(slices.Clone(required), func(other starlark.Tuple) bool { return other[0] == pair[0] })
			add(nil, append([]starlark.Tuple{pair}, others...))
		}
	}
	if len(present) == len(a.named) { // else a missing one is probably misspelled
		add(nil, present)
	}
	return faults
}

func goodValue(kind binding.Kind) starlark.Value {
	switch kind {
	case binding.String:
		return starlark.String("")
	case binding.Int:
		return starlark.MakeInt(0)
	case binding.Bool:
		return starlark.False
	case binding.Float:
		return starlark.Float(0)
	}
	return starlark.None
}

// literalValue returns the value of an expression that says it itself, nil for
// any other.
func literalValue(x syntax.Expr) starlark.Value {
	switch x := unparen(x).(type) {
	case *syntax.Literal:
		return literal(x)
	case *syntax.UnaryExpr:
		if number, ok := unparen(x.X).(*syntax.Literal); ok && x.Op == syntax.MINUS {
			if value, err := starlark.Unary(syntax.MINUS, literal(number)); err == nil {
				return value
			}
		}
	case *syntax.Ident:
		if binding, _ := x.Binding.(*resolve.Binding); binding != nil && binding.Scope == resolve.Universal {
			return constant(x.Name)
		}
	case *syntax.ListExpr:
		return starlark.NewList(nil)
	case *syntax.DictExpr:
		return starlark.NewDict(0)
	case *syntax.TupleExpr:
		return starlark.Tuple{}
	case *syntax.Comprehension:
		if x.Curly {
			return starlark.NewDict(0)
		}
		return starlark.NewList(nil)
	}
	return nil
}

func constant(name string) starlark.Value {
	switch name {
	case "None":
		return starlark.None
	case "True":
		return starlark.True
	case "False":
		return starlark.False
	}
	return nil
}

func literal(x *syntax.Literal) starlark.Value {
	switch value := x.Value.(type) {
	case string:
		if x.Token == syntax.BYTES {
			return starlark.Bytes(value)
		}
		return starlark.String(value)
	case int64:
		return starlark.MakeInt64(value)
	case *big.Int:
		return starlark.MakeBigInt(value)
	case float64:
		return starlark.Float(value)
	}
	return nil
}

func literalType(token syntax.Token) string {
	switch token {
	case syntax.INT:
		return "int"
	case syntax.FLOAT:
		return "float"
	case syntax.BYTES:
		return "bytes"
	}
	return "string"
}

// loadPhase reports calls of capabilities that the top level makes for
// certain: not those in functions, which main may call, nor those behind a
// condition or in a loop that may run no times.
func (in *inspector) loadPhase(stmt syntax.Stmt) {
	syntax.Walk(stmt, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.LambdaExpr, *syntax.CondExpr, *syntax.IfStmt, *syntax.ForStmt, *syntax.WhileStmt, *syntax.Comprehension:
			return false
		case *syntax.BinaryExpr:
			return n.Op != syntax.AND && n.Op != syntax.OR
		case *syntax.DefStmt:
			for _, param := range n.Params {
				if withDefault, ok := param.(*syntax.BinaryExpr); ok {
					in.loadPhase(&syntax.ExprStmt{X: withDefault.Y})
				}
			}
			return false
		case *syntax.CallExpr:
			if capability, ok := in.capability(n.Fn); ok {
				in.report(n.Lparen, "%s", capability.Name+loadPhase)
			}
		}
		return true
	})
}

// discard is the visitor for those who want only the error.
type discard struct{}

func (discard) Null() error         { return nil }
func (discard) Bool(bool) error     { return nil }
func (discard) Int(int64) error     { return nil }
func (discard) Float(float64) error { return nil }
func (discard) String(string) error { return nil }
func (discard) List(int) error      { return nil }
func (discard) Dict(int) error      { return nil }
func (discard) Key(string) error    { return nil }
