//go:build race

package search_test

// raceEnabled: the race detector makes a sync.Pool forget on purpose.
const raceEnabled = true
