package sandbox_test

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

// "stress" makes the Go runtime do all it does in a computing process.
func init() {
	jobs["stress"] = func(*engine, string, sandbox.CallFunc) sandbox.Outcome {
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				if i%2 == 0 {
					runtime.LockOSThread() // threads come and go
				}
				for round := range 20 {
					time.Sleep(time.Duration(round) * 10 * time.Microsecond)
					grow(1000 * i)
					kept := make(map[int][]byte)
					for k := range 100 {
						kept[k] = make([]byte, 1<<(k%15))
					}
					recovered(round)
				}
			})
		}
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for range 20 {
			<-ticker.C
			runtime.GC()
			debug.FreeOSMemory()
		}
		all.Wait()
		return value("done")
	}
}

func grow(n int) int {
	var frame [64]byte
	if n == 0 {
		return int(frame[0])
	}
	return grow(n-1) + int(frame[n%64])
}

func recovered(n int) {
	defer func() { _ = recover() }()
	var list []int
	_ = list[n]
}

// TestGoNeedsNoOtherSystemCalls keeps the filter's list honest: with every call that would be refused made deadly, the runtime still works. A
// release of Go that needs more fails here.
func TestGoNeedsNoOtherSystemCalls(t *testing.T) {
	// The C library reserves address space for each of the threads.
	p := newPool(t, sandbox.WithArguments(sandbox.Options{MemoryBytes: 4 << 30}, "trap"))
	if !p.Report().Layers.Has(sandbox.SystemCalls) {
		t.Skipf("not enforced here: %v", p.Report())
	}
	for range 5 {
		outcome, _, err := p.Run(within(t, 60*time.Second), []byte("stress"), nil)
		if err != nil || string(outcome.Value) != "done" {
			t.Fatalf("got %q, %v, want done", outcome.Value, err)
		}
	}
	if got := try(t, p, "ask for the host's name", "main", ""); got != killed {
		t.Errorf("a refused call: got %s, want the worker killed, or this test sees nothing", got)
	}
}

// TestUnprivileged runs the tests of confinement again as a user without any capability.
func TestUnprivileged(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("the tests themselves run unprivileged")
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^Test(Layers|HostileSystem.*|Privileges|HardMemoryCap|MemoryWatch|ParentDeath)$", "-test.v")
	cmd.Dir, cmd.Env = "/", []string{"TMPDIR=" + os.TempDir()}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	whole := newPool(t, sandbox.Options{}).Report().Layers.Has(sandbox.AllLayers &^ sandbox.CPU)
	if whole && strings.Contains(string(output), "not enforced here") {
		t.Errorf("less is enforced than for a privileged user:\n%s", output)
	}
}
