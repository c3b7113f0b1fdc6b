package mcpserver_test

import (
	"slices"
	"time"
)

// A stopwatch keeps the times of one term of an interleaved benchmark.
type stopwatch []time.Duration

func (s *stopwatch) time(f func()) {
	start := time.Now()
	f()
	*s = append(*s, time.Since(start))
}

// median returns nanoseconds.
func (s stopwatch) median() float64 {
	slices.Sort(s)
	return float64(s[len(s)/2])
}
