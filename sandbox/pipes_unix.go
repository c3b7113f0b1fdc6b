//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package sandbox

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// A descriptor is a file that is read and written with blocking calls: the poller would cost a system call more for each frame, and
// needs others that a confined worker could do without.
type descriptor int

func (d descriptor) Read(p []byte) (int, error) {
	for {
		n, err := unix.Read(int(d), p)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 0, err
		case n == 0 && len(p) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (d descriptor) Write(p []byte) (int, error) {
	written := 0
	for written < len(p) {
		n, err := unix.Write(int(d), p[written:])
		switch {
		case err == unix.EINTR:
		case err == unix.EPIPE:
			return written, io.EOF // the parent is gone, which is no worker's fault
		case err != nil:
			return written, err
		default:
			written += n
		}
	}
	return written, nil
}

// takePipes moves standard input and output to descriptors that only this package knows, and leaves the null device and standard error in their
// places: what the host's code prints from here on cannot corrupt a frame.
func takePipes() (in, out descriptor, err error) {
	private := [2]int{}
	for standard := range private {
		fd, err := unix.FcntlInt(uintptr(standard), unix.F_DUPFD_CLOEXEC, 3)
		if err != nil {
			return 0, 0, os.NewSyscallError("fcntl", err)
		}
		private[standard] = fd
	}
	null, err := unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, 0, &os.PathError{Op: "open", Path: os.DevNull, Err: err}
	}
	if err := unix.Dup2(null, 0); err != nil {
		return 0, 0, os.NewSyscallError("dup", err)
	}
	unix.Close(null)
	if err := unix.Dup2(2, 1); err != nil {
		return 0, 0, os.NewSyscallError("dup", err)
	}
	closeStrays(private)
	// Among the strays there may have been many; now low numbers are free.
	for i, fd := range private {
		if fd < maxDescriptors {
			continue
		}
		if private[i], err = unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3); err != nil {
			return 0, 0, os.NewSyscallError("fcntl", err)
		}
		unix.Close(fd)
	}
	return descriptor(private[0]), descriptor(private[1]), nil
}

// maxDescriptors is the limit of open files in a worker, and the number below which the system-call filter lets it read and write.
const maxDescriptors = 16
