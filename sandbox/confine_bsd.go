//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// confine does what systems without more specific means allow: limits that the kernel keeps, and an end with the parent.
func confine(m mandate, _ descriptor) Report {
	unix.Umask(0o777)
	report := Report{Memory: MemorySoft}
	if watchParent() {
		report.Layers |= ParentDeath
	}
	limit(unix.RLIMIT_CORE, 0)
	limit(unix.RLIMIT_FSIZE, 0)
	limit(unix.RLIMIT_NOFILE, maxDescriptors)
	if m.cpu > 0 && limit(unix.RLIMIT_CPU, m.cpu) {
		report.Layers |= CPU
	}
	return report
}

// watchParent ends the process when its parent has ended, and reports whether it can. The wait is a thread's own and costs nothing until then. (A
// poll for the end of the pipe, as on Linux, wakes up for data as well on some of these systems.)
func watchParent() bool {
	parent := os.Getppid()
	queue, err := unix.Kqueue()
	if err != nil {
		return false
	}
	var exit unix.Kevent_t
	unix.SetKevent(&exit, parent, unix.EVFILT_PROC, unix.EV_ADD)
	exit.Fflags = unix.NOTE_EXIT
	if _, err := unix.Kevent(queue, []unix.Kevent_t{exit}, nil, nil); err != nil || os.Getppid() != parent {
		unix.Close(queue)
		return false // or the parent is gone: then the next read ends the process
	}
	go func() {
		events := make([]unix.Kevent_t, 1)
		for {
			if n, err := unix.Kevent(queue, nil, events, nil); n > 0 || err != unix.EINTR {
				os.Exit(0)
			}
		}
	}()
	return true
}

// closeStrays closes what the host left open across the start. There is no list to read, and few such descriptors are high ones.
func closeStrays(keep [2]int) {
	for fd := 3; fd < 256; fd++ {
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC != 0 {
			continue // not open, or opened by this process
		}
		if fd != keep[0] && fd != keep[1] {
			unix.Close(fd)
		}
	}
}
