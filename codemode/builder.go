package codemode

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/codemode-go/codemode/codemode/internal/engine"
	"github.com/codemode-go/codemode/sandbox"
	"github.com/codemode-go/codemode/search"
)

const (
	maxRegistrations = 4096
	maxMetadataBytes = 4 << 20
)

// A Builder collects capabilities for one server. It is used by one goroutine
// and by one call of Build.
type Builder struct {
	options       Options
	registrations []*registration
	closed        bool
}

// New returns a builder with a copy of options, which Build validates.
func New(options Options) *Builder {
	options.DisabledCapabilities = slices.Clone(options.DisabledCapabilities)
	return &Builder{options: options}
}

func (b *Builder) mustBeOpen() {
	if b == nil {
		panic("codemode: Register with a nil Builder")
	}
	if b.closed {
		panic("codemode: Register after Build")
	}
}

// Build validates everything that was registered and returns the server. Its
// error, which matches [ErrInvalidRegistration], joins all faults. Only when
// there are none does it start one worker, for at most five seconds, to see
// that the host calls [ServeWorkerAndExit] first.
//
// The first call closes the builder, whatever it returns.
func (b *Builder) Build() (*Server, error) {
	if b == nil {
		return nil, invalid("Build with a nil Builder")
	}
	if b.closed {
		return nil, invalid("Build was called before; each server needs a builder of its own")
	}
	b.closed = true
	options := b.options
	options.Limits = options.Limits.withDefaults()
	if err := errors.Join(b.checkRegistrations(), options.validate(b.identities())); err != nil {
		return nil, err
	}
	catalog := newCatalog(b.registrations, options)
	if err := errors.Join(catalog.checkResults(), catalog.checkFrames(options.Limits)); err != nil {
		return nil, err
	}
	index, err := search.New(catalog.documents(), search.Options{Relaxed: options.RelaxedSearch})
	if err != nil {
		return nil, invalid("search index: %w", err)
	}
	pool, err := sandbox.New(context.Background(), poolOptions(options, catalog))
	if err != nil {
		return nil, invalid("%w", err)
	}
	return &Server{
		limits:     options.Limits,
		authorizer: options.Authorizer,
		observer:   options.Observer,
		catalog:    catalog,
		index:      index,
		pool:       pool,
	}, nil
}

func (b *Builder) identities() (ids map[CapabilityID]bool, byName map[CapabilityName]CapabilityID) {
	ids = make(map[CapabilityID]bool, len(b.registrations))
	byName = make(map[CapabilityName]CapabilityID, len(b.registrations))
	for _, r := range b.registrations {
		ids[r.id], byName[r.name] = true, r.id
	}
	return ids, byName
}

// checkRegistrations returns the faults of every capability and those between
// capabilities.
func (b *Builder) checkRegistrations() error {
	var errs []error
	if n := len(b.registrations); n > maxRegistrations {
		errs = append(errs, invalid("got %d capabilities, want at most %d: remove some or split them across servers", n, maxRegistrations))
	}
	names := make(map[string]bool, len(b.registrations))
	ids := make(map[CapabilityID]bool, len(b.registrations))
	metadata := 0
	for _, r := range b.registrations {
		if r.name != "" && names[string(r.name)] {
			r.fault("Name: it is registered twice")
		}
		if r.id != "" && ids[r.id] {
			r.fault("ID: %q is registered twice", r.id)
		}
		names[string(r.name)], ids[r.id] = true, true
		metadata += r.metadataBytes()
	}
	for i, r := range b.registrations {
		for at, c := range r.name {
			if c == '.' && names[string(r.name[:at])] {
				r.fault("Name: its namespace %q is a capability itself", r.name[:at])
			}
		}
		if err := r.err(i); err != nil {
			errs = append(errs, err)
		}
	}
	if metadata > maxMetadataBytes {
		errs = append(errs, invalid("got %d bytes of names, summaries, descriptions and search terms, want at most %d: shorten them, remove capabilities or split them across servers", metadata, maxMetadataBytes))
	}
	return errors.Join(errs...)
}

// poolOptions derives the caps of every frame from the limits and the catalog.
func poolOptions(options Options, catalog *catalog) sandbox.Options {
	limits := options.Limits
	return sandbox.Options{
		Setup:            catalog.manifest(limits),
		Entry:            "codemode.ServeWorkerAndExit()",
		MaxWorkers:       limits.MaxConcurrentExecutions,
		Idle:             options.IdleWorkers,
		MaxJobBytes:      limits.MaxSourceBytes + 1,
		MaxTargetBytes:   catalog.longestID,
		MaxArgumentBytes: limits.MaxValueBytes,
		MaxReplyBytes:    limits.MaxValueBytes,
		MaxValueBytes:    max(limits.MaxValueBytes, maxProblemBytes),
		MaxDetailBytes:   maxDetailBytes,
		MemoryBytes:      limits.MaxWorkerMemoryBytes,
		CPUTime:          cpuTime(limits.MaxExecutionTime),
		Require:          options.Confinement,
	}
}

// manifest is what every worker receives: input shapes and its own budgets.
func (c *catalog) manifest(limits Limits) []byte {
	capabilities := make([]engine.Capability, len(c.entries))
	for i, e := range c.entries {
		capabilities[i] = engine.Capability{ID: string(e.id), Name: string(e.name), Input: e.plan.Input()}
	}
	slices.SortFunc(capabilities, func(a, b engine.Capability) int { return strings.Compare(a.Name, b.Name) })
	return engine.AppendManifest(nil, engine.Limits{
		MaxSteps:      limits.MaxExecutionSteps,
		MaxCalls:      limits.MaxNativeCalls,
		MaxValueDepth: limits.depth(),
		MaxValueBytes: limits.MaxValueBytes,
	}, capabilities)
}

// cpuTime is the backstop behind the deadline. It counts all threads of a
// worker, of which the interpreter and the garbage collector keep two busy.
func cpuTime(deadline time.Duration) time.Duration {
	if deadline > math.MaxInt64/4 {
		return 0
	}
	return 2*deadline + 2*time.Second
}
