package rego

import (
	"context"
	"errors"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/rego/internal/policy"
)

var _ authz.Authorizer = (*Authorizer)(nil)

// An Authorizer decides on native calls with one prepared Rego decision. It is
// immutable and safe for concurrent use. Only [New] makes a usable one.
type Authorizer struct {
	query *policy.Query
}

// New compiles modules, which are Rego v1 sources keyed by non-blank filename, and
// prepares decision, which is one ground reference into data with at least one
// more part, such as data.codemode.authz.allow. White space around it is OPA's
// parser's affair.
//
// It is an error if ctx is nil or has ended, if there are no modules, if the
// decision is anything else than such a reference (a variable, input, another
// reference inside, not, with), if a module does not compile, or if it uses a
// builtin that policies do not have. The error of an ended ctx goes before any
// other. Filenames appear in errors and name no file on disk.
//
// New cannot know whether the decision will be defined and Boolean for every
// input; [Authorizer.Authorize] finds out.
func New(ctx context.Context, decision string, modules map[string]string) (*Authorizer, error) {
	query, err := policy.Prepare(ctx, decision, modules)
	if err != nil {
		return nil, err
	}
	return &Authorizer{query: query}, nil
}

// Authorize evaluates the decision once. It returns nil if the decision is true and
// [authz.ErrDenied] if it is false. An undefined decision, a decision that is not
// Boolean, and a failed evaluation are ordinary errors: the policy, not the
// subject, is at fault. If ctx has ended before or during the evaluation,
// Authorize returns ctx.Err().
//
// The arguments are read until Authorize returns and never changed.
func (a *Authorizer) Authorize(ctx context.Context, input authz.AuthorizationInput) error {
	if a == nil || a.query == nil {
		return errors.New("rego: authorizer is not made by New")
	}
	if ctx == nil {
		return errors.New("rego: context is nil")
	}
	outcome, err := a.query.Evaluate(ctx, input)
	if err != nil {
		return err
	}
	switch outcome {
	case policy.Allowed:
		return nil
	case policy.Denied:
		return authz.ErrDenied
	case policy.Undefined:
		return errors.New("rego: decision is undefined")
	}
	return errors.New("rego: decision must be boolean")
}
