package codemode_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/codemode/internal/engine"
	"github.com/codemode-go/codemode/wire"
)

// The benchmarks print ratios. All terms of one are measured in turn, in the
// same rounds, and the medians divided: machines differ and drift, the ratios
// hold. The terms:
//
//	S  start, exit and reap of this binary doing nothing
//	R  round trip of 16 bytes to a live child over its pipes
//	W  the same program in this process

const (
	modeNothing = "bench-do-nothing"
	modeEcho    = "bench-echo"
)

// benchChild is the child's side of S and R; TestMain calls it.
func benchChild() {
	if len(os.Args) != 2 {
		return
	}
	switch os.Args[1] {
	case modeNothing:
		os.Exit(0)
	case modeEcho:
		var frame [16]byte
		for {
			if _, err := io.ReadFull(os.Stdin, frame[:]); err != nil {
				os.Exit(0)
			}
			if _, err := os.Stdout.Write(frame[:]); err != nil {
				os.Exit(1)
			}
		}
	}
}

// medians runs the terms in turn, n rounds, and returns the median of each.
func medians(b *testing.B, n int, terms ...func() time.Duration) []float64 {
	b.Helper()
	samples := make([][]float64, len(terms))
	for range n {
		for i, term := range terms {
			samples[i] = append(samples[i], float64(term()))
		}
	}
	result := make([]float64, len(terms))
	for i := range samples {
		slices.Sort(samples[i])
		result[i] = samples[i][len(samples[i])/2]
	}
	return result
}

func timed(b *testing.B, f func() error) func() time.Duration {
	return func() time.Duration {
		start := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
}

func startFloor() error {
	cmd := exec.Command("/proc/self/exe", modeNothing)
	cmd.Env = []string{}
	return cmd.Run()
}

// roundTrip returns R on a child of its own.
func roundTrip(b *testing.B) func() error {
	cmd := exec.Command("/proc/self/exe", modeEcho)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	var frame [16]byte
	return func() error {
		if _, err := in.Write(frame[:]); err != nil {
			return err
		}
		_, err := io.ReadFull(out, frame[:])
		return err
	}
}

const (
	returnOne = "def main(): return 1"
	oneCall   = "def main():\n    records.lookup(key='a')\n"
	manyCalls = "def main():\n    for _ in range(51): records.lookup(key='a')\n"
	aggregate = "def main():\n    n = 0.0\n    for r in records.list(count=1000)['items']:\n        if r['active']: n += r['score']\n    return n\n"
)

// benchServers are one world without idle workers and one with, and the floor.
type benchServers struct {
	cold, warm *world
	inProcess  func(source string, call engine.CallFunc) error
	usage      codemode.Usage
}

func newBenchServers(b *testing.B) *benchServers {
	if _, err := os.Stat("/proc/self/exe"); err != nil {
		b.Skip("the floors need /proc/self/exe")
	}
	s := new(benchServers)
	observer := observerFuncs{execution: func(e codemode.ExecutionEvent) { s.usage = e.Usage }}
	s.cold = newWorld(b, codemode.Options{IdleWorkers: -1, Authorizer: authz.AllowAll()})
	s.warm = newWorld(b, codemode.Options{Authorizer: authz.AllowAll(), Observer: observer})
	var err error
	if s.inProcess, err = codemode.InProcess(s.warm.Server); err != nil {
		b.Fatal(err)
	}
	return s
}

func (s *benchServers) coldRun(source string) func() error {
	return func() error {
		_, err := s.cold.Execute(context.Background(), alice, codemode.Program(source))
		return err
	}
}

// rest is the time before every term that a host has between two requests: the
// pool refills in it, which would weigh on whatever comes next.
const rest = 8 * time.Millisecond

func rested(terms ...func() time.Duration) []func() time.Duration {
	for i, term := range terms {
		terms[i] = func() time.Duration {
			time.Sleep(rest)
			return term()
		}
	}
	return terms
}

// warmRun times an execution that found an idle worker.
func (s *benchServers) warmRun(b *testing.B, source string) func() time.Duration {
	return func() time.Duration {
		for ; ; time.Sleep(rest) {
			start := time.Now()
			if _, err := s.warm.Execute(context.Background(), alice, codemode.Program(source)); err != nil {
				b.Fatal(err)
			}
			if d := time.Since(start); !s.usage.Cold {
				return d
			}
		}
	}
}

// inProcessCalls serves calls as the parent's dispatch does, without a parent.
func inProcessCalls(b *testing.B, s *benchServers) engine.CallFunc {
	lookup, err := binding.CompileFor[lookupInput, lookupOutput]()
	if err != nil {
		b.Fatal(err)
	}
	list, err := binding.CompileFor[listInput, listOutput]()
	if err != nil {
		b.Fatal(err)
	}
	limits := wire.Limits{MaxDepth: 32, MaxBytes: 1 << 20}
	var encoder wire.Encoder
	var buffer []byte
	items := listItems(1000)
	return func(id string, arguments []byte) ([]byte, engine.Class, error) {
		plan, output := lookup, any(lookupOutput{Key: "a", Count: 1})
		if id == "records.list" {
			plan, output = list, listOutput{Items: items, Total: 1000}
		}
		bound := plan.NewArguments()
		if err := wire.Decode(arguments, limits, bound); err != nil {
			return nil, engine.Internal, err
		}
		if err := bound.Finish(); err != nil {
			return nil, engine.Internal, err
		}
		encoder.Reset(buffer[:0], limits)
		if err := plan.WalkOutput(output, &encoder); err != nil {
			return nil, engine.Internal, err
		}
		var err error
		buffer, err = encoder.Bytes()
		return buffer, engine.OK, err
	}
}

func listItems(n int) []listItem {
	items := make([]listItem, n)
	for i := range items {
		items[i] = listItem{ID: fmt.Sprintf("r%d", i), Active: i%2 == 0, Score: float64(i) * 1.5}
	}
	return items
}

func (s *benchServers) inProcessRun(b *testing.B, source string, call engine.CallFunc) func() time.Duration {
	return timed(b, func() error { return s.inProcess(source, call) })
}

// BenchmarkExecute measures rows 1 and 3 to 8 of the table of ratios. One op is
// one round of all terms.
func BenchmarkExecute(b *testing.B) {
	s := newBenchServers(b)
	call := inProcessCalls(b, s)
	m := medians(b, max(b.N, 5), rested(
		timed(b, startFloor),
		timed(b, roundTrip(b)),
		timed(b, s.coldRun(returnOne)),
		s.warmRun(b, returnOne),
		s.inProcessRun(b, returnOne, call),
		s.warmRun(b, oneCall),
		s.warmRun(b, manyCalls),
		s.inProcessRun(b, oneCall, call),
		s.inProcessRun(b, manyCalls, call),
		s.warmRun(b, aggregate),
		s.inProcessRun(b, aggregate, call),
	)...)
	start, trip, cold, warm, work := m[0], m[1], m[2], m[3], m[4]
	native, nativeWork := (m[6]-m[5])/50, (m[8]-m[7])/50
	b.ReportMetric(cold/start, "row1:cold/S")
	b.ReportMetric(cold/warm, "row3:cold/warm")
	b.ReportMetric((warm-work)/trip, "row4:(warm-W)/R")
	b.ReportMetric(warm/work, "row5:warm/W")
	b.ReportMetric(native/trip, "row6:call/R")
	b.ReportMetric((native-nativeWork)/trip, "row7:(call-work)/R")
	b.ReportMetric(m[9]/m[10], "row8:aggregate/W")
	b.ReportMetric(start, "S-ns")
	b.ReportMetric(trip, "R-ns")
	b.ReportMetric(work, "W-ns")
}

// BenchmarkNamespace compares a warm execution over 4,096 capabilities with
// one over a single capability.
func BenchmarkNamespace(b *testing.B) {
	server := func(n int) func() time.Duration {
		s := new(benchServers)
		observer := observerFuncs{execution: func(e codemode.ExecutionEvent) { s.usage = e.Usage }}
		s.warm = &world{Server: buildMany(b, n, observer)}
		return s.warmRun(b, returnOne)
	}
	m := medians(b, max(b.N, 5), rested(server(1), server(4096))...)
	b.ReportMetric(m[1]/m[0], "4096/1")
}

func buildMany(b *testing.B, n int, observer codemode.Observer) *codemode.Server {
	builder := codemode.New(codemode.Options{Authorizer: authz.AllowAll(), Observer: observer})
	for i := range n {
		codemode.Register(builder, valid(func(c *sample) { c.Name = codemode.CapabilityName(fmt.Sprintf("n%d.c%d", i%64, i)) }))
	}
	server, err := builder.Build()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { server.Close() })
	return server
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{1, 100, 4096} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				buildMany(b, n, nil).Close()
			}
		})
	}
}
