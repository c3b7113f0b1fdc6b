package sandbox_test

import (
	"sync"
	"testing"

	"github.com/codemode-go/codemode/sandbox"
)

// Every benchmark takes its floors in the same run, interleaved, and reports medians and their ratios: the machine's mood meets all alike. -benchtime=50x
// makes 50 rounds.

func mustEcho(b *testing.B, p *sandbox.Pool) {
	if outcome, _, err := p.Run(b.Context(), []byte("echo hello"), nil); err != nil || string(outcome.Value) != "hello" {
		b.Fatalf("got %q, %v", outcome.Value, err)
	}
}

// ready waits until the pool has a worker ready.
func ready(b *testing.B, p *sandbox.Pool) {
	eventually(b, func() bool { return sandbox.Idle(p) > 0 }, func() string { return "no idle worker" })
}

// BenchmarkCold measures a job that starts its worker, reaped, against a start of the same binary that does nothing.
func BenchmarkCold(b *testing.B) {
	p := newPool(b, sandbox.Options{Idle: -1, MaxWorkers: 1})
	medians := interleave(max(b.N, 5),
		func() { startNothing(b) },
		func() {
			mustEcho(b, p)
			sandbox.AwaitNone(p)
		},
	)
	b.ReportMetric(float64(medians[0]), "start-ns")
	b.ReportMetric(float64(medians[1]), "cold-ns")
	b.ReportMetric(float64(medians[1])/float64(medians[0]), "cold/start")
}

// BenchmarkWarm measures a job in a ready worker against round trips, a job that starts its worker, and the job in process.
func BenchmarkWarm(b *testing.B) {
	cold := newPool(b, sandbox.Options{Idle: -1})
	warm := newPool(b, sandbox.Options{Idle: 1})
	m := newMirror(b)
	mustEcho(b, warm)
	const trips = 20
	inProcess := &engine{}
	medians := interleave(max(b.N, 5),
		func() {
			for range trips {
				m.trip(b)
			}
		},
		func() { ready(b, warm) },
		func() { mustEcho(b, warm) },
		func() { mustEcho(b, cold) },
		func() { inProcess.Run([]byte("echo hello"), nil) },
	)
	trip, warmTime, coldTime, work := float64(medians[0])/trips, float64(medians[2]), float64(medians[3]), float64(medians[4])
	b.ReportMetric(trip, "R-ns")
	b.ReportMetric(work, "in-process-ns")
	b.ReportMetric(warmTime, "warm-ns")
	b.ReportMetric(coldTime, "cold-ns")
	b.ReportMetric((warmTime-work)/trip, "warm/R")
	b.ReportMetric(coldTime/warmTime, "cold/warm")
}

// BenchmarkCall measures one more call of a job against round trips.
func BenchmarkCall(b *testing.B) {
	p := newPool(b, sandbox.Options{Idle: -1})
	m := newMirror(b)
	const calls = 2000
	run := func(job string) func() {
		return func() {
			if _, _, err := p.Run(b.Context(), []byte(job), echoCall); err != nil {
				b.Fatal(err)
			}
		}
	}
	medians := interleave(max(b.N, 5),
		func() {
			for range calls {
				m.trip(b)
			}
		},
		run("calls 0"), run("calls 2000"),
	)
	b.ReportMetric(float64(medians[0])/calls, "R-ns")
	b.ReportMetric(float64(medians[2]-medians[1])/calls, "call-ns")
	b.ReportMetric(float64(medians[2]-medians[1])/float64(medians[0]), "call/R")
}

// BenchmarkThroughput measures jobs at eight callers, with and without idle workers, against starts of the same binary at eight.
func BenchmarkThroughput(b *testing.B) {
	cold := newPool(b, sandbox.Options{Idle: -1})
	warm := newPool(b, sandbox.Options{})
	const callers, each = 8, 10
	batch := func(job func()) func() {
		return func() {
			var all sync.WaitGroup
			for range callers {
				all.Go(func() {
					for range each {
						job()
					}
				})
			}
			all.Wait()
		}
	}
	medians := interleave(max(b.N, 5),
		batch(func() { startNothing(b) }),
		batch(func() { mustEcho(b, cold) }),
		batch(func() { mustEcho(b, warm) }),
	)
	rate := func(i int) float64 { return callers * each / medians[i].Seconds() }
	b.ReportMetric(rate(0), "starts/s")
	b.ReportMetric(rate(1), "cold-jobs/s")
	b.ReportMetric(rate(2), "pool-jobs/s")
	b.ReportMetric(rate(2)/rate(0), "pool/starts")
	b.ReportMetric(rate(2)/rate(1), "pool/cold")
}
