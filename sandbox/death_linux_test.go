package sandbox_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

// parentMode is a host that runs a job that never ends, says so, and waits for its own death.
const parentMode = "--sandbox-test-parent"

func serveParent() {
	if len(os.Args) != 3 || os.Args[1] != parentMode {
		return
	}
	options := sandbox.WithArguments(sandbox.Options{Idle: 1}, "without="+os.Args[2])
	p, err := sandbox.New(context.Background(), options)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	p.Run(context.Background(), []byte("pid"), nil)
	p.Run(context.Background(), []byte("tell"), func(_ context.Context, call sandbox.Call) (sandbox.Reply, error) {
		fmt.Println(string(call.Arguments))
		return sandbox.Reply{}, nil
	})
}

func init() {
	jobs["tell"] = func(_ *engine, _ string, call sandbox.CallFunc) sandbox.Outcome {
		call("pid", []byte(strconv.Itoa(os.Getpid())))
		spin(time.Hour)
		return value("spun")
	}
}

// TestParentDeath kills a host with SIGKILL: its busy worker, which reads nothing, is gone, and so is its idle one.
func TestParentDeath(t *testing.T) {
	for _, without := range []string{"", "watch"} {
		host := exec.Command("/proc/self/exe", parentMode, without)
		out, err := host.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := host.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		worker, bad := strconv.Atoi(strings.TrimSpace(line))
		if err != nil || bad != nil {
			t.Fatalf("host: %q, %v", line, err)
		}
		if gone(worker) {
			t.Fatal("the worker is gone before its parent")
		}
		host.Process.Kill()
		host.Wait()
		if without == "watch" {
			// Nothing ends a worker that computes; that it is still there shows that the watch is what does it.
			if gone(worker) {
				t.Error("without the watch: got an end with the parent, want none")
			}
			syscall.Kill(worker, syscall.SIGKILL)
		}
		eventually(t, func() bool { return gone(worker) }, func() string { return fmt.Sprintf("without %q: worker %d outlived its parent", without, worker) })
	}
}
