package sandbox

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// quietly calls start on a thread whose timers may be late by a millisecond, which the started process inherits for all its threads. In each Go
// process a thread of the runtime looks around every 20 microseconds for its first milliseconds, which in a worker that waits for its parent
// is a fifth of all that it costs; now it does so once a millisecond. A worker has no use for finer timers.
func quietly(start func()) {
	const slack = 1_000_000 // nanoseconds
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if unix.Prctl(unix.PR_SET_TIMERSLACK, slack, 0, 0, 0) == nil {
		defer unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0) // 0 is what the thread began with
	}
	start()
}
