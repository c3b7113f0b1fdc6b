//go:build amd64 || arm64

package sandbox

import "golang.org/x/sys/unix"

// The filter is a program for the kernel's classic BPF machine, run on every system call of every thread. It is a list of tests on the call's
// number, each followed by what to do; see seccomp(2).

// Offsets in struct seccomp_data. Arguments have 64 bits, which the machine loads in halves; both architectures are little-endian.
const (
	offsetNumber    = 0
	offsetArch      = 4
	offsetArguments = 16
)

const (
	doAllow  = unix.SECCOMP_RET_ALLOW
	doKill   = unix.SECCOMP_RET_KILL_PROCESS
	doRefuse = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// refuse is what happens to calls that are neither allowed nor forbidden. A stress test replaces it to find those that Go has come to need.
var refuse uint32 = doRefuse

// harmless are the calls that a computing Go process makes, whatever their arguments.
var harmless = []uint32{
	unix.SYS_FUTEX, unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_SIGALTSTACK, unix.SYS_RT_SIGRETURN,
	unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGACTION, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME,
	unix.SYS_GETTIMEOFDAY, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_GETPID, unix.SYS_GETTID,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2, unix.SYS_GETRANDOM,
	unix.SYS_RESTART_SYSCALL, unix.SYS_CLOSE, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	unix.SYS_PPOLL,                          // watchParent
	unix.SYS_RSEQ, unix.SYS_SET_ROBUST_LIST, // threads of cgo builds
}

// hostile are the calls that nothing in a worker makes by mistake.
var hostile = []uint32{
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV,
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_SENDTO, unix.SYS_SENDMSG,
	unix.SYS_IO_URING_SETUP, unix.SYS_BPF, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
	unix.SYS_MEMFD_CREATE, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD,
}

// threadFlags are the flags with which Go and the C library make threads. Any other flag makes something else.
const threadFlags = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_THREAD | unix.CLONE_SYSVSEM |
	unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_CLEARTID

// filter installs the program and reports whether it holds on all threads.
func filter(pid int) bool {
	return without&mechanismFilter == 0 && install(filterProgram(pid))
}

func filterProgram(pid int) []unix.SockFilter {
	var a assembler
	a.load(offsetArch)
	a.when(unix.BPF_JEQ, auditArch, 1, 0)
	a.act(doKill)
	a.load(offsetNumber)
	if foreignBit != 0 {
		a.when(unix.BPF_JSET, foreignBit, 0, 1)
		a.act(doKill)
	}
	for _, number := range harmless {
		a.number(number, doAllow)
	}
	for _, number := range append(hostile, hostileHere...) {
		a.number(number, doKill)
	}
	// Refused in tests, too. clone3: its flags lie in memory, out of sight; the C library then uses clone. openat: the C library looks
	// for the number of processors and does without.
	a.number(unix.SYS_CLONE3, doRefuse)
	a.number(unix.SYS_OPENAT, doRefuse)
	a.section(unix.SYS_READ, refuse, func() { a.below(0, maxDescriptors) })
	a.section(unix.SYS_WRITE, refuse, func() { a.below(0, maxDescriptors) })
	a.section(unix.SYS_MMAP, refuse, func() { a.clear(2, unix.PROT_EXEC); a.contains(3, unix.MAP_ANONYMOUS) })
	a.section(unix.SYS_MPROTECT, refuse, func() { a.clear(2, unix.PROT_EXEC) })
	a.section(unix.SYS_CLONE, doKill, func() { a.contains(0, unix.CLONE_THREAD|unix.CLONE_VM); a.clear(0, ^uint32(threadFlags)) })
	a.section(unix.SYS_PRCTL, refuse, func() { a.equals(0, unix.PR_SET_VMA) })
	a.section(unix.SYS_TGKILL, refuse, func() { a.equals(0, uint32(pid)) })
	a.section(unix.SYS_FCNTL, refuse, func() { a.oneOf(1, unix.F_GETFD, unix.F_GETFL) })
	a.act(refuse)
	return a.code
}
