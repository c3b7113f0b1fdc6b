package codemode

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/sandbox"
)

// Options configures one server. Only Authorizer is required; every other zero
// value is the standard behaviour, which the options only widen or narrow.
type Options struct {
	// Authorizer decides on every native call. Required.
	Authorizer authz.Authorizer
	// DisabledCapabilities are left out of search, description, programs and
	// dispatch. Each must name a registered capability, once.
	DisabledCapabilities []CapabilityID
	// Limits bounds programs and queries; zero fields mean the defaults.
	Limits Limits

	// ReadOnly leaves out every capability whose Effect is not read-only, as
	// if it were disabled.
	ReadOnly bool
	// RelaxedSearch makes every capability that matches one word of a query a
	// result, ranked; the standard search wants most words to match.
	RelaxedSearch bool
	// Observer is told of every execution and every native call. Nil: nobody.
	Observer Observer
	// IdleWorkers is how many workers wait, started ahead. Zero means the
	// default of package sandbox, a negative value none.
	IdleWorkers int
	// Confinement names what must be enforced on every worker. Build fails
	// where this machine cannot enforce it. Zero requires nothing: what can be
	// had is enforced anyway, and [Server.Confinement] reports it.
	Confinement sandbox.Layers
}

func (o Options) validate(ids map[CapabilityID]bool, byName map[CapabilityName]CapabilityID) error {
	var errs []error
	if isNil(o.Authorizer) {
		errs = append(errs, invalid("Options.Authorizer: got nil, want an authorizer (authz.AllowAll() allows every call)"))
	}
	if o.Observer != nil && isNil(o.Observer) {
		errs = append(errs, invalid("Options.Observer: got a nil %T", o.Observer))
	}
	seen := make(map[CapabilityID]bool)
	for _, id := range o.DisabledCapabilities {
		switch {
		case seen[id]:
			errs = append(errs, invalid("Options.DisabledCapabilities: %q is listed twice", id))
		case !ids[id] && byName[CapabilityName(id)] != "":
			errs = append(errs, invalid("Options.DisabledCapabilities: %q is the name of a capability, want its ID %q", id, byName[CapabilityName(id)]))
		case !ids[id]:
			errs = append(errs, invalid("Options.DisabledCapabilities: %q is the ID of no registered capability", id))
		}
		seen[id] = true
	}
	return errors.Join(append(errs, o.Limits.Validate())...)
}

// isNil reports whether v is nil or an interface that holds a nil value.
func isNil(v any) bool {
	if v == nil {
		return true
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Chan, reflect.Func, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer:
		return rv.IsNil()
	default:
		return false
	}
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrInvalidRegistration}, args...)...)
}
