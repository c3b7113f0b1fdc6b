package codemode

import (
	"github.com/codemode-go/codemode/codemode/internal/engine"
)

// CleanDetail is what happens to the words of a worker.
var CleanDetail = cleanDetail

// InProcess returns what a worker of s runs, without a worker: the floor that
// the benchmarks compare with. call serves the native calls.
func InProcess(s *Server) (func(source string, call engine.CallFunc) error, error) {
	e, err := engine.New(s.catalog.manifest(s.limits))
	if err != nil {
		return nil, err
	}
	return func(source string, call engine.CallFunc) error {
		if fault := e.Run([]byte(source), call).Fault; fault != nil {
			return faultError{fault.Detail}
		}
		return nil
	}, nil
}

type faultError struct{ detail string }

func (e faultError) Error() string { return e.detail }
