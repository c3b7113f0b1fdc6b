package policy

import (
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
)

// parseReference parses decision and refuses everything that is not one ground
// reference into data. OPA's own ParseRef is not enough: it drops a `not` and a
// `with`, and it takes data.p[input.x] for ground because input.x has no
// variable in it.
func parseReference(decision string) (ast.Body, ast.Ref, error) {
	body, err := ast.ParseBodyWithOpts(decision, ast.ParserOptions{
		RegoVersion: ast.RegoV1,
		SkipRules:   true,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("rego: decision %q: %w", decision, err)
	}
	ref, ok := soleReference(body)
	if !ok {
		return nil, nil, fmt.Errorf("rego: decision %q: want one reference such as data.codemode.authz.allow", decision)
	}
	if !ref.HasPrefix(ast.DefaultRootRef) || len(ref) < 2 {
		return nil, nil, fmt.Errorf("rego: decision %q: want a reference that starts with data and names a rule", decision)
	}
	for _, part := range ref[1:] {
		if !ast.IsConstant(part.Value) {
			return nil, nil, fmt.Errorf("rego: decision %q: part %v is not a constant", decision, part)
		}
	}
	return body, ref, nil
}

// soleReference returns the reference that body consists of.
func soleReference(body ast.Body) (ast.Ref, bool) {
	if len(body) != 1 || body[0].Negated || len(body[0].With) > 0 {
		return nil, false
	}
	term, ok := body[0].Terms.(*ast.Term)
	if !ok {
		return nil, false
	}
	ref, ok := term.Value.(ast.Ref)
	return ref, ok
}
