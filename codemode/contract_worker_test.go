//go:build linux

package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

func looksAtItsWorker(t *testing.T) {
	look := offer("x.look", func(context.Context, empty) (empty, error) {
		running, _ := children(t)
		if len(running) != 1 {
			return empty{}, fmt.Errorf("got %d workers, want one", len(running))
		}
		dir := "/proc/" + running[0]
		for _, file := range []string{"/environ", "/cmdline"} {
			text, err := os.ReadFile(dir + file)
			if err != nil && !errors.Is(err, os.ErrPermission) {
				t.Error(err)
			}
			if strings.Contains(string(text), "s3cr3t") || strings.Contains(string(text), "alice") || file == "/environ" && len(text) > 0 {
				t.Errorf("%s holds %q", file, text)
			}
		}
		if cwd, err := os.Readlink(dir + "/cwd"); err == nil && cwd != "/" {
			t.Errorf("the worker's directory is %s", cwd)
		}
		if entries, err := os.ReadDir(dir + "/fd"); err == nil {
			for _, entry := range entries {
				target, _ := os.Readlink(dir + "/fd/" + entry.Name())
				if !strings.HasPrefix(target, "pipe:") && !strings.HasPrefix(target, "anon_inode:") && target != "/dev/null" && !strings.HasPrefix(target, "socket:") {
					t.Errorf("the worker has %s open", target)
				}
			}
		}
		return empty{}, nil
	})
	file, err := os.CreateTemp("", "codemode") // one more descriptor to inherit
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	server := start(t, codemode.Options{IdleWorkers: -1}, look)
	wantValue(t, server, body("return x.look()"), "{}")
}

func startsNoWorker(t *testing.T) {
	log := new(eventLog)
	server := start(t, codemode.Options{Observer: log, IdleWorkers: -1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := server.Execute(ctx, alice, body("return 1"))
	wantClass(t, err, context.Canceled)
	_, _ = server.Execute(t.Context(), authz.Subject{}, body("return 1"))
	_, _ = server.Execute(t.Context(), alice, codemode.Program(strings.Repeat("#", 1<<17)))
	_, _ = server.Execute(t.Context(), alice, "\x00")
	if running, zombies := children(t); len(running)+len(zombies) > 0 {
		t.Errorf("%v, %v were started", running, zombies)
	}
	_, _, runs := log.take()
	for _, run := range runs {
		if run.Usage != (codemode.Usage{}) {
			t.Errorf("got usage %+v of %v", run.Usage, run.Err)
		}
	}
}

func killsItsWorker(t *testing.T) {
	var signal syscall.Signal
	server := start(t, codemode.Options{IdleWorkers: -1}, offer("x.kill", func(context.Context, empty) (empty, error) {
		running, _ := children(t)
		for _, pid := range running {
			n, _ := strconv.Atoi(pid)
			_ = syscall.Kill(n, signal)
		}
		return empty{}, nil
	}))
	for _, signal = range []syscall.Signal{syscall.SIGTERM, syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGQUIT} {
		wantFault(t, server, body("x.kill()\n"+"for _ in range(1 << 19): pass"), codemode.ErrInternal)
		_, err := do(t, server, body("x.kill()\n"+"for _ in range(1 << 19): pass"))
		wantNoSecret(t, err)
	}
	signal = syscall.SIGKILL // as the kernel does when memory is short
	wantFault(t, server, body("x.kill()\n"+"for _ in range(1 << 19): pass"), codemode.ErrResourceLimit)
	wantValue(t, server, body("return 1"), "1")
}
