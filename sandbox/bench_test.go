package sandbox_test

import (
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

// BenchmarkCold measures a job that starts its worker, reaped, against a start of the same binary that does nothing.
func BenchmarkCold(b *testing.B) {
	p := newPool(b, sandbox.Options{Idle: -1, MaxWorkers: 1})
	medians := interleave(max(b.N, 5),
		func() { startNothing(b) },
		func() { expectEcho(b, p) },
		func() { // the slot is free only when the worker is reaped, so the second includes the end of the first
			expectEcho(b, p)
		},
	)
	b.ReportMetric(float64(medians[0]), "start-ns")
	b.ReportMetric(float64(medians[2]), "cold-ns")
	b.ReportMetric(float64(medians[2])/float64(medians[0]), "cold/start")
}

// BenchmarkWarm measures a job in a ready worker against round trips and against a job that starts its worker.
func BenchmarkWarm(b *testing.B) {
	cold := newPool(b, sandbox.Options{Idle: -1})
	warm := newPool(b, sandbox.Options{Idle: 1})
	m := newMirror(b)
	expectEcho(b, warm)
	time.Sleep(20 * time.Millisecond)
	trips := 20
	medians := interleave(max(b.N, 5),
		func() {
			for range trips {
				m.trip(b)
			}
		},
		func() { warm.Run(b.Context(), []byte("echo hello"), nil) },
		func() { cold.Run(b.Context(), []byte("echo hello"), nil) },
		func() { time.Sleep(20 * time.Millisecond) },
	)
	trip := float64(medians[0]) / float64(trips)
	b.ReportMetric(trip, "R-ns")
	b.ReportMetric(float64(medians[1]), "warm-ns")
	b.ReportMetric(float64(medians[2]), "cold-ns")
	b.ReportMetric(float64(medians[1])/trip, "warm/R")
	b.ReportMetric(float64(medians[2])/float64(medians[1]), "cold/warm")
}

// BenchmarkCall measures one more call of a job against round trips.
func BenchmarkCall(b *testing.B) {
	p := newPool(b, sandbox.Options{Idle: -1})
	m := newMirror(b)
	run := func(job string) func() {
		return func() {
			if _, _, err := p.Run(b.Context(), []byte(job), echoCall); err != nil {
				b.Fatal(err)
			}
		}
	}
	medians := interleave(max(b.N, 5),
		func() {
			for range 200 {
				m.trip(b)
			}
		},
		run("calls 0"), run("calls 200"),
	)
	b.ReportMetric(float64(medians[0])/200, "R-ns")
	b.ReportMetric(float64(medians[2]-medians[1])/200, "call-ns")
	b.ReportMetric(float64(medians[2]-medians[1])/float64(medians[0]), "call/R")
}
