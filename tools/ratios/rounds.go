package ratios

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// minRounds is the fewest rounds whose median says anything.
const minRounds = 5

// A stopwatch times one thing in every round.
type stopwatch func() (time.Duration, error)

func timed(f func() error) stopwatch {
	return func() (time.Duration, error) {
		start := time.Now()
		err := f()
		return time.Since(start), err
	}
}

// A term is something that is measured in every round.
type term struct {
	name string
	time stopwatch
}

// medians runs all terms in turn until the time is up, and returns the median of
// each in microseconds.
func medians(ctx context.Context, budget time.Duration, terms []term) (map[string]float64, int, error) {
	samples := map[string][]time.Duration{}
	began := time.Now()
	rounds := 0
	for rounds < minRounds || time.Since(began) < budget {
		for _, t := range terms {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			d, err := t.time()
			if err != nil {
				return nil, 0, fmt.Errorf("%s: %w", t.name, err)
			}
			samples[t.name] = append(samples[t.name], d)
		}
		rounds++
	}
	result := map[string]float64{}
	for name, list := range samples {
		slices.Sort(list)
		result[name] = float64(list[len(list)/2]) / float64(time.Microsecond)
	}
	return result, rounds, nil
}
