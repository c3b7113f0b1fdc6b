//go:build amd64 || arm64

package sandbox

import (
	"cmp"
	"slices"

	"golang.org/x/sys/unix"
)

// The filter is a program for the kernel's classic BPF machine, run on every system call of every thread: a binary search for the call's number, and
// tests of its arguments where those matter; see seccomp(2).

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
	a.search(segments(a.rules(pid)))
	return a.code
}

// rules returns what happens to the calls that are not refused.
func (a *assembler) rules(pid int) []segment {
	var rules []segment
	for _, number := range harmless {
		rules = append(rules, segment{from: number, do: doAllow})
	}
	for _, number := range append(hostile, hostileHere...) {
		rules = append(rules, segment{from: number, do: doKill})
	}
	return append(rules,
		// Refused in tests, too. clone3: its flags lie in memory, out of sight; the C library then uses clone. openat: the C library looks
		// for the number of processors and does without.
		segment{from: unix.SYS_CLONE3, do: doRefuse},
		segment{from: unix.SYS_OPENAT, do: doRefuse},
		segment{unix.SYS_READ, refuse, func() { a.below(0, maxDescriptors) }},
		segment{unix.SYS_WRITE, refuse, func() { a.below(0, maxDescriptors) }},
		segment{unix.SYS_MMAP, refuse, func() { a.clear(2, unix.PROT_EXEC); a.contains(3, unix.MAP_ANONYMOUS) }},
		segment{unix.SYS_MPROTECT, refuse, func() { a.clear(2, unix.PROT_EXEC) }},
		segment{unix.SYS_CLONE, doKill, func() { a.contains(0, unix.CLONE_THREAD|unix.CLONE_VM); a.clear(0, ^uint32(threadFlags)) }},
		segment{unix.SYS_PRCTL, refuse, func() { a.equals(0, unix.PR_SET_VMA) }},
		segment{unix.SYS_TGKILL, refuse, func() { a.equals(0, uint32(pid)) }},
		segment{unix.SYS_FCNTL, refuse, func() { a.oneOf(1, unix.F_GETFD, unix.F_GETFL) }},
	)
}

// segments sorts rules, fills the gaps between them with refusals, and joins neighbours that do the same.
func segments(rules []segment) []segment {
	slices.SortFunc(rules, func(a, b segment) int { return cmp.Compare(a.from, b.from) })
	var all []segment
	add := func(s segment) {
		if n := len(all); n > 0 && all[n-1].from == s.from {
			all = all[:n-1] // a gap that is none
		}
		if n := len(all); n == 0 || s.tests != nil || all[n-1].tests != nil || all[n-1].do != s.do {
			all = append(all, s)
		}
	}
	add(segment{from: 0, do: refuse})
	for _, rule := range rules {
		add(rule)
		add(segment{from: rule.from + 1, do: refuse})
	}
	return all
}
