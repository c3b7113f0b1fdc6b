package sandbox_test

import (
	"testing"
	"time"
)

// eventually polls until done, at most ten seconds.
func eventually(t testing.TB, done func() bool, what func() string) {
	t.Helper()
	limit := time.After(10 * time.Second)
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for !done() {
		select {
		case <-poll.C:
		case <-limit:
			t.Fatal(what())
		}
	}
}
