package sandbox_test

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/codemode-go/codemode/sandbox"
	"golang.org/x/sys/unix"
)

// elsewhere runs functions on a thread that exists before Serve confines the process: what covers only the calling thread leaves it free.
var elsewhere = make(chan func())

const elsewhereArgument = "elsewhere"

func startElsewhere() {
	if !sandbox.IsWorker() || !slices.Contains(os.Args, elsewhereArgument) {
		return // one thread more is one to confine
	}
	started := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		close(started)
		for f := range elsewhere {
			f()
		}
	}()
	<-started
}

// "attempt NAME on WHERE ARGUMENT" tries something that a layer forbids, and returns "allowed" or the error's name.
func init() {
	jobs["attempt"] = func(_ *engine, text string, _ sandbox.CallFunc) sandbox.Outcome {
		what, rest, _ := strings.Cut(text, " on ")
		where, argument, _ := strings.Cut(rest, " ")
		var errno syscall.Errno
		attempt := func() { errno = attempts[what](argument) }
		switch where {
		case "main":
			attempt()
		case "elsewhere":
			done := make(chan struct{})
			elsewhere <- func() { attempt(); close(done) }
			<-done
		}
		if errno == 0 {
			return value("allowed")
		}
		return value(unix.ErrnoName(errno))
	}
}

// call makes a raw system call: the worker's own library would find other ways.
func call(number uintptr, arguments ...uintptr) syscall.Errno {
	var a [6]uintptr
	copy(a[:], arguments)
	_, _, errno := syscall.RawSyscall6(number, a[0], a[1], a[2], a[3], a[4], a[5])
	return errno
}

func errnoOf(err error) syscall.Errno {
	if err == nil {
		return 0
	}
	return err.(syscall.Errno)
}

var attempts = map[string]func(argument string) syscall.Errno{
	"read a file":      func(path string) syscall.Errno { return errnoOf(open(path, unix.O_RDONLY)) },
	"write a file":     func(path string) syscall.Errno { return errnoOf(open(path, unix.O_WRONLY)) },
	"create a file":    func(path string) syscall.Errno { return errnoOf(open(path+".new", unix.O_CREAT|unix.O_WRONLY)) },
	"list a directory": func(string) syscall.Errno { return errnoOf(open("/", unix.O_RDONLY|unix.O_DIRECTORY)) },
	"open a socket": func(string) syscall.Errno {
		_, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
		return errnoOf(err)
	},
	"connect": func(port string) syscall.Errno {
		fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
		if err != nil {
			return errnoOf(err)
		}
		n, _ := strconv.Atoi(port)
		return errnoOf(unix.Connect(fd, &unix.SockaddrInet4{Port: n, Addr: [4]byte{127, 0, 0, 1}}))
	},
	"signal the parent": func(string) syscall.Errno { return errnoOf(unix.Kill(os.Getppid(), 0)) },
	"fork":              func(string) syscall.Errno { return fork() },
	"run a program": func(string) syscall.Errno {
		return errnoOf(unix.Exec("/proc/self/exe", []string{"x", nothingMode}, nil))
	},
	"map a file": func(string) syscall.Errno {
		_, err := unix.Mmap(2, 0, 4096, unix.PROT_READ, unix.MAP_PRIVATE)
		return errnoOf(err)
	},
	"map executable memory": func(string) syscall.Errno {
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
		return errnoOf(err)
	},
	"make memory executable": func(string) syscall.Errno {
		memory, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return errnoOf(err)
		}
		return errnoOf(unix.Mprotect(memory, unix.PROT_READ|unix.PROT_EXEC))
	},
	"read a high descriptor": func(string) syscall.Errno { return call(unix.SYS_READ, 16, 0, 0) },
	"set a descriptor's flags": func(string) syscall.Errno {
		_, err := unix.FcntlInt(2, unix.F_SETFD, 0)
		return errnoOf(err)
	},
	"signal another process": func(string) syscall.Errno { return call(unix.SYS_TGKILL, 1, 1, 0) },
	"ask for the host's name": func(string) syscall.Errno {
		var name unix.Utsname
		return errnoOf(unix.Uname(&name))
	},
	"be dumpable": func(string) syscall.Errno { return errnoOf(unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0)) },
	"reserve much memory": func(string) syscall.Errno {
		_, err := unix.Mmap(-1, 0, 1<<30, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
		return errnoOf(err)
	},
	"make another system call": func(number string) syscall.Errno {
		n, _ := strconv.Atoi(number)
		return call(uintptr(n), ^uintptr(0), ^uintptr(0), ^uintptr(0), ^uintptr(0), ^uintptr(0), ^uintptr(0))
	},
}

func open(path string, flags int) error {
	fd, err := unix.Open(path, flags|unix.O_CLOEXEC, 0o600)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

// fork makes a child that ends at once.
//
//go:nosplit
//go:norace
func fork() syscall.Errno {
	pid, _, errno := syscall.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if errno == 0 && pid == 0 {
		for {
			syscall.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
	}
	return errno
}

// listener gives attempts something to connect to.
func listener() (port string, stop func(), err error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port), func() { l.Close() }, nil
}
