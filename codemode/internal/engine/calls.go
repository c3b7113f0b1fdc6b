package engine

import (
	"math/big"

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
	args, kwargs, ok := assumedArguments(call, capability.Input.Fields())
	if !ok {
		return
	}
	// Binding itself is the judge, so the text is the one that the run
	// would give. It stops at the first fault of a call.
	if err := capability.Input.Bind(args, kwargs, discard{}); err != nil {
		in.report(call.Lparen, "%s", argumentMessage(capability.Name, err))
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
		if path += "." + link.Name.Name; len(path) > maxNameBytes*8 {
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

// assumedArguments stands in for the arguments of a call: literals are what
// they are, everything else is taken to be of the type that is wanted.
func assumedArguments(call *syntax.CallExpr, fields []binding.Field) (args starlark.Tuple, kwargs []starlark.Tuple, ok bool) {
	for _, arg := range call.Args {
		switch arg := arg.(type) {
		case *syntax.UnaryExpr:
			if arg.Op == syntax.STAR || arg.Op == syntax.STARSTAR {
				return nil, nil, false
			}
		case *syntax.BinaryExpr:
			if arg.Op == syntax.EQ {
				name := arg.X.(*syntax.Ident).Name
				value := literalValue(arg.Y)
				if value == nil {
					value = assumedValue(name, fields)
				}
				kwargs = append(kwargs, starlark.Tuple{starlark.String(name), value})
				continue
			}
		}
		args = append(args, starlark.None)
	}
	return args, kwargs, true
}

func assumedValue(name string, fields []binding.Field) starlark.Value {
	for _, field := range fields {
		if field.Name != name {
			continue
		}
		switch field.Type.Kind {
		case binding.String:
			return starlark.String("")
		case binding.Int:
			return starlark.MakeInt(0)
		case binding.Bool:
			return starlark.False
		case binding.Float:
			return starlark.Float(0)
		}
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
			return constants[x.Name]
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

var constants = map[string]starlark.Value{
	"None": starlark.None, "True": starlark.True, "False": starlark.False,
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
