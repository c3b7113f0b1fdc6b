package sandbox_test

import (
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// The floors of the benchmarks are modes of the test binary itself, chosen before anything else.
const (
	nothingMode = "--sandbox-test-nothing" // start and exit
	mirrorMode  = "--sandbox-test-mirror"  // send back 16 bytes at a time
)

func serveFloors() {
	if len(os.Args) != 2 {
		return
	}
	switch os.Args[1] {
	case nothingMode:
		os.Exit(0)
	case mirrorMode:
		var frame [16]byte
		for {
			if _, err := io.ReadFull(os.Stdin, frame[:]); err != nil {
				os.Exit(0)
			}
			if _, err := os.Stdout.Write(frame[:]); err != nil {
				os.Exit(0)
			}
		}
	}
}

// startNothing starts, ends and reaps this binary.
func startNothing(t testing.TB) {
	cmd := exec.Command("/proc/self/exe", nothingMode)
	cmd.Env = []string{}
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
}

// A mirror is a live child that sends back what it gets.
type mirror struct {
	in  io.WriteCloser
	out io.Reader
}

func newMirror(t testing.TB) *mirror {
	cmd := exec.Command("/proc/self/exe", mirrorMode)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait() })
	return &mirror{in, out}
}

// trip sends 16 bytes there and back.
func (m *mirror) trip(t testing.TB) {
	var frame [16]byte
	if _, err := m.in.Write(frame[:]); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(m.out, frame[:]); err != nil {
		t.Fatal(err)
	}
}

// interleave runs every measure once a round, so that noise meets all alike, and returns the median time of each.
func interleave(rounds int, measures ...func()) []time.Duration {
	times := make([][]time.Duration, len(measures))
	for range rounds {
		for i, measure := range measures {
			begin := time.Now()
			measure()
			times[i] = append(times[i], time.Since(begin))
		}
	}
	medians := make([]time.Duration, len(measures))
	for i := range times {
		slices.Sort(times[i])
		medians[i] = times[i][len(times[i])/2]
	}
	return medians
}
