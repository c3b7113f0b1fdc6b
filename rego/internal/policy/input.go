package policy

import (
	"fmt"
	"math"
	"strconv"

	"github.com/codemode-go/codemode/authz"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/util"
)

// The keys of the input document are shared by all evaluations: a string term
// is never written to.
var (
	keySubject    = ast.StringTerm("subject")
	keyCapability = ast.StringTerm("capability")
	keyArguments  = ast.StringTerm("arguments")
	keyID         = ast.StringTerm("id")
	keyName       = ast.StringTerm("name")
)

// inputDocument builds the document that policies know as input. Building OPA's
// values by hand saves the conversion through JSON that OPA does with a Go map,
// a third of a small decision.
func inputDocument(input authz.AuthorizationInput) (ast.Value, error) {
	terms := make(termBlock, 0, 6+2*len(input.Arguments))
	arguments := make([][2]*ast.Term, 0, len(input.Arguments))
	for name, argument := range input.Arguments {
		value, err := inputValue(argument)
		if err != nil {
			return nil, fmt.Errorf("rego: argument %q: %w", name, err)
		}
		arguments = append(arguments, ast.Item(terms.add(ast.String(name)), terms.add(value)))
	}
	subject := ast.NewObject(
		ast.Item(keyID, terms.add(ast.String(input.Subject.ID))),
	)
	capability := ast.NewObject(
		ast.Item(keyID, terms.add(ast.String(input.CapabilityID))),
		ast.Item(keyName, terms.add(ast.String(input.CapabilityName))),
	)
	return ast.NewObject(
		ast.Item(keySubject, terms.add(subject)),
		ast.Item(keyCapability, terms.add(capability)),
		ast.Item(keyArguments, terms.add(ast.NewObject(arguments...))),
	), nil
}

// A termBlock holds the terms of one document in one allocation. Its capacity is
// fixed beforehand: growing would tear earlier terms from their pointers.
type termBlock []ast.Term

func (b *termBlock) add(value ast.Value) *ast.Term {
	*b = append(*b, ast.Term{Value: value})
	return &(*b)[len(*b)-1]
}

// inputValue converts one argument. The first four kinds are the canonical ones;
// whatever else a caller puts into the map by hand goes OPA's way through JSON.
func inputValue(argument any) (ast.Value, error) {
	switch argument := argument.(type) {
	case string:
		return ast.String(argument), nil
	case bool:
		return ast.Boolean(argument), nil
	case int64:
		return ast.Number(strconv.FormatInt(argument, 10)), nil
	case float64:
		if math.IsNaN(argument) || math.IsInf(argument, 0) {
			return nil, fmt.Errorf("got %v, want a finite number", argument)
		}
		return ast.Number(formatFloat(argument)), nil
	}
	// RoundTrip replaces what its argument points to; this copy is ours.
	if err := util.RoundTrip(&argument); err != nil {
		return nil, err
	}
	return ast.InterfaceToValue(argument)
}

// formatFloat writes the shortest digits that give f back, as encoding/json
// does: whole numbers without a point, so that 2.0 equals and prints like 2, and an
// exponent only where digits would be noise.
func formatFloat(f float64) string {
	format := byte('f')
	if magnitude := math.Abs(f); magnitude != 0 && (magnitude < 1e-6 || magnitude >= 1e21) {
		format = 'e'
	}
	return strconv.FormatFloat(f, format, -1, 64)
}
