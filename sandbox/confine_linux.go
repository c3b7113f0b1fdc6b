package sandbox

import (
	"os"
	"strconv"
	"unsafe"

	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// without is a set of mechanisms to leave out. Only test binaries set it, to see that each is needed.
var without mechanisms

type mechanisms uint8

const (
	mechanismLandlock mechanisms = 1 << iota
	mechanismFilter
	mechanismAddressSpace
	mechanismCPU
	mechanismWatch
	mechanismPrivileges
)

// confine drops what the kernel lets the process drop, in an order in which no step needs what an earlier one took. Each step is
// optional to the kernel; the report says which hold.
func confine(m mandate, in descriptor) Report {
	report := Report{Memory: MemorySoft}
	unix.Umask(0o777)
	if without&mechanismPrivileges == 0 && unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) == nil && forgoPrivileges() {
		report.Layers |= Privileges
	}
	limit(unix.RLIMIT_CORE, 0)
	limit(unix.RLIMIT_FSIZE, 0)
	limit(unix.RLIMIT_MEMLOCK, 0)
	limit(unix.RLIMIT_NOFILE, maxDescriptors)
	// Soft and hard alike: the runtime ignores the signal of the soft one.
	if m.cpu > 0 && without&mechanismCPU == 0 && limit(unix.RLIMIT_CPU, m.cpu) {
		report.Layers |= CPU
	}
	if limitMemory(m.memory) {
		report.Layers |= Memory
		report.Memory = MemoryHard
	}
	if report.Landlock = restrict(); report.Landlock > 0 {
		report.Layers |= Files
	}
	if without&mechanismWatch == 0 {
		go watchParent(in) // after Landlock, whose cost grows with the number of threads
		report.Layers |= ParentDeath
	}
	if filter(os.Getpid()) {
		report.Layers |= Files | Network | SystemCalls | Processes
	}
	return report
}

// forgoPrivileges takes the way to new privileges from all threads and reports whether it has. It is set thread by thread, but a filter for system calls
// passes it on from its thread to all others, so a filter that allows everything does it; Landlock and the real filter need it set.
//
// Nothing holds the goroutine on its thread: [runtime.LockOSThread] would start another one, which costs more than all this. So it may move
// between the two calls, and the second may be refused; then it is tried again.
func forgoPrivileges() bool {
	everything := []unix.SockFilter{{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}}
	for range 5 {
		if _, _, errno := unix.RawSyscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); errno != 0 {
			return false
		}
		if install(everything) {
			return true
		}
	}
	// A kernel without filters.
	return landlocksys.AllThreadsPrctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == nil
}

// limitMemory limits the address space to what the process has now and budget bytes more. An absolute number would be useless: Go reserves
// address space that it never touches. RLIMIT_DATA would leak: it does not count all that a process can make resident.
func limitMemory(budget int64) bool {
	const most = 1 << 40 // sanitizers reserve terabytes, and die when they cannot have more
	if raceEnabled || without&mechanismAddressSpace != 0 {
		return false
	}
	now := addressSpace()
	return now > 0 && now < most && limit(unix.RLIMIT_AS, now+withRoom(budget))
}

// withRoom leaves the Go runtime room beside its heap, which it reserves an arena at a time. A budget of whole arenas, or little more, can be used up
// by the last of them, and a runtime that then lacks a page for its own tables dies of faults that do not look like memory.
func withRoom(budget int64) int64 {
	const arena, tables = 64 << 20, 8 << 20
	if budget < arena {
		return budget
	}
	switch over := budget % arena; {
	case over < tables && budget < 2*arena:
		budget += tables - over // less than one arena is too little; the watch holds it to the budget
	case over < tables:
		budget -= over + tables
	}
	return budget + threadReserve
}

// addressSpace returns the size of the process, 0 if it cannot be read.
func addressSpace() int64 {
	fd, err := unix.Open("/proc/self/statm", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	defer unix.Close(fd)
	var buf [128]byte
	n, err := unix.Read(fd, buf[:])
	if err != nil || n <= 0 {
		return 0
	}
	pages, _, _ := nextNumber(buf[:n])
	return pages * pageSize
}

// restrict denies all of the file system, TCP, signals and abstract sockets to every thread, as far as the kernel's Landlock knows them. It returns
// the version in force, 0 for none.
func restrict() int {
	if without&mechanismLandlock != 0 {
		return 0
	}
	version, err := landlocksys.LandlockGetABIVersion()
	if err != nil || version <= 0 {
		return 0
	}
	var rules []landlock.Rule
	if cgoEnabled && version < landlockThreads {
		// The C library's way to reach all threads lists them, also when it has just forbidden that.
		rules = append(rules, landlock.PathAccess(landlocksys.AccessFSReadDir, "/proc/"+strconv.Itoa(os.Getpid())+"/task"))
	}
	// Without a rule nothing is allowed. BestEffort leaves out what this kernel does not know.
	ruleset, flags, err := landlock.V11.BestEffort().NewRulesetFD(rules...)
	if err != nil || ruleset < 0 {
		return 0
	}
	defer unix.Close(ruleset)
	if enforce(version, ruleset, flags) != nil {
		return 0
	}
	return version
}

// landlockThreads is the version of Landlock that can restrict all threads in one call.
const landlockThreads = 8

// enforce is the second half of [landlock.Config.Restrict]. The first, which gives up privileges on all threads by another round of signals to them, is
// forgoPrivileges here: it saves a third of what confinement costs.
func enforce(version, ruleset int, flags uint32) error {
	if version >= landlockThreads {
		return landlocksys.LandlockRestrictSelf(ruleset, flags|landlocksys.FlagRestrictSelfTSync)
	}
	return landlocksys.AllThreadsLandlockRestrictSelf(ruleset, flags)
}

// install puts a program for system calls in front of all threads and reports whether that holds for all.
func install(program []unix.SockFilter) bool {
	p := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	left, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&p)))
	return errno == 0 && left == 0 // a positive value is the number of a thread that was left out
}

// closeStrays closes what the process has not opened for this package: what the host left open across the start, and what its init functions opened.
func closeStrays(keep [2]int) {
	dir, err := unix.Open("/proc/self/fd", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		closeBelow(256, keep)
		return
	}
	buf := make([]byte, 4096)
	var open []int
	for {
		n, err := unix.ReadDirent(dir, buf)
		if err != nil || n <= 0 {
			break
		}
		var names []string
		_, _, names = unix.ParseDirent(buf[:n], -1, names)
		for _, name := range names {
			if fd, err := strconv.Atoi(name); err == nil && fd != dir {
				open = append(open, fd)
			}
		}
	}
	unix.Close(dir)
	for _, fd := range open {
		closeStray(fd, keep)
	}
}

// closeBelow does it without /proc.
func closeBelow(n int, keep [2]int) {
	for fd := 3; fd < n; fd++ {
		closeStray(fd, keep)
	}
}

// closeStray spares what the runtime itself may have opened: its poller, which is an anonymous inode (no file type) and closes on exec. What
// came across the start does not close on exec, or it would not be here.
func closeStray(fd int, keep [2]int) {
	if fd <= 2 || fd == keep[0] || fd == keep[1] {
		return
	}
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	if err != nil {
		return
	}
	if flags&unix.FD_CLOEXEC != 0 {
		var stat unix.Stat_t
		if unix.Fstat(fd, &stat) != nil || stat.Mode&unix.S_IFMT == 0 {
			return
		}
	}
	unix.Close(fd)
}
