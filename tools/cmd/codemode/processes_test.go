package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// endless takes time rather than steps, of which it may use only so many.
const endless = `
def main():
    numbers = list(range(100000))
    for i in range(1000000000):
        sorted(numbers, reverse=i % 2 == 0)
`

// workers lists the living processes that a process started, each as its directory
// below /proc and its state.
func workers(t *testing.T, parent int) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		return nil
	}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range stats {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // gone since
		}
		// PID (name) STATE PPID …
		fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		if len(fields) > 2 && fields[1] == strconv.Itoa(parent) && fields[0] != "Z" {
			found = append(found, fmt.Sprintf("%s %s", filepath.Dir(file), fields[0]))
		}
	}
	return found
}

// waitForWorker returns once a worker of the process uses the processor.
func waitForWorker(t *testing.T, parent int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	deadline := time.After(10 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, w := range workers(t, parent) {
			if strings.HasSuffix(w, "R") {
				return
			}
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("no worker runs")
		}
	}
}
