package ratios

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// rest is the time before every term, as there is between two requests: the
// pools refill in it, which would weigh on whatever comes next.
const rest = 8 * time.Millisecond

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

// steady times the median of some turns of f. In a single one, what a rest leaves
// of the caches and whose turn the collector comes in would outweigh a term that
// is all computing.
func steady(f func() error) stopwatch {
	one := timed(f)
	return func() (time.Duration, error) {
		var turns [9]time.Duration
		for i := range turns {
			var err error
			if turns[i], err = one(); err != nil {
				return 0, err
			}
		}
		return median(turns[:]), nil
	}
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
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
			time.Sleep(rest)
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
		result[name] = float64(median(list)) / float64(time.Microsecond)
	}
	return result, rounds, nil
}
