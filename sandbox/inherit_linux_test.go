package sandbox_test

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
	"golang.org/x/sys/unix"
)

func TestNothingIsInherited(t *testing.T) {
	t.Setenv("SECRET", "of the host")
	// A host may have opened files without close-on-exec, low and high ones.
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, fd := range []int{40, 900} {
		if err := syscall.Dup3(int(null.Fd()), fd, 0); err != nil {
			t.Fatal(err)
		}
		defer syscall.Close(fd)
	}
	p := newPool(t, sandbox.WithArguments(sandbox.Options{}, "without=filter,privileges"))
	_, _, err = p.Run(within(t, 20*time.Second), []byte("one x"), func(context.Context, sandbox.Call) (sandbox.Reply, error) {
		pid := children(t)[0]
		if environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err != nil || len(environ) > 0 {
			t.Errorf("the worker's environment: got %q, %v, want none", environ, err)
		}
		if dir, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err != nil || dir != "/" {
			t.Errorf("the worker's directory: got %q, %v, want the root", dir, err)
		}
		if session, err := unix.Getsid(pid); err != nil || session != pid {
			t.Errorf("the worker's session: got %d, %v, want its own", session, err)
		}
		for _, open := range openFiles(t, pid) {
			if open.path == os.DevNull && open.fd != 0 || open.fd > 15 {
				t.Errorf("the worker has %s as descriptor %d", open.path, open.fd)
			}
		}
		return sandbox.Reply{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
