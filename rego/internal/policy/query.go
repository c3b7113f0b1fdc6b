// Package policy prepares one Rego decision and evaluates it. It is what package
// rego and package regotest share, so that a policy is tested by the very code
// that will enforce it.
package policy

import (
	"context"
	"errors"
	"fmt"

	"github.com/codemode-go/codemode/authz"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/metrics"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// An Outcome is what a decision came to.
type Outcome uint8

// Only a Boolean decides. Failed comes with the error of the evaluation.
const (
	Failed Outcome = iota
	Allowed
	Denied
	Undefined
	NotBoolean
)

// A Query is one prepared decision of a compiled policy. It is immutable and safe
// for concurrent use.
type Query struct {
	reference ast.Ref
	compiler  *ast.Compiler
	prepared  rego.PreparedEvalQuery
}

// Prepare compiles modules and prepares decision. An error of ctx goes before any
// other.
func Prepare(ctx context.Context, decision string, modules map[string]string) (*Query, error) {
	if ctx == nil {
		return nil, errors.New("rego: context is nil")
	}
	query, err := prepare(ctx, decision, modules)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	return query, err
}

func prepare(ctx context.Context, decision string, modules map[string]string) (*Query, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	body, reference, err := parseReference(decision)
	if err != nil {
		return nil, err
	}
	capabilities := Capabilities()
	compiler, err := compile(ctx, capabilities, modules)
	if err != nil {
		return nil, err
	}
	prepared, err := rego.New(
		rego.ParsedQuery(body),
		rego.Compiler(compiler),
		rego.Capabilities(capabilities),
		rego.SetRegoVersion(ast.RegoV1),
		rego.StrictBuiltinErrors(true),
		rego.EnablePrintStatements(false),
		rego.GenerateJSON(booleanOnly),
	).PrepareForEval(ctx)
	if err != nil {
		return nil, fmt.Errorf("rego: %w", err)
	}
	return &Query{reference: reference, compiler: compiler, prepared: prepared}, nil
}

// booleanOnly stands in for OPA's conversion of a result to Go values. A decision
// is a Boolean or wrong; what it is instead need not be copied.
func booleanOnly(term *ast.Term, _ *rego.EvalContext) (any, error) {
	if boolean, ok := term.Value.(ast.Boolean); ok {
		return bool(boolean), nil
	}
	return nil, nil
}

// withoutMetrics keeps OPA from timing every evaluation into a registry that
// nobody reads.
var withoutMetrics = rego.EvalMetrics(metrics.NoOp())

// Evaluate decides on input once. The error is that of ctx if it has ended, even if
// the evaluation came to a result.
func (q *Query) Evaluate(ctx context.Context, input authz.AuthorizationInput, tracers ...topdown.QueryTracer) (Outcome, error) {
	if err := ctx.Err(); err != nil {
		return Failed, err
	}
	document, err := inputDocument(input)
	if err != nil {
		return Failed, err
	}
	options := make([]rego.EvalOption, 0, 4)
	options = append(options, withoutMetrics, rego.EvalParsedInput(document), rego.EvalExternalCancel(ended{ctx}))
	for _, tracer := range tracers {
		options = append(options, rego.EvalQueryTracer(tracer))
	}
	results, err := q.prepared.Eval(ctx, options...)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return Failed, ctxErr
	}
	if err != nil {
		return Failed, fmt.Errorf("rego: %w", err)
	}
	return outcome(results)
}

// Decides reports whether the value of rule is the decision or a part of it.
func (q *Query) Decides(rule *ast.Rule) bool {
	if len(rule.Head.Args) > 0 {
		return false
	}
	path := rule.Ref().GroundPrefix()
	return path.HasPrefix(q.reference) || q.reference.HasPrefix(path)
}

// Modules returns the compiled modules by filename. They are read-only.
func (q *Query) Modules() map[string]*ast.Module { return q.compiler.Modules }

// Title returns the title that rule bears in its metadata, or "".
func (q *Query) Title(rule *ast.Rule) string {
	for _, annotations := range q.compiler.GetAnnotationSet().GetRuleScope(rule) {
		if annotations.Title != "" {
			return annotations.Title
		}
	}
	return ""
}

func outcome(results rego.ResultSet) (Outcome, error) {
	if len(results) == 0 {
		return Undefined, nil
	}
	if len(results) != 1 || len(results[0].Expressions) != 1 {
		return Failed, errors.New("rego: decision has more than one value")
	}
	switch results[0].Expressions[0].Value {
	case true:
		return Allowed, nil
	case false:
		return Denied, nil
	}
	return NotBoolean, nil
}

// ended lets the evaluator ask the context itself at every step. By default OPA starts a
// goroutine for each evaluation that waits for the context and sets a flag.
type ended struct{ ctx context.Context }

func (e ended) Cancelled() bool { return e.ctx.Err() != nil }

// Cancel is never called by an evaluation.
func (e ended) Cancel() {}
