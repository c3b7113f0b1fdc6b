package authz

import (
	"context"
	"errors"
)

// ErrDenied is the recognized denial. An [Authorizer] returns an error that
// wraps it to refuse a call; any other error is a failure of the policy itself.
var ErrDenied = errors.New("permission denied")

// AuthorizationInput is what an [Authorizer] decides on.
type AuthorizationInput struct {
	// Subject is the trusted subject of the execution.
	Subject Subject
	// CapabilityID is the stable identity of the capability, for policy.
	CapabilityID string
	// CapabilityName is the dotted name that a program uses. It may change while
	// the ID stays; decide on the ID.
	CapabilityName string
	// Arguments holds the validated keyword arguments: string, int64, bool and
	// finite float64 values. An argument that was omitted, or given as None,
	// has no key. The map is fresh for every call and is not what the handler
	// gets, so changing it changes no call.
	Arguments map[string]any
}

// An Authorizer decides on one native call. It returns nil to allow it, an
// error that wraps [ErrDenied] to deny it, and any other error when it cannot
// decide. It is called concurrently, and should return soon after ctx has ended:
// the time it takes is the program's.
type Authorizer interface {
	Authorize(ctx context.Context, input AuthorizationInput) error
}

// AuthorizerFunc makes an ordinary function an [Authorizer].
type AuthorizerFunc func(ctx context.Context, input AuthorizationInput) error

// Authorize calls f. A nil f decides nothing: it returns an error that is not a denial,
// so that a policy that was never wired up shows as broken.
func (f AuthorizerFunc) Authorize(ctx context.Context, input AuthorizationInput) error {
	if f == nil {
		return errors.New("authz: authorizer function is nil")
	}
	return f(ctx, input)
}

// AllowAllAuthorizer allows every call.
type AllowAllAuthorizer struct{}

// AllowAll returns an authorizer that allows every call whose arguments bind.
// Use it only when every subject may call every enabled capability.
func AllowAll() AllowAllAuthorizer { return AllowAllAuthorizer{} }

// Authorize returns nil.
func (AllowAllAuthorizer) Authorize(context.Context, AuthorizationInput) error { return nil }
