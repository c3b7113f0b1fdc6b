package sandbox_test

import (
	"strings"
	"testing"

	"github.com/codemode-go/codemode/sandbox"
)

func TestReportCrossesTheBorderUnchanged(t *testing.T) {
	for _, r := range []sandbox.Report{
		{},
		{Memory: sandbox.MemorySoft, Layers: sandbox.CPU},
		{Memory: sandbox.MemoryHard, Layers: sandbox.AllLayers, Landlock: 7},
	} {
		if got, ok := sandbox.ParseReport(sandbox.EncodeReport(r)); !ok || got != r {
			t.Errorf("got %v, %v, want %v", got, ok, r)
		}
	}
}

func TestReportsThatCannotBe(t *testing.T) {
	for name, body := range map[string][]byte{
		"short":                  {0, 0, 0, 1, 3},
		"long":                   {0, 0, 0, 1, 3, 7, 0},
		"an unknown layer":       {1, 0, 0, 0, 0, 0},
		"an unknown memory cap":  {0, 0, 0, 0, 9, 0},
		"hard without the layer": {0, 0, 0, 0, 3, 0},
		"the layer without hard": {0, 0, 0, 1, 1, 0},
		"empty":                  nil,
	} {
		if got, ok := sandbox.ParseReport(body); ok {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestReportText(t *testing.T) {
	r := sandbox.Report{Memory: sandbox.MemoryWatched, Layers: sandbox.Files | sandbox.SystemCalls, Landlock: 4}
	want := "memory watched; enforced: files, system calls; not enforced: memory, network, processes, CPU time, parent death, privileges; Landlock 4"
	if got := r.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := sandbox.Layers(0).String(); got != "none" {
		t.Errorf("no layers: got %q, want none", got)
	}
	if got := (sandbox.Layers(1<<30) | sandbox.Files).String(); !strings.Contains(got, "Layers(0x40000000)") {
		t.Errorf("an unknown layer: got %q, want its number", got)
	}
}

// TestLimitLines splits what a dying Go process writes in every way that a pipe may.
func TestLimitLines(t *testing.T) {
	limits := []string{
		"runtime: out of memory: cannot allocate 4194304-byte block\nfatal error: out of memory\n\ngoroutine 1:\n",
		"runtime: goroutine stack exceeds 67108864-byte limit\nfatal error: stack overflow\n" + strings.Repeat("runtime stack\n", 1000),
		"fatal error: runtime: cannot allocate memory\n",
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\n",
		"fatal error: out of memory", // cut off
	}
	others := []string{
		"panic: out of memory\n",
		"the job printed fatal error: out of memory\n",
		"fatal error: all goroutines are asleep - deadlock!\n",
		strings.Repeat("x", 300) + "goroutine stack exceeds\n",
		"",
	}
	for _, chunk := range []int{1, 7, 64, 1 << 20} {
		for _, text := range limits {
			if !sandbox.CapturesLimit(text, chunk) {
				t.Errorf("%.40q in chunks of %d: not recognised", text, chunk)
			}
		}
		for _, text := range others {
			if sandbox.CapturesLimit(text, chunk) {
				t.Errorf("%.40q in chunks of %d: taken for a limit", text, chunk)
			}
		}
	}
}

func TestCaptureKeepsBothEnds(t *testing.T) {
	text := "first words" + strings.Repeat("a", 100_000) + "last words"
	for _, chunk := range []int{1, 1000, 1 << 20} {
		got := sandbox.Captured(text, chunk)
		if !strings.HasPrefix(got, "first words") || !strings.HasSuffix(got, "last words") || !strings.Contains(got, "…") || len(got) > 6<<10 {
			t.Errorf("in chunks of %d: got %d bytes, %.20q … want both ends and a gap", chunk, len(got), got)
		}
	}
	for _, text := range []string{"", "short", strings.Repeat("b", 5000)} {
		if got := sandbox.Captured(text, 100); got != text {
			t.Errorf("%d bytes: got %d, want them all", len(text), len(got))
		}
	}
	if got := sandbox.Captured("bad \xff byte", 100); got != "bad \uFFFD byte" {
		t.Errorf("got %q, want valid text", got)
	}
}
