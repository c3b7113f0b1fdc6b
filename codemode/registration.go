package codemode

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/codemode/internal/engine"
)

const (
	maxSearchTerms     = 16
	maxSearchTermBytes = 1024
)

// A registration is one capability with its type arguments compiled away.
type registration struct {
	id          CapabilityID
	name        CapabilityName
	summary     string
	description string
	terms       []string
	effect      Effect
	plan        *binding.Plan
	handle      func(context.Context, authz.Subject, any) (any, error)
	faults      []error
}

// Register adds a capability to builder. Faults of the capability are kept and
// returned, all together, by [Builder.Build]. Register panics when builder is
// nil or its Build was called, since no Build could report that.
//
// Input and Output are structs. Input fields are string, int64, bool, float64
// and named types of these kinds, or pointers to them, which makes them
// optional. Output fields may nest structs, slices, arrays, maps with string
// keys, pointers and every numeric kind but complex. One json tag may rename a
// field; package binding has all rules.
func Register[Input, Output any](builder *Builder, capability Capability[Input, Output]) {
	builder.mustBeOpen()
	r := &registration{
		id:          capability.ID,
		name:        capability.Name,
		summary:     capability.Summary,
		description: capability.Description,
		terms:       slices.Clone(capability.SearchTerms),
		effect:      capability.Effect,
	}
	if r.id == "" {
		r.id = CapabilityID(r.name)
	}
	if r.description == "" {
		r.description = r.summary
	}
	plan, err := binding.CompileFor[Input, Output]()
	r.typeFaults(err)
	if err == nil && shapeBytes(plan.Output(), make(map[*binding.Type]int)) > maxShapeBytes {
		r.fault("output: its shape takes more than %d bytes to describe: use fewer structs inside structs", maxShapeBytes)
	}
	r.plan = plan
	if handler := capability.Handler; handler == nil {
		r.fault("Handler: got nil, want a function")
	} else {
		r.handle = func(ctx context.Context, subject authz.Subject, input any) (any, error) {
			return handler(ctx, subject, input.(Input))
		}
	}
	r.checkMetadata()
	builder.registrations = append(builder.registrations, r)
}

func (r *registration) fault(format string, args ...any) {
	r.faults = append(r.faults, fmt.Errorf(format, args...))
}

// typeFaults takes the joined faults of the two types apart, so that each gets
// the capability's name.
func (r *registration) typeFaults(err error) {
	switch joined := err.(type) {
	case nil:
	case interface{ Unwrap() []error }:
		r.faults = append(r.faults, joined.Unwrap()...)
	default:
		r.faults = append(r.faults, err)
	}
}

func (r *registration) checkMetadata() {
	if err := checkName(string(r.name)); err != nil {
		r.fault("Name: %w", err)
	}
	if string(r.id) != string(r.name) { // else it is the name, which was checked
		r.checkText("ID", string(r.id))
	}
	r.checkText("Summary", r.summary)
	if r.description != r.summary {
		r.checkText("Description", r.description)
	}
	if !r.effect.valid() {
		r.fault("Effect: got %d, want one of the Effect constants", uint8(r.effect))
	}
	if len(r.terms) > maxSearchTerms {
		r.fault("SearchTerms: got %d phrases, want at most %d", len(r.terms), maxSearchTerms)
	}
	size := 0
	for i, term := range r.terms {
		r.checkText(fmt.Sprintf("SearchTerms[%d]", i), term)
		size += len(term)
	}
	if size > maxSearchTermBytes {
		r.fault("SearchTerms: got %d bytes, want at most %d together", size, maxSearchTermBytes)
	}
}

func (r *registration) checkText(field, text string) {
	switch {
	case text == "":
		r.fault("%s: got an empty text", field)
	case !utf8.ValidString(text):
		r.fault("%s: got invalid UTF-8", field)
	case strings.TrimSpace(text) != text:
		r.fault("%s: got surrounding white space in %.80q", field, text)
	}
}

func checkName(name string) error {
	segments := strings.Split(name, ".")
	if len(segments) < 2 {
		return fmt.Errorf("got %.80q, want at least two segments, such as records.lookup", name)
	}
	for _, segment := range segments {
		if !engine.IsIdentifier(segment) {
			return fmt.Errorf("got %.80q, in which %.80q is no Starlark identifier", name, segment)
		}
	}
	if engine.ReservedRoot(segments[0]) {
		return fmt.Errorf("got %.80q, whose first segment %q is reserved by the language", name, segments[0])
	}
	return nil
}

// err returns all faults, each naming the capability.
func (r *registration) err(position int) error {
	label := fmt.Sprintf("capability %q", string(r.name))
	if r.name == "" {
		label = fmt.Sprintf("capability %q, registered as number %d", string(r.id), position+1)
	}
	var errs []error
	for _, fault := range r.faults {
		errs = append(errs, invalid("%s: %w", label, fault))
	}
	return errors.Join(errs...)
}

// metadataBytes is what the capability adds to the searchable metadata.
func (r *registration) metadataBytes() int {
	n := len(r.name) + len(r.summary) + len(r.description)
	for _, term := range r.terms {
		n += len(term)
	}
	return n
}
