package codemode

import (
	"errors"
	"slices"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/sandbox"
	"github.com/codemode-go/codemode/search"
)

// A Server finds, describes and runs. It is immutable and safe for concurrent
// use. [Builder.Build] makes one.
type Server struct {
	limits     Limits
	authorizer authz.Authorizer
	observer   Observer
	catalog    *catalog
	index      *search.Index
	pool       *sandbox.Pool
}

// Close ends running executions and idle workers and returns when they are
// gone. Later executions fail with [ErrInternal]; search and description go
// on. A second Close does nothing. A server that is dropped without Close
// leaves no process behind either.
func (s *Server) Close() error {
	if !s.built() {
		return nil
	}
	return s.pool.Close()
}

// built reports whether Build made s. A Server that it did not make is an
// unexpected state: its operations fail with [ErrInternal].
func (s *Server) built() bool { return s != nil && s.pool != nil }

// Search returns the enabled capabilities that query finds, best first, as
// many as MaxSearchResults and a bound on the bytes of the response allow. A
// query without words, or one that finds nothing, succeeds with no results. A
// query that is too long, or has more than 16 distinct words, is
// [ErrResourceLimit].
func (s *Server) Search(query string) (SearchResponse, error) {
	if !s.built() {
		return SearchResponse{}, ErrInternal
	}
	if err := s.checkQuery(query); err != nil {
		return SearchResponse{}, err
	}
	matches, total, err := s.index.Search(query, s.limits.MaxSearchResults)
	if err != nil {
		return SearchResponse{}, searchClass(err)
	}
	response := SearchResponse{Results: make([]SearchResult, 0, len(matches))}
	size := emptyResponseBytes
	for _, match := range matches {
		e := s.catalog.entries[match.Document]
		size += e.resultBytes + len(",")
		if size-len(",") > maxResponseBytes {
			break
		}
		response.Results = append(response.Results, e.result)
	}
	response.Truncated = len(response.Results) < total
	return response, nil
}

func (s *Server) checkQuery(query string) error {
	if len(query) > s.limits.MaxSearchQueryBytes {
		return ErrResourceLimit
	}
	return nil
}

func searchClass(err error) error {
	if errors.Is(err, search.ErrTooManyTokens) {
		return ErrResourceLimit
	}
	return ErrInternal
}

// Describe returns the contract of the enabled capability with exactly this
// name, and [ErrNotFound] for every other name.
func (s *Server) Describe(name CapabilityName) (Description, error) {
	if !s.built() {
		return Description{}, ErrInternal
	}
	e, ok := s.catalog.byName[name]
	if !ok {
		return Description{}, ErrNotFound
	}
	return Description{
		Name:        e.result.Name,
		Signature:   e.result.Signature,
		Summary:     e.summary,
		Description: e.description,
		Input:       slices.Clone(e.input),
		Output:      slices.Clone(e.output),
	}, nil
}
