package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// watchParent ends the process when the parent has closed the other end of in, by will or by dying. It waits in a system call on a
// thread of its own, so it notices at once, also while the engine computes, and costs nothing until then.
//
// A poll for no event reports nothing but the end. A goroutine that reads instead would have to hand every frame to another
// thread. PR_SET_PDEATHSIG fires when the thread that spawned the worker ends, not the process.
func watchParent(in descriptor) {
	fds := []unix.PollFd{{Fd: int32(in)}}
	for {
		n, err := unix.Ppoll(fds, nil, nil)
		if n > 0 || (err != nil && err != unix.EINTR && err != unix.EAGAIN) {
			os.Exit(0)
		}
	}
}
