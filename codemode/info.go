package codemode

import (
	"slices"
	"strings"

	"github.com/codemode-go/codemode/sandbox"
	"github.com/codemode-go/codemode/search"
)

// Info says what a server offers as a whole.
type Info struct {
	// Namespaces are the first segments of the enabled names, in order.
	Namespaces []NamespaceInfo
	// Effect is what a program that may call every enabled capability can
	// have; EffectReadOnly where none is enabled.
	Effect Effect
}

// NamespaceInfo is one top-level namespace.
type NamespaceInfo struct {
	Name         string
	Capabilities int
}

// Info returns what the server offers as a whole.
func (s *Server) Info() Info {
	if !s.built() {
		return Info{}
	}
	info := s.catalog.info
	info.Namespaces = slices.Clone(info.Namespaces)
	return info
}

// Limits returns the limits in force.
func (s *Server) Limits() Limits {
	if !s.built() {
		return Limits{}
	}
	return s.limits
}

// Confinement reports what confines the workers of this server on this
// machine, as its probe found it.
func (s *Server) Confinement() sandbox.Report {
	if !s.built() {
		return sandbox.Report{}
	}
	return s.pool.Report()
}

// Explain tells how query matches the enabled capability of that name, for
// authors of catalogs. It returns ErrNotFound for a name that is not enabled
// and ErrResourceLimit for a query that Search would refuse.
func (s *Server) Explain(query, name string) (search.Explanation, error) {
	if !s.built() {
		return search.Explanation{}, ErrInternal
	}
	if err := s.checkQuery(query); err != nil {
		return search.Explanation{}, err
	}
	if _, ok := s.catalog.byName[CapabilityName(name)]; !ok {
		return search.Explanation{}, ErrNotFound
	}
	explanation, err := s.index.Explain(query, name)
	if err != nil {
		return search.Explanation{}, searchClass(err)
	}
	return explanation, nil
}

// Lint reports what makes the enabled capabilities hard to find.
func (s *Server) Lint() []search.Finding {
	if !s.built() {
		return nil
	}
	return search.Lint(s.catalog.documents())
}

func summarize(entries []*entry) Info {
	info := Info{Effect: EffectReadOnly}
	counts := make(map[string]int)
	for _, e := range entries {
		root, _, _ := strings.Cut(string(e.name), ".")
		counts[root]++
		info.Effect = info.Effect.combine(e.effect)
	}
	for name, n := range counts {
		info.Namespaces = append(info.Namespaces, NamespaceInfo{Name: name, Capabilities: n})
	}
	slices.SortFunc(info.Namespaces, func(a, b NamespaceInfo) int { return strings.Compare(a.Name, b.Name) })
	return info
}
