//go:build linux && (amd64 || arm64)

package sandbox_test

import (
	"testing"

	"github.com/codemode-go/codemode/sandbox"
	"golang.org/x/sys/unix"
)

const filterPid = 4711

func TestFilterByNumber(t *testing.T) {
	allowed := map[uint32]bool{}
	for _, n := range []uint32{
		unix.SYS_FUTEX, unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_SIGALTSTACK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPROCMASK,
		unix.SYS_RT_SIGACTION, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_GETTIMEOFDAY, unix.SYS_SCHED_YIELD,
		unix.SYS_SCHED_GETAFFINITY, unix.SYS_GETPID, unix.SYS_GETTID, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT,
		unix.SYS_EVENTFD2, unix.SYS_GETRANDOM, unix.SYS_RESTART_SYSCALL, unix.SYS_CLOSE, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_PPOLL,
		unix.SYS_RSEQ, unix.SYS_SET_ROBUST_LIST,
		unix.SYS_READ, unix.SYS_WRITE, unix.SYS_MPROTECT, // with arguments of 0
	} {
		allowed[n] = true
	}
	killed := map[uint32]bool{unix.SYS_CLONE: true} // without flags it is a fork
	for _, n := range hostileCalls {
		killed[uint32(n)] = true
	}
	for n := range uint32(1024) {
		got, steps := sandbox.Filter(filterPid, sandbox.NativeArch, n)
		switch {
		case allowed[n] && got != sandbox.FilterAllows:
			t.Errorf("call %d: got %s, want %s", n, got, sandbox.FilterAllows)
		case killed[n] && got != sandbox.FilterKills:
			t.Errorf("call %d: got %s, want %s", n, got, sandbox.FilterKills)
		case !allowed[n] && !killed[n] && got == sandbox.FilterAllows:
			t.Errorf("call %d: got %s, want none", n, got)
		case !allowed[n] && got == sandbox.FilterKills && !killed[n] && !forks[n]:
			t.Errorf("call %d: got %s, want %s", n, got, sandbox.FilterRefuses)
		}
		if steps > 25 {
			t.Errorf("call %d: took %d steps, want few", n, steps)
		}
	}
	if got, _ := sandbox.Filter(filterPid, sandbox.NativeArch^1, unix.SYS_GETPID); got != sandbox.FilterKills {
		t.Errorf("another architecture: got %s, want %s", got, sandbox.FilterKills)
	}
}

func TestFilterByArgument(t *testing.T) {
	const (
		goThread = unix.CLONE_VM | unix.CLONE_FS | unix.CLONE_FILES | unix.CLONE_SIGHAND | unix.CLONE_SYSVSEM | unix.CLONE_THREAD
		cThread  = goThread | unix.CLONE_SETTLS | unix.CLONE_PARENT_SETTID | unix.CLONE_CHILD_CLEARTID
		anon     = unix.MAP_PRIVATE | unix.MAP_ANONYMOUS
		rw       = unix.PROT_READ | unix.PROT_WRITE
		allow    = sandbox.FilterAllows
		refuse   = sandbox.FilterRefuses
		kill     = sandbox.FilterKills
	)
	cases := []struct {
		name      string
		number    uint32
		arguments []uint64
		want      string
	}{
		{"read a low descriptor", unix.SYS_READ, []uint64{15}, allow},
		{"read a high descriptor", unix.SYS_READ, []uint64{16}, refuse},
		{"write to descriptor -1", unix.SYS_WRITE, []uint64{1<<64 - 1}, refuse},
		{"map memory", unix.SYS_MMAP, []uint64{0, 4096, rw, anon}, allow},
		{"map a file", unix.SYS_MMAP, []uint64{0, 4096, rw, unix.MAP_PRIVATE}, refuse},
		{"map executable memory", unix.SYS_MMAP, []uint64{0, 4096, unix.PROT_EXEC, anon}, refuse},
		{"map with bits above", unix.SYS_MMAP, []uint64{0, 4096, rw | 1<<40, anon}, refuse},
		{"protect", unix.SYS_MPROTECT, []uint64{0, 4096, rw}, allow},
		{"make executable", unix.SYS_MPROTECT, []uint64{0, 4096, unix.PROT_READ | unix.PROT_EXEC}, refuse},
		{"a thread of Go", unix.SYS_CLONE, []uint64{goThread}, allow},
		{"a thread of the C library", unix.SYS_CLONE, []uint64{cThread}, allow},
		{"a fork", unix.SYS_CLONE, []uint64{uint64(unix.SIGCHLD)}, kill},
		{"a vfork", unix.SYS_CLONE, []uint64{unix.CLONE_VM | unix.CLONE_VFORK}, kill},
		{"a thread in a new namespace", unix.SYS_CLONE, []uint64{goThread | unix.CLONE_NEWNET}, kill},
		{"a thread with flags above", unix.SYS_CLONE, []uint64{goThread | 1<<33}, kill},
		{"name a mapping", unix.SYS_PRCTL, []uint64{unix.PR_SET_VMA}, allow},
		{"become dumpable", unix.SYS_PRCTL, []uint64{unix.PR_SET_DUMPABLE, 1}, refuse},
		{"signal itself", unix.SYS_TGKILL, []uint64{filterPid}, allow},
		{"signal another", unix.SYS_TGKILL, []uint64{1}, refuse},
		{"get a descriptor's flags", unix.SYS_FCNTL, []uint64{0, unix.F_GETFL}, allow},
		{"duplicate a descriptor", unix.SYS_FCNTL, []uint64{0, unix.F_DUPFD}, refuse},
	}
	for _, c := range cases {
		if got, _ := sandbox.Filter(filterPid, sandbox.NativeArch, c.number, c.arguments...); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
