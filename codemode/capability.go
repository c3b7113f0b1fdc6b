package codemode

import (
	"context"

	"github.com/codemode-go/codemode/authz"
)

// A CapabilityID is the stable identity of a capability in policies and
// deployment filters. It survives a change of name.
type CapabilityID string

// A CapabilityName is the dotted name of a capability in discovery and in
// programs, such as "records.lookup".
type CapabilityName string

// A Handler does the work of a capability. It runs in the host, after its
// arguments were bound and the authorizer allowed the call, and may be called
// concurrently. Both type arguments are structs; see [Register].
type Handler[Input, Output any] func(context.Context, authz.Subject, Input) (Output, error)

// A Capability is one typed Go function that programs may call.
type Capability[Input, Output any] struct {
	// ID is the policy identity. Empty means Name. It must be unique and must
	// have no surrounding white space.
	ID CapabilityID
	// Name is the unique dotted name: two or more Starlark identifiers, the
	// first of which is no reserved root.
	Name CapabilityName
	// Summary is one compact line for search results. Required.
	Summary string
	// Description is what describe_api returns. Empty means Summary.
	Description string
	// SearchTerms are up to 16 further phrases, 1,024 bytes together, that
	// only search reads. They can be probed: put no secrets in them.
	SearchTerms []string
	// Effect says what a call may change. The zero value, EffectUnknown, is
	// treated as able to do anything.
	Effect Effect
	// Handler does the work. Required.
	Handler Handler[Input, Output]
}
