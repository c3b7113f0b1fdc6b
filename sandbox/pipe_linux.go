package sandbox

import (
	"os"

	"golang.org/x/sys/unix"
)

// newPipe returns a pipe whose ends are told apart: only the parent's is registered with the poller. With [os.Pipe] the child's
// would be as well, for nothing: two system calls more for each pipe on every start.
func newPipe(parentReads bool) (parent, child *os.File, err error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return nil, nil, os.NewSyscallError("pipe2", err)
	}
	if min(fds[0], fds[1]) <= lastStream {
		defer unix.Close(fds[0])
		defer unix.Close(fds[1])
		return newPipe(parentReads)
	}
	mine, theirs := fds[0], fds[1]
	if !parentReads {
		mine, theirs = theirs, mine
	}
	if err := unix.SetNonblock(mine, true); err != nil {
		unix.Close(mine)
		unix.Close(theirs)
		return nil, nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(mine), "worker pipe"), os.NewFile(uintptr(theirs), "worker pipe"), nil
}

// early reports whether the worker has sent something that is not yet read.
func (w *worker) early() bool { return waiting(w.process.out) > 0 }

// waiting returns the number of bytes in a pipe.
func waiting(pipe *os.File) (n int) {
	if raw, err := pipe.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { n, _ = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	}
	return n
}

// block makes reads of f block a thread instead of going through the poller, which halves the time of a round trip. Nothing but
// the end of the worker then ends a read: only for workers that can leave no descendant behind with the other end of the pipe.
func block(f *os.File) { f.Fd() }

// widen lets a pipe hold size bytes, if the user may have so much of it: what is written to it then takes one turn instead of one for every
// 64 KiB.
func widen(pipe *os.File, size int) {
	const standard, most = 64 << 10, 1 << 20 // the size of a new pipe, and the limit for unprivileged users
	if size <= standard {
		return
	}
	if raw, err := pipe.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { unix.FcntlInt(fd, unix.F_SETPIPE_SZ, min(size, most)) })
	}
}
