package policy

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Capabilities returns what a policy may use: OPA's Rego v1 without the builtins
// that OPA marks nondeterministic. The rule is OPA's mark, not a list of ours, so
// that a builtin added by a later OPA is judged too.
func Capabilities() *ast.Capabilities {
	capabilities := ast.CapabilitiesForThisVersion(ast.CapabilitiesRegoVersion(ast.RegoV1))
	capabilities.Builtins = slices.DeleteFunc(capabilities.Builtins, (*ast.Builtin).IsNondeterministic)
	// Nil would mean every host. Only the type checker still asks: it loads what
	// a schema refers to.
	capabilities.AllowNet = []string{}
	return capabilities
}
