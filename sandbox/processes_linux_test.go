package sandbox_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// children returns the processes whose parent this process is, zombies included.
func children(t testing.TB) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // gone meanwhile
		}
		// pid (name) state parent …
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if fields[1] == strconv.Itoa(os.Getpid()) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// descriptors returns the number of open descriptors.
func descriptors(t testing.TB) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// A census counts what must not grow.
type census struct{ goroutines, descriptors, children int }

func take(t testing.TB) census {
	r, w, err := os.Pipe() // the runtime's poller comes with the first, and stays
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	w.Close()
	return census{runtime.NumGoroutine(), descriptors(t), len(children(t))}
}

// expectNoMore waits until nothing is left that was not there before. What goes away does so by itself, soon.
func (before census) expectNoMore(t testing.TB) {
	t.Helper()
	var now census
	eventually(t, func() bool {
		now = take(t)
		return now.goroutines <= before.goroutines && now.descriptors <= before.descriptors && now.children <= before.children
	}, func() string {
		stacks := make([]byte, 1<<20)
		return fmt.Sprintf("left over: got %+v, want no more than %+v\n%s", now, before, stacks[:runtime.Stack(stacks, true)])
	})
}

// gone reports whether a process does not run any more; a zombie that someone else has to reap counts.
func gone(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	return fields[0] == "Z" || fields[0] == "X"
}

// noNewPrivileges counts the threads of a process, and those that can gain no privileges.
func noNewPrivileges(t testing.TB, pid int) (threads, protected int) {
	paths, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		threads++
		if strings.Contains(string(text), "NoNewPrivs:\t1") {
			protected++
		}
	}
	return threads, protected
}

func ownerOf(t testing.TB, pid int) int {
	info, err := os.Stat(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Sys().(*syscall.Stat_t).Uid)
}

func readable(pid int) bool {
	_, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil
}

type openFile struct {
	fd   int
	path string
}

func openFiles(t testing.TB, pid int) (files []openFile) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		fd, _ := strconv.Atoi(e.Name())
		path, _ := os.Readlink(filepath.Join(dir, e.Name()))
		files = append(files, openFile{fd, path})
	}
	return files
}
