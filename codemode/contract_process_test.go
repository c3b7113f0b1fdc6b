//go:build linux

package codemode_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/codemode"
)

const hostVariable = "CODEMODE_TEST_HOST"

// Copies of this binary under these names misbehave before main in workers.
func init() {
	if !codemode.IsWorker() {
		return
	}
	path, _ := os.Executable()
	switch filepath.Base(path) {
	case "noisy.test":
		fmt.Println("a banner of the host")
	case "stuck.test":
		select {}
	case "dying.test":
		fmt.Fprintln(os.Stderr, "cannot read the host's configuration")
		os.Exit(3)
	}
}

// TestHostProcess is the other side of TestHosts: a host in a process of its
// own, which does what the variable says.
func TestHostProcess(t *testing.T) {
	scene := hostScenes[os.Getenv(hostVariable)]
	if scene == nil {
		t.Skip("runs in a process that TestHosts starts")
	}
	scene(t)
}

// binary returns this test binary under another name in a directory of its own.
func binary(t *testing.T, name string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if os.Link(self, path) == nil {
		return path
	}
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func hostCommand(path, scene string, flags ...string) *exec.Cmd {
	command := exec.Command(path, append([]string{"-test.run=^TestHostProcess$"}, flags...)...)
	command.Env = append(os.Environ(), hostVariable+"="+scene, "HOST_TOKEN=s3cr3t")
	return command
}

// TestHosts runs hosts whose process is unusual.
func TestHosts(t *testing.T) {
	for _, c := range []struct {
		rule, scene, name string
		prepare           func(*exec.Cmd)
		flags             []string
	}{
		{rule: "flags of the host do not reach the worker", scene: "works", flags: []string{"-test.count=2", "-test.v", "-test.parallel=3", "-test.timeout=1m", "-test.short", "-test.cpu=1,2"}},
		{rule: "a runtime that floods standard error", scene: "allocates", prepare: func(c *exec.Cmd) {
			c.Env = append(c.Env, "GODEBUG=gctrace=1,schedtrace=5,scheddetail=1", "GOTRACEBACK=all")
		}},
		{rule: "a working directory that is gone", scene: "loses its directory"},
		{rule: "a relative argument 0 and another directory", scene: "moves to the root", name: "relative.test", prepare: func(c *exec.Cmd) {
			c.Dir, c.Path, c.Args[0] = filepath.Dir(c.Path), "./relative.test", "./relative.test"
		}},
		{rule: "an argument 0 that names nothing", scene: "works", prepare: func(c *exec.Cmd) { c.Args[0] = "nothing" }},
		{rule: "a binary that is deleted", scene: "deletes its binary", name: "deleted.test"},
		{rule: "closed standard streams", scene: "works", prepare: func(c *exec.Cmd) { c.Stdin = nil }},
		{rule: "an empty environment", scene: "works", prepare: func(c *exec.Cmd) { c.Env = []string{hostVariable + "=works"} }},
		{rule: "300 executions leave no zombie, descriptor or goroutine", scene: "executes 300 times"},
		{rule: "no more workers live than may run", scene: "counts its workers"},
		{rule: "endless programs in parallel end with their clock", scene: "runs endless programs"},
		{rule: "a server that is closed or dropped leaves nothing", scene: "closes and drops servers"},
		{rule: "a worker holds nothing of its host", scene: "looks at its worker"},
		{rule: "a request that is over before it starts starts no worker", scene: "starts no worker"},
		{rule: "a worker that dies", scene: "kills its worker"},
		{rule: "what the host prints later disturbs nothing", scene: "prints"},
		{rule: "a banner before main fails the probe and is shown", scene: "reports noise", name: "noisy.test"},
		{rule: "a worker that never answers fails the probe in five seconds", scene: "reports silence", name: "stuck.test"},
		{rule: "a worker that exits fails the probe and its words are shown", scene: "reports death", name: "dying.test"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			if hostScenes[c.scene] == nil {
				t.Fatalf("there is no scene %q", c.scene)
			}
			path, err := os.Executable()
			if c.name != "" {
				path, err = binary(t, c.name), nil
			}
			if err != nil {
				t.Fatal(err)
			}
			command := hostCommand(path, c.scene, c.flags...)
			if c.prepare != nil {
				c.prepare(command)
			}
			text, err := command.CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, text[max(0, len(text)-4000):])
			}
			if strings.Contains(string(text), "no tests to run") || strings.Contains(string(text), "SKIP") {
				t.Errorf("the host did nothing:\n%s", text)
			}
		})
	}
}

// TestHostThatIsKilled: its workers go with it, whatever they are doing.
func TestHostThatIsKilled(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := hostCommand(path, "waits to be killed")
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = command.Process.Kill(); _ = command.Wait() }()
	var line [4096]byte
	n, err := output.Read(line[:])
	if err != nil {
		t.Fatal(err)
	}
	workers := strings.Fields(string(line[:n]))
	if len(workers) == 0 {
		t.Fatal("the host has no worker")
	}
	for _, worker := range workers {
		if !exists(worker) {
			t.Fatalf("worker %s is not there yet", worker)
		}
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the workers to go", func() bool {
		for _, worker := range workers {
			if exists(worker) {
				runtime.Gosched()
				return false
			}
		}
		return true
	})
}

// exists reports whether a process is there and no zombie.
func exists(pid string) bool {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && stateOf(string(text)) != "Z"
}

func stateOf(stat string) string {
	_, rest, _ := strings.Cut(stat[strings.LastIndex(stat, ")"):], " ")
	state, _, _ := strings.Cut(rest, " ")
	return state
}

// children returns the processes of this one by their state.
func children(t *testing.T) (running, zombies []string) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it is gone
		}
		fields := strings.Fields(string(text[strings.LastIndex(string(text), ")"):]))
		if len(fields) < 3 || fields[2] != strconv.Itoa(os.Getpid()) {
			continue
		}
		pid := filepath.Base(filepath.Dir(path))
		if fields[1] == "Z" {
			zombies = append(zombies, pid)
		} else {
			running = append(running, pid)
		}
	}
	return running, zombies
}

// waitForChildren waits until this process has n children and every other one
// is reaped.
func waitForChildren(t *testing.T, n int) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		running, zombies := children(t)
		if len(running) == n && len(zombies) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("got %d children and %d zombies, want %d and none", len(running), len(zombies), n)
		}
		runtime.GC()
	}
}
