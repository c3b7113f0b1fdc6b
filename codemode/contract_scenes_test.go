//go:build linux

package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codemode-go/codemode/codemode"
)

// hostScenes are what the hosts of TestHosts do.
var hostScenes map[string]func(*testing.T)

func init() { // the map refers to itself through the tests
	hostScenes = map[string]func(*testing.T){
		"works":                    works,
		"allocates":                allocates,
		"loses its directory":      losesItsDirectory,
		"moves to the root":        func(t *testing.T) { chdir(t, "/"); works(t) },
		"deletes its binary":       deletesItsBinary,
		"executes 300 times":       executes300Times,
		"counts its workers":       countsItsWorkers,
		"runs endless programs":    runsEndlessPrograms,
		"closes and drops servers": closesAndDropsServers,
		"looks at its worker":      looksAtItsWorker,
		"starts no worker":         startsNoWorker,
		"kills its worker":         killsItsWorker,
		"prints":                   prints,
		"waits to be killed":       waitsToBeKilled,
		"reports noise":            func(t *testing.T) { reports(t, "a banner of the host", "ServeWorkerAndExit") },
		"reports silence":          func(t *testing.T) { reports(t, "ServeWorkerAndExit") },
		"reports death":            func(t *testing.T) { reports(t, "cannot read the host's configuration", "ServeWorkerAndExit") },
	}
}

func works(t *testing.T) {
	server := start(t, codemode.Options{}, returning("x.y", box[int]{7}))
	for range 3 {
		wantValue(t, server, body("return x.y()['v']"), "7")
	}
}

func chdir(t *testing.T, dir string) {
	t.Helper()
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
}

func allocates(t *testing.T) {
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxExecutionTime: time.Minute}})
	wantValue(t, server, body("n = 0\nfor i in range(20000):\n    l = [i] * 1000\n    n += len(l)\nreturn n"), "20000000")
}

func losesItsDirectory(t *testing.T) {
	dir, err := os.MkdirTemp("", "codemode")
	if err != nil {
		t.Fatal(err)
	}
	chdir(t, dir)
	server := start(t, codemode.Options{IdleWorkers: -1}, returning("x.y", box[int]{7}))
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	wantValue(t, server, body("return x.y()['v']"), "7")
	works(t) // a Build, too
}

func deletesItsBinary(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := start(t, codemode.Options{IdleWorkers: -1}, returning("x.y", box[int]{7}))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	wantValue(t, server, body("return x.y()['v']"), "7")
	if err := os.WriteFile(path, []byte("#!/bin/false\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	wantValue(t, server, body("return x.y()['v']"), "7")
	works(t)
}

func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func executes300Times(t *testing.T) {
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxConcurrentExecutions: 4}}, returning("x.y", empty{}))
	programs := []codemode.Program{body("return x.y()"), body("return 1 // 0"), body("return x.y(1)"), "(", body(endless)}
	each := func(n int) {
		var group sync.WaitGroup
		for worker := range 4 {
			group.Go(func() {
				for i := range n / 4 {
					_, _ = server.Execute(t.Context(), alice, programs[(i+worker)%len(programs)])
				}
			})
		}
		group.Wait()
	}
	each(20)
	waitForChildren(t, 2) // the idle ones
	fds, goroutines := descriptors(t), runtime.NumGoroutine()
	each(300)
	waitForChildren(t, 2)
	// One of the two can still be ending, and the next one beginning.
	waitFor(t, fmt.Sprintf("as few descriptors as the %d before", fds), func() bool { return descriptors(t) <= fds+4 })
	waitFor(t, fmt.Sprintf("as few goroutines as the %d before", goroutines), func() bool { return runtime.NumGoroutine() <= goroutines+10 })
	wantClass(t, server.Close(), nil)
	if running, zombies := children(t); len(running)+len(zombies) > 0 {
		t.Errorf("%v, %v are left after Close", running, zombies)
	}
}

func countsItsWorkers(t *testing.T) {
	for _, limit := range []int{1, 3} {
		server := start(t, codemode.Options{IdleWorkers: 8, Limits: codemode.Limits{MaxConcurrentExecutions: limit, MaxExecutionTime: time.Minute}}, returning("x.y", empty{}))
		done := make(chan struct{})
		go func() {
			defer close(done)
			var group sync.WaitGroup
			for range 8 {
				group.Go(func() {
					for range 8 {
						wantValue(t, server, body("for _ in range(2000): pass\nreturn x.y()"), "{}")
					}
				})
			}
			group.Wait()
		}()
		most := 0
		for over := false; !over; {
			select {
			case <-done:
				over = true
			default:
			}
			running, zombies := children(t)
			most = max(most, len(running)+len(zombies))
		}
		if most > limit || most == 0 {
			t.Errorf("up to %d workers lived at once, want at most %d", most, limit)
		}
		_ = server.Close()
	}
}

func runsEndlessPrograms(t *testing.T) {
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxExecutionTime: 200 * time.Millisecond, MaxExecutionSteps: 1 << 62}})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			text := []string{endless, "max(range(1 << 40))", "sorted(range(1 << 26))", "'x' * 100000000 in 'y' * 100000000"}[i%4]
			begin := time.Now()
			_, err := server.Execute(t.Context(), alice, body(text))
			if !errors.Is(err, codemode.ErrResourceLimit) && err != nil || time.Since(begin) > 10*time.Second {
				t.Errorf("%s: got %v after %v", text, err, time.Since(begin))
			}
		})
	}
	group.Wait()
}

func closesAndDropsServers(t *testing.T) {
	use := func() *codemode.Server {
		server, err := tryStart(codemode.Options{}, returning("x.y", empty{}))
		if err != nil {
			t.Fatal(err)
		}
		wantValue(t, server, body("return x.y()"), "{}")
		return server
	}
	for range 3 {
		wantClass(t, use().Close(), nil)
	}
	waitForChildren(t, 0)
	for range 3 {
		use()
	}
	waitForChildren(t, 0)
	g := newGate(t)
	server := start(t, codemode.Options{}, g.add("x.gate"))
	result := make(chan error, 1)
	go func() { _, err := server.Execute(context.Background(), alice, body("x.gate()")); result <- err }()
	g.wait(t)
	wantClass(t, server.Close(), nil) // while a handler ignores it
	wantClass(t, <-result, codemode.ErrInternal)
	_, err := do(t, server, body("return 1"))
	wantClass(t, err, codemode.ErrInternal)
	_, err = server.Check(t.Context(), body("return 1"))
	wantClass(t, err, codemode.ErrInternal)
	waitForChildren(t, 0)
}

func prints(t *testing.T) {
	server := start(t, codemode.Options{}, offer("x.y", func(context.Context, empty) (empty, error) {
		fmt.Println("a line of the host")
		fmt.Fprintln(os.Stderr, "another")
		return empty{}, nil
	}))
	wantValue(t, server, body("print('x')\nreturn x.y()"), "{}")
}

func waitsToBeKilled(t *testing.T) {
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxExecutionTime: time.Hour, MaxExecutionSteps: 1 << 62}}, offer("x.tell", func(context.Context, empty) (empty, error) {
		running, _ := children(t)
		fmt.Println(strings.Join(running, " "))
		return empty{}, nil
	}))
	_, _ = do(t, server, body("x.tell()\n"+endless))
}

func reports(t *testing.T, words ...string) {
	begin := time.Now()
	refused(t, codemode.Options{Limits: codemode.Limits{MaxExecutionTime: time.Hour}}, words)
	if took := time.Since(begin); took > 15*time.Second {
		t.Errorf("Build took %v; its probe has five seconds", took)
	}
	waitForChildren(t, 0)
}
