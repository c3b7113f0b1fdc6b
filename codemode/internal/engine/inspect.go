package engine

import (
	"fmt"
	"slices"

	"go.starlark.net/resolve"
	"go.starlark.net/syntax"
)

// maxProblems bounds how many problems of one source are reported.
const maxProblems = 64

const loadDisabled = "load is disabled (json, math and all capabilities are available without it)"

// inspect walks a resolved file for what the resolver does not report: names
// that do not exist and load statements; with calls set, also every call of a
// capability that can be judged without running it.
func inspect(file *syntax.File, names *names, calls bool) []Problem {
	in := &inspector{names: names, judgeCalls: calls, guarded: calls && probesMembers(file)}
	if module, _ := file.Module.(*resolve.Module); module != nil {
		in.scopes = append(in.scopes, module.Globals, module.Locals)
	}
	for _, stmt := range file.Stmts {
		in.walk(stmt)
		if calls {
			in.loadPhase(stmt)
		}
	}
	return in.problems
}

type inspector struct {
	names      *names
	judgeCalls bool
	guarded    bool // the program asks at run time which members exist
	// scopes are the bindings that can be seen from the current node.
	scopes   [][]*resolve.Binding
	problems []Problem
}

// full reports whether no more problems are wanted. Texts and suggestions are
// not even made then.
func (in *inspector) full() bool { return len(in.problems) >= maxProblems }

func (in *inspector) report(pos syntax.Position, format string, args ...any) {
	if !in.full() {
		in.problems = append(in.problems, problemAt(pos, fmt.Sprintf(format, args...)))
	}
}

func (in *inspector) walk(n syntax.Node) { syntax.Walk(n, in.visit) }

// visit handles nodes that have something to say and lets the others pass.
func (in *inspector) visit(n syntax.Node) bool {
	if in.full() {
		return false
	}
	switch n := n.(type) {
	case *syntax.Ident:
		in.ident(n)
	case *syntax.LoadStmt:
		in.report(n.Load, loadDisabled)
		return false
	case *syntax.DotExpr:
		if rest := in.members(n); rest != nil {
			in.walk(rest)
		}
		return false
	case *syntax.CallExpr:
		if in.judgeCalls {
			in.call(n)
		}
	case *syntax.DefStmt:
		in.function(n.Function)
		return false
	case *syntax.LambdaExpr:
		in.function(n.Function)
		return false
	}
	return true
}

func (in *inspector) function(resolved any) {
	f, ok := resolved.(*resolve.Function)
	if !ok {
		return // part of what cannot be assigned to: the resolver did not go there
	}
	for _, param := range f.Params {
		if withDefault, ok := param.(*syntax.BinaryExpr); ok {
			in.walk(withDefault.Y)
		}
	}
	in.scopes = append(in.scopes, f.Locals)
	for _, stmt := range f.Body {
		in.walk(stmt)
	}
	in.scopes = in.scopes[:len(in.scopes)-1]
}

// undefined reports whether id exists nowhere. That main is missing is a
// problem of its own.
func (in *inspector) undefined(id *syntax.Ident) bool {
	return in.predeclared(id) && !in.names.exists(id.Name) && id.Name != "main"
}

// ident reports a name that exists nowhere. The links are the attributes that
// are asked of it.
func (in *inspector) ident(id *syntax.Ident, links ...*syntax.DotExpr) {
	if !in.undefined(id) {
		return
	}
	name := clean(id.Name, maxNameBytes)
	if hint := nameHint(id.Name); hint != "" {
		in.report(id.NamePos, "undefined: %s (%s)", name, hint)
		return
	}
	nearest := in.dotted(links)
	if nearest == "" {
		nearest = in.nearestName(id.Name)
	}
	if nearest != "" {
		in.report(id.NamePos, "undefined: %s (did you mean %s?)", name, nearest)
		return
	}
	in.report(id.NamePos, "undefined: %s", name)
}

// dotted returns the capability that links alone name: some write the names
// of all behind a name for the host, such as tools.records.lookup.
func (in *inspector) dotted(links []*syntax.DotExpr) string {
	path := ""
	for _, link := range links {
		if path += link.Name.Name; len(path) > in.names.catalog.longest {
			break
		}
		if _, ok := in.names.catalog.find(path); ok {
			return path
		}
		path += "."
	}
	return ""
}

// predeclared reports whether id stands for a name from outside of the
// program: no parameter, variable or function of its own.
func (in *inspector) predeclared(id *syntax.Ident) bool {
	binding, _ := id.Binding.(*resolve.Binding)
	return binding != nil && binding.Scope == resolve.Predeclared
}

// members judges a chain of attributes whose outermost link is dot, and returns
// the expression at its start if that is still to be walked. The chain is
// unrolled here because it can be thousands of links long.
func (in *inspector) members(dot *syntax.DotExpr) syntax.Expr {
	root, links := unchain(dot)
	id, ok := root.(*syntax.Ident)
	if ok && in.undefined(id) {
		in.ident(id, links...)
		return nil
	}
	if !ok || !in.judgeCalls || in.guarded || !in.predeclared(id) {
		return root
	}
	if !in.names.catalog.hasNamespace(id.Name) {
		in.module(id.Name, links[0])
		return root
	}
	path := id.Name
	for _, link := range links {
		next := path + "." + link.Name.Name
		if _, ok := in.names.catalog.find(next); ok {
			break // what follows are attributes of a function
		}
		if !in.names.catalog.hasNamespace(next) {
			err := memberError{in.names.catalog, path, link.Name.Name}
			in.report(link.Dot, "%s", err.Error())
			break
		}
		path = next
	}
	return root
}

// module judges an attribute of json or math.
func (in *inspector) module(name string, link *syntax.DotExpr) {
	members := map[string][]string{"json": jsonNames, "math": mathNames}[name]
	if members != nil && !slices.Contains(members, link.Name.Name) {
		message := fmt.Sprintf("module has no .%s field or method", clean(link.Name.Name, maxNameBytes))
		in.report(link.Dot, "%s", withHint(message, attributeHints))
	}
}

// unchain returns the expression at the start of a chain of attributes and its
// links from there on.
func unchain(dot *syntax.DotExpr) (root syntax.Expr, links []*syntax.DotExpr) {
	for {
		links = append(links, dot)
		next, ok := dot.X.(*syntax.DotExpr)
		if !ok {
			break
		}
		dot = next
	}
	for i, j := 0, len(links)-1; i < j; i, j = i+1, j-1 {
		links[i], links[j] = links[j], links[i]
	}
	return dot.X, links
}

// probesMembers reports whether the program can find out by itself whether a
// member exists. Then an unknown one may stand behind a test.
func probesMembers(file *syntax.File) (found bool) {
	for _, stmt := range file.Stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if id, ok := n.(*syntax.Ident); ok && (id.Name == "hasattr" || id.Name == "dir") {
				found = true
			}
			return !found
		})
	}
	return found
}

func unparen(x syntax.Expr) syntax.Expr {
	for {
		paren, ok := x.(*syntax.ParenExpr)
		if !ok {
			return x
		}
		x = paren.X
	}
}
