package codemode

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// Limits bounds what programs and queries may use. A zero field means its
// value in [DefaultLimits], never "unlimited".
type Limits struct {
	// MaxSourceBytes bounds the source of a program. Default 65,536.
	MaxSourceBytes int
	// MaxExecutionSteps bounds the bytecode steps of one execution; what a
	// built-in function does inside counts as none. Default 1,000,000.
	MaxExecutionSteps uint64
	// MaxExecutionTime bounds one execution from before it waits for a worker
	// to its end, handlers included. Default 5 s.
	MaxExecutionTime time.Duration
	// MaxNativeCalls bounds the attempted native calls of one execution.
	// Default 100.
	MaxNativeCalls uint64
	// MaxValueDepth bounds the nesting of the arguments of a call, of a result
	// and of the final value, inclusive: a scalar is 1, each list, tuple or
	// dict around it adds 1. Default 32; more than 10,000 counts as 10,000.
	MaxValueDepth int
	// MaxValueBytes bounds the encoded body of each of those values. Default
	// 1 MiB.
	MaxValueBytes int
	// MaxIntermediateValueBytes bounds the sum of the encoded bodies of all
	// native results of one execution. Default 8 MiB.
	MaxIntermediateValueBytes int
	// MaxSearchQueryBytes bounds a raw search query. Default 256.
	MaxSearchQueryBytes int
	// MaxSearchResults bounds the results of one search. Default 20.
	MaxSearchResults int
	// MaxConcurrentExecutions bounds the worker processes that live at once,
	// idle and starting ones included. Default 8.
	MaxConcurrentExecutions int
	// MaxWorkerMemoryBytes bounds the memory that one worker may add to what
	// it has when it starts. Default 256 MiB; less than 64 MiB is refused. In
	// hosts that are built with cgo, workers with less than 128 MiB may run
	// out of it without cause.
	MaxWorkerMemoryBytes int64
}

// deepest is the nesting that package encoding/json still reads. A value that
// is much deeper ends the process that writes it as JSON, for want of stack.
const deepest = 10_000

// depth is MaxValueDepth as it is enforced.
func (l Limits) depth() int { return min(l.MaxValueDepth, deepest) }

const minWorkerMemoryBytes = 64 << 20

// DefaultLimits returns the default of every field.
func DefaultLimits() Limits {
	return Limits{
		MaxSourceBytes:            64 << 10,
		MaxExecutionSteps:         1_000_000,
		MaxExecutionTime:          5 * time.Second,
		MaxNativeCalls:            100,
		MaxValueDepth:             32,
		MaxValueBytes:             1 << 20,
		MaxIntermediateValueBytes: 8 << 20,
		MaxSearchQueryBytes:       256,
		MaxSearchResults:          20,
		MaxConcurrentExecutions:   8,
		MaxWorkerMemoryBytes:      256 << 20,
	}
}

// Validate reports every field that is zero or negative, or too small to run a
// worker, in one joined error that matches [ErrInvalidRegistration].
func (l Limits) Validate() error {
	return errors.Join(
		positive("MaxSourceBytes", l.MaxSourceBytes),
		positive("MaxExecutionSteps", l.MaxExecutionSteps),
		positive("MaxExecutionTime", l.MaxExecutionTime),
		positive("MaxNativeCalls", l.MaxNativeCalls),
		positive("MaxValueDepth", l.MaxValueDepth),
		positive("MaxValueBytes", l.MaxValueBytes),
		positive("MaxIntermediateValueBytes", l.MaxIntermediateValueBytes),
		positive("MaxSearchQueryBytes", l.MaxSearchQueryBytes),
		positive("MaxSearchResults", l.MaxSearchResults),
		positive("MaxConcurrentExecutions", l.MaxConcurrentExecutions),
		l.validateMemory(),
	)
}

func (l Limits) validateMemory() error {
	if err := positive("MaxWorkerMemoryBytes", l.MaxWorkerMemoryBytes); err != nil {
		return err
	}
	if l.MaxWorkerMemoryBytes < minWorkerMemoryBytes {
		return fmt.Errorf("%w: limit MaxWorkerMemoryBytes: got %d, want at least %d", ErrInvalidRegistration, l.MaxWorkerMemoryBytes, minWorkerMemoryBytes)
	}
	return nil
}

func positive[T int | int64 | uint64 | time.Duration](name string, value T) error {
	if value > 0 {
		return nil
	}
	return fmt.Errorf("%w: limit %s: got %v, want a positive value", ErrInvalidRegistration, name, value)
}

// withDefaults replaces every zero field.
func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	return Limits{
		MaxSourceBytes:            cmp.Or(l.MaxSourceBytes, d.MaxSourceBytes),
		MaxExecutionSteps:         cmp.Or(l.MaxExecutionSteps, d.MaxExecutionSteps),
		MaxExecutionTime:          cmp.Or(l.MaxExecutionTime, d.MaxExecutionTime),
		MaxNativeCalls:            cmp.Or(l.MaxNativeCalls, d.MaxNativeCalls),
		MaxValueDepth:             cmp.Or(l.MaxValueDepth, d.MaxValueDepth),
		MaxValueBytes:             cmp.Or(l.MaxValueBytes, d.MaxValueBytes),
		MaxIntermediateValueBytes: cmp.Or(l.MaxIntermediateValueBytes, d.MaxIntermediateValueBytes),
		MaxSearchQueryBytes:       cmp.Or(l.MaxSearchQueryBytes, d.MaxSearchQueryBytes),
		MaxSearchResults:          cmp.Or(l.MaxSearchResults, d.MaxSearchResults),
		MaxConcurrentExecutions:   cmp.Or(l.MaxConcurrentExecutions, d.MaxConcurrentExecutions),
		MaxWorkerMemoryBytes:      cmp.Or(l.MaxWorkerMemoryBytes, d.MaxWorkerMemoryBytes),
	}
}
