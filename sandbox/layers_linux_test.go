package sandbox_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
	"golang.org/x/sys/unix"
)

const killed = "killed" // by the filter

// try runs an attempt in a worker and returns what became of it.
func try(t *testing.T, p *sandbox.Pool, what, where, argument string) string {
	t.Helper()
	outcome, _, err := p.Run(within(t, 20*time.Second), []byte("attempt "+what+" on "+where+" "+argument), nil)
	switch {
	case errors.Is(err, sandbox.ErrForbidden):
		return killed
	case err != nil:
		t.Fatalf("%s: %v", what, err)
	case outcome.Fault != nil:
		t.Fatalf("%s: fault %v", what, outcome.Fault)
	}
	return string(outcome.Value)
}

// expectation: what an attempt meets with everything in force, with a mechanism out, and with all that forbid it out.
type expectation struct {
	attempt   string
	layer     sandbox.Layers
	confined  string // with all mechanisms
	mechanism string // what to take out for the next
	without   string
	all       string // what to take out until it is allowed; "" if mechanism is enough
}

var expectations = []expectation{
	{"read a file", sandbox.Files, "ENOSYS", "filter", "EACCES", "filter,landlock"},
	{"read a file", sandbox.Files, "ENOSYS", "landlock", "ENOSYS", "filter,landlock"},
	{"write a file", sandbox.Files, "ENOSYS", "filter", "EACCES", "filter,landlock"},
	{"create a file", sandbox.Files, "ENOSYS", "filter", "EACCES", "filter,landlock"},
	{"list a directory", sandbox.Files, "ENOSYS", "filter", "EACCES", "filter,landlock"},
	{"connect", sandbox.Network, killed, "filter", "EACCES", "filter,landlock"},
	{"open a socket", sandbox.Network, killed, "filter", "allowed", ""},
	{"signal the parent", sandbox.SystemCalls, "ENOSYS", "filter", "EPERM", "filter,landlock"},
	{"fork", sandbox.Processes, killed, "filter", "allowed", ""},
	{"run a program", sandbox.Processes, killed, "filter", "EACCES", ""},
	{"map a file", sandbox.SystemCalls, "ENOSYS", "filter", "EACCES", ""},
	{"map executable memory", sandbox.SystemCalls, "ENOSYS", "filter", "allowed", ""},
	{"make memory executable", sandbox.SystemCalls, "ENOSYS", "filter", "allowed", ""},
	{"read a high descriptor", sandbox.SystemCalls, "ENOSYS", "filter", "EBADF", ""},
	{"set a descriptor's flags", sandbox.SystemCalls, "ENOSYS", "filter", "allowed", ""},
	{"signal another process", sandbox.SystemCalls, "ENOSYS", "filter", "", ""},
	{"ask for the host's name", sandbox.SystemCalls, "ENOSYS", "filter", "allowed", ""},
	{"be dumpable", sandbox.Privileges, "ENOSYS", "filter", "allowed", ""},
	{"reserve much memory", sandbox.Memory, "ENOMEM", "address space", "allowed", ""},
}

func TestLayers(t *testing.T) {
	pools := map[string]*sandbox.Pool{}
	pool := func(without string) *sandbox.Pool {
		if pools[without] == nil {
			pools[without] = newPool(t, sandbox.WithArguments(sandbox.Options{Idle: -1}, "without="+without, elsewhereArgument))
		}
		return pools[without]
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	port, stop, err := listener()
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for _, e := range expectations {
		argument := file
		if e.attempt == "connect" {
			argument = port
		}
		for _, where := range []string{"main", "elsewhere"} {
			t.Run(e.attempt+" on "+where+" without "+e.mechanism, func(t *testing.T) {
				whole := pool("")
				if !whole.Report().Layers.Has(e.layer) {
					t.Skipf("not enforced here: %v", whole.Report())
				}
				check := func(without, want string) {
					p := pool(without)
					if strings.Contains(without, "filter") && !strings.Contains(without, "landlock") && whole.Report().Landlock == 0 {
						t.Skip("no Landlock here")
					}
					os.Remove(file + ".new") // by an earlier attempt
					if got := try(t, p, e.attempt, where, argument); want != "" && got != want {
						t.Errorf("without %q: got %s, want %s", without, got, want)
					}
				}
				check("", e.confined)
				check(e.mechanism, e.without)
				if e.all != "" {
					check(e.all, "allowed")
				}
			})
		}
	}
}

// hostileCalls end the worker, from whichever thread.
var hostileCalls = map[string]uintptr{
	"execve": unix.SYS_EXECVE, "execveat": unix.SYS_EXECVEAT, "ptrace": unix.SYS_PTRACE, "process_vm_readv": unix.SYS_PROCESS_VM_READV,
	"process_vm_writev": unix.SYS_PROCESS_VM_WRITEV, "socket": unix.SYS_SOCKET, "socketpair": unix.SYS_SOCKETPAIR, "connect": unix.SYS_CONNECT,
	"bind": unix.SYS_BIND, "sendto": unix.SYS_SENDTO, "sendmsg": unix.SYS_SENDMSG, "io_uring_setup": unix.SYS_IO_URING_SETUP,
	"bpf": unix.SYS_BPF, "unshare": unix.SYS_UNSHARE, "setns": unix.SYS_SETNS, "mount": unix.SYS_MOUNT, "init_module": unix.SYS_INIT_MODULE,
	"finit_module": unix.SYS_FINIT_MODULE, "kexec_load": unix.SYS_KEXEC_LOAD, "perf_event_open": unix.SYS_PERF_EVENT_OPEN,
	"userfaultfd": unix.SYS_USERFAULTFD, "memfd_create": unix.SYS_MEMFD_CREATE, "keyctl": unix.SYS_KEYCTL, "add_key": unix.SYS_ADD_KEY,
	"pidfd_open": unix.SYS_PIDFD_OPEN, "pidfd_getfd": unix.SYS_PIDFD_GETFD,
}

func TestHostileSystemCallsEndTheWorker(t *testing.T) {
	p := newPool(t, sandbox.WithArguments(sandbox.Options{}, elsewhereArgument))
	if !p.Report().Layers.Has(sandbox.SystemCalls) {
		t.Skipf("not enforced here: %v", p.Report())
	}
	for name, number := range hostileCalls {
		for _, where := range []string{"main", "elsewhere"} {
			if got := try(t, p, "make another system call", where, strconv.Itoa(int(number))); got != killed {
				t.Errorf("%s on %s: got %s, want the worker killed", name, where, got)
			}
		}
	}
	expectEcho(t, p)
}

func TestUnknownSystemCallsDoNotExist(t *testing.T) {
	p := newPool(t, sandbox.Options{})
	if !p.Report().Layers.Has(sandbox.SystemCalls) {
		t.Skipf("not enforced here: %v", p.Report())
	}
	for name, number := range map[string]uintptr{
		"getppid": unix.SYS_GETPPID, "openat2": unix.SYS_OPENAT2, "clone3": unix.SYS_CLONE3, "pread64": unix.SYS_PREAD64, "kill": unix.SYS_KILL,
		"seccomp": unix.SYS_SECCOMP, "prlimit64": unix.SYS_PRLIMIT64, "a number of no call": 9999,
	} {
		if got := try(t, p, "make another system call", "main", strconv.Itoa(int(number))); got != "ENOSYS" {
			t.Errorf("%s: got %s, want ENOSYS", name, got)
		}
	}
}

func TestMemoryWatch(t *testing.T) {
	p := newPool(t, sandbox.WithArguments(sandbox.Options{MemoryBytes: 128 << 20}, "without=address space"))
	if got := p.Report().Memory; got != sandbox.MemoryWatched {
		t.Fatalf("memory cap: got %v, want %v", got, sandbox.MemoryWatched)
	}
	_, usage, err := p.Run(within(t, 30*time.Second), []byte("memory 4000"), nil)
	if !errors.Is(err, sandbox.ErrLimit) {
		t.Fatalf("got %v, want %v", err, sandbox.ErrLimit)
	}
	if usage.PeakBytes < 128<<20 || usage.PeakBytes > 2<<30 {
		t.Errorf("peak: got %d MiB, want 128 and what a busy machine lets through", usage.PeakBytes>>20)
	}
	expectEcho(t, p)
}

func TestHardMemoryCap(t *testing.T) {
	p := newPool(t, sandbox.Options{MemoryBytes: 256 << 20})
	if p.Report().Memory != sandbox.MemoryHard {
		t.Skipf("no hard cap in this build or on this system (race detector builds need the address space): %v", p.Report())
	}
	_, usage, err := p.Run(within(t, 30*time.Second), []byte("memory 4000"), nil)
	if !errors.Is(err, sandbox.ErrLimit) { // by the worker's own end or, a little earlier, by the watch
		t.Fatalf("got %v, want %v", err, sandbox.ErrLimit)
	}
	if usage.PeakBytes > 320<<20 {
		t.Errorf("peak: got %d MiB, want 256 and what the worker starts with", usage.PeakBytes>>20)
	}
	expectEcho(t, p)
}

func TestCPUTime(t *testing.T) {
	t.Parallel()
	p := newPool(t, sandbox.Options{CPUTime: time.Second})
	if !p.Report().Layers.Has(sandbox.CPU) {
		t.Fatalf("not enforced: %v", p.Report())
	}
	if _, _, err := p.Run(within(t, 60*time.Second), []byte("spin"), nil); !errors.Is(err, sandbox.ErrLimit) {
		t.Errorf("got %v, want %v", err, sandbox.ErrLimit)
	}
	free := newPool(t, sandbox.WithArguments(sandbox.Options{CPUTime: time.Second}, "without=CPU"))
	if free.Report().Layers.Has(sandbox.CPU) {
		t.Errorf("reported without the mechanism: %v", free.Report())
	}
	if _, _, err := free.Run(within(t, 10*time.Second), []byte("burn 1500ms"), nil); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without it: got %v, want none", err)
	}
}

func TestPrivileges(t *testing.T) {
	for without, want := range map[string]string{"": "not dumpable", "privileges,filter": "dumpable"} {
		p := newPool(t, sandbox.WithArguments(sandbox.Options{Idle: -1}, "without="+without))
		var threads, protected int
		outcome, _, err := p.Run(within(t, 20*time.Second), []byte("one x"), func(_ context.Context, _ sandbox.Call) (sandbox.Reply, error) {
			pid := children(t)[0]
			threads, protected = noNewPrivileges(t, pid)
			dump := "dumpable"
			if os.Getuid() != ownerOf(t, pid) || !readable(pid) {
				dump = "not dumpable"
			}
			return sandbox.Reply{Value: []byte(dump)}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if os.Getuid() != 0 && string(outcome.Value) != want {
			t.Errorf("without %q: got %s, want %s", without, outcome.Value, want)
		}
		if without == "" && (threads == 0 || threads != protected) {
			t.Errorf("no new privileges: got %d of %d threads", protected, threads)
		}
	}
}
