package sandbox

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// quietly calls start on a thread whose timers may be late by a fifth of a millisecond, which the started process inherits for all its threads. In
// each Go process a thread of the runtime looks around every 20 microseconds for its first milliseconds; in a worker, which spends them waiting for
// its parent, that is a tenth of all that it costs. A worker has no use for finer timers. Much more slack than this delays starts: the
// runtime also sleeps for some microseconds where its threads compete.
func quietly(start func()) {
	const slack = 200_000 // nanoseconds
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if unix.Prctl(unix.PR_SET_TIMERSLACK, slack, 0, 0, 0) == nil {
		defer unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0) // 0 is what the thread began with
	}
	start()
}
