package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// compile parses modules in the order of their filenames, so that a policy with
// several mistakes is reported the same way every time, and compiles them.
func compile(ctx context.Context, capabilities *ast.Capabilities, modules map[string]string) (*ast.Compiler, error) {
	if len(modules) == 0 {
		return nil, errors.New("rego: no modules: want at least one")
	}
	parsed := make(map[string]*ast.Module, len(modules))
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("rego: module filename %q is blank", name)
		}
		module, err := parseModule(capabilities, name, modules[name])
		if err != nil {
			return nil, err
		}
		parsed[name] = module
	}
	compiler := ast.NewCompiler().
		WithCapabilities(capabilities).
		WithDefaultRegoVersion(ast.RegoV1).
		WithUseTypeCheckAnnotations(true).
		WithEnablePrintStatements(false)
	if compiler.Compile(parsed); compiler.Failed() {
		return nil, fmt.Errorf("rego: %w", compiler.Errors)
	}
	return compiler, nil
}

// parseModule parses one module with its metadata, which OPA would otherwise
// take for comments: a schema in it that leads elsewhere has to be refused.
func parseModule(capabilities *ast.Capabilities, name, source string) (*ast.Module, error) {
	module, err := ast.ParseModuleWithOpts(name, source, ast.ParserOptions{
		Capabilities:      capabilities,
		ProcessAnnotation: true,
		RegoVersion:       ast.RegoV1,
	})
	if err != nil {
		return nil, fmt.Errorf("rego: %w", err)
	}
	for _, annotations := range module.Annotations {
		if err := checkSchemas(annotations); err != nil {
			return nil, err
		}
	}
	return module, nil
}
