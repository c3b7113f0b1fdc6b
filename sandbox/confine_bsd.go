//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package sandbox

import "golang.org/x/sys/unix"

// confine does what systems without more specific means allow: limits that the kernel keeps, and an end with the parent.
func confine(m mandate, in descriptor) Report {
	unix.Umask(0o777)
	report := Report{Layers: ParentDeath, Memory: MemorySoft}
	go watchParent(in)
	limit(unix.RLIMIT_CORE, 0)
	limit(unix.RLIMIT_FSIZE, 0)
	limit(unix.RLIMIT_NOFILE, maxDescriptors)
	if m.cpu > 0 && limit(unix.RLIMIT_CPU, m.cpu) {
		report.Layers |= CPU
	}
	return report
}

func poll(fds []unix.PollFd) (int, error) { return unix.Poll(fds, -1) }

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
