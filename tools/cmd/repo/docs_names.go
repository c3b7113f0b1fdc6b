package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// exportedPackages returns the packages that fragments may mean, by name.
func (w *workspace) exportedPackages(ctx context.Context) (map[string]*types.Package, error) {
	packages := make(map[string]*types.Package)
	for _, m := range w.libraries() {
		if m.name == commandsModule {
			continue
		}
		api, err := exportedAPI(ctx, m.dir, m.path())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		for _, p := range api.Packages {
			packages[p.Name()] = p
		}
	}
	return packages, nil
}

// checkNames finds what a fragment takes from our packages and they do not
// have: names, and fields in literals. A fragment cannot be compiled, since it
// leaves out declarations, but it can be held to this.
func checkNames(fset *token.FileSet, fragment *ast.File, packages map[string]*types.Package) error {
	hidden := declared(fragment)
	var found error
	report := func(at ast.Node, format string, args ...any) {
		if found == nil {
			found = fmt.Errorf("%s: %s", fset.Position(at.Pos()), fmt.Sprintf(format, args...))
		}
	}
	member := func(node ast.Node) (object types.Object, p *types.Package, ok bool) {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return nil, nil, false
		}
		name, ok := selector.X.(*ast.Ident)
		if !ok || hidden[name.Name] || packages[name.Name] == nil {
			return nil, nil, false
		}
		p = packages[name.Name]
		return p.Scope().Lookup(selector.Sel.Name), p, true
	}
	ast.Inspect(fragment, func(node ast.Node) bool {
		if object, p, ok := member(node); ok && (object == nil || !object.Exported()) {
			report(node, "package %s has no %s", p.Path(), node.(*ast.SelectorExpr).Sel.Name)
		}
		literal, ok := node.(*ast.CompositeLit)
		if !ok {
			return true
		}
		if object, _, ok := member(unindexed(literal.Type)); ok && object != nil {
			for _, key := range unknownFields(literal, object.Type()) {
				report(key, "%s has no field %s", object.Name(), key.Name)
			}
		}
		return true
	})
	return found
}

// unindexed returns T of T[A, B].
func unindexed(expr ast.Expr) ast.Expr {
	switch expr := expr.(type) {
	case *ast.IndexExpr:
		return expr.X
	case *ast.IndexListExpr:
		return expr.X
	}
	return expr
}

func unknownFields(literal *ast.CompositeLit, of types.Type) (unknown []*ast.Ident) {
	structure, ok := of.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	fields := make(map[string]bool)
	for field := range structure.Fields() {
		fields[field.Name()] = true
	}
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && !fields[key.Name] {
				unknown = append(unknown, key)
			}
		}
	}
	return unknown
}

// declared returns the names that a fragment gives to things of its own, which
// may be the name of a package.
func declared(fragment *ast.File) map[string]bool {
	names := make(map[string]bool)
	add := func(list ...ast.Expr) {
		for _, expr := range list {
			if name, ok := expr.(*ast.Ident); ok {
				names[name.Name] = true
			}
		}
	}
	ast.Inspect(fragment, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			add(node.Lhs...)
		case *ast.RangeStmt:
			add(node.Key, node.Value)
		case *ast.ValueSpec:
			for _, name := range node.Names {
				add(name)
			}
		case *ast.Field:
			for _, name := range node.Names {
				add(name)
			}
		}
		return true
	})
	return names
}
