package sandbox_test

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/sandbox"
)

// BenchmarkIdleMemory reports what an idle worker keeps that it shares with nobody.
func BenchmarkIdleMemory(b *testing.B) {
	p := newPool(b, sandbox.Options{Idle: 4})
	mustEcho(b, p)
	eventually(b, func() bool { return sandbox.Idle(p) == 4 }, func() string { return "no idle workers" })
	total, n := 0, 0
	for _, pid := range children(b) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			b.Skipf("not for this user: %v", err)
		}
		_, after, _ := bytes.Cut(text, []byte("Private_Dirty:"))
		kib, err := strconv.Atoi(strings.Fields(string(after))[0])
		if err != nil {
			b.Fatal(err)
		}
		total, n = total+kib, n+1
	}
	for b.Loop() {
	}
	b.ReportMetric(float64(total)/float64(n)/1024, "dirty-MB/worker")
}
