package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/wire"
)

// The programs that are measured.
const (
	returnOne = "def main():\n    return 1\n"
	oneCall   = "def main():\n    bench.lookup(key='a')\n"
	manyCalls = "def main():\n    for _ in range(51):\n        bench.lookup(key='a')\n"
	aggregate = `
def main():
    total = 0.0
    for item in bench.list()["items"]:
        if item["active"]:
            total += item["score"]
    return total
`
)

type (
	lookupInput struct {
		Key string `json:"key"`
	}
	lookupOutput struct {
		Key   string `json:"key"`
		Count int64  `json:"count"`
	}
	listInput  struct{}
	listOutput struct {
		Items []listItem `json:"items"`
	}
	listItem struct {
		ID     string  `json:"id"`
		Active bool    `json:"active"`
		Score  float64 `json:"score"`
	}
)

var thousand = func() listOutput {
	out := listOutput{Items: make([]listItem, 1000)}
	for i := range out.Items {
		out.Items[i] = listItem{fmt.Sprintf("r%d", i), i%2 == 0, float64(i) * 1.5}
	}
	return out
}()

func lookup(_ context.Context, in lookupInput) (lookupOutput, error) {
	return lookupOutput{in.Key, 1}, nil
}
func list(context.Context, listInput) (listOutput, error) { return thousand, nil }

// A benchServer counts whether its last execution had to start a worker.
type benchServer struct {
	*codemode.Server
	cold bool
}

func (s *benchServer) ObserveCall(context.Context, codemode.CallEvent) {}

func (s *benchServer) ObserveExecution(_ context.Context, e codemode.ExecutionEvent) {
	s.cold = e.Usage.Cold
}

func newBenchServer(idle int) (*benchServer, error) {
	s := &benchServer{}
	b := codemode.New(codemode.Options{Authorizer: authz.AllowAll(), IdleWorkers: idle, Observer: s})
	codemode.Register(b, codemode.Capability[lookupInput, lookupOutput]{
		Name: "bench.lookup", Summary: "Look up one record.", Effect: codemode.EffectReadOnly,
		Handler: func(ctx context.Context, _ authz.Subject, in lookupInput) (lookupOutput, error) {
			return lookup(ctx, in)
		},
	})
	codemode.Register(b, codemode.Capability[listInput, listOutput]{
		Name: "bench.list", Summary: "List a thousand records.", Effect: codemode.EffectReadOnly,
		Handler: func(ctx context.Context, _ authz.Subject, in listInput) (listOutput, error) { return list(ctx, in) },
	})
	var err error
	s.Server, err = b.Build()
	return s, err
}

func (s *benchServer) run(ctx context.Context, source string) stopwatch {
	return timed(func() error {
		_, err := s.Execute(ctx, authz.Subject{ID: "bench"}, codemode.Program(source))
		return err
	})
}

// warm times an execution that found an idle worker: it gives the pool the time
// to have one, as there is between two requests.
func (s *benchServer) warm(ctx context.Context, source string) stopwatch {
	run := s.run(ctx, source)
	return func() (time.Duration, error) {
		for range 100 {
			time.Sleep(8 * time.Millisecond)
			if d, err := run(); err != nil || !s.cold {
				return d, err
			}
		}
		return 0, errors.New("no worker waits; is the machine busy?")
	}
}

var benchLimits = wire.Limits{MaxDepth: 32, MaxBytes: 1 << 20}

// measure runs everything and divides.
func measure(ctx context.Context, budget time.Duration) (report benchReport, err error) {
	self, err := os.Executable()
	if err != nil {
		return report, err
	}
	child, err := startEcho(self)
	if err != nil {
		return report, err
	}
	defer child.Close()
	cold, err := newBenchServer(-1)
	if err != nil {
		return report, err
	}
	defer cold.Close()
	warm, err := newBenchServer(0)
	if err != nil {
		return report, err
	}
	defer warm.Close()

	terms := map[string]stopwatch{
		"S": startNothing(self), "R": timed(child.roundTrip), "cold": cold.run(ctx, returnOne),
		"warm": warm.warm(ctx, returnOne), "warm one": warm.warm(ctx, oneCall),
		"warm many": warm.warm(ctx, manyCalls), "warm list": warm.warm(ctx, aggregate),
	}
	order := []string{"S", "R", "cold", "warm", "W", "warm one", "warm many", "W one", "W many", "warm list", "W list", "wire", "json", "decode", "build"}
	for name, source := range map[string]string{"W": returnOne, "W one": oneCall, "W many": manyCalls, "W list": aggregate} {
		if terms[name], err = inProcess(source); err != nil {
			return report, err
		}
	}
	if err := addCodecs(terms); err != nil {
		return report, err
	}
	m, rounds, err := medians(ctx, budget, terms, order)
	if err != nil {
		return report, err
	}
	report = divide(m)
	report.Rounds = rounds
	return report, nil
}

// divide turns medians into the ratios that the project holds itself to.
func divide(m map[string]float64) benchReport {
	call := (m["warm many"] - m["warm one"]) / 50
	work := (m["W many"] - m["W one"]) / 50
	return benchReport{
		Floors: []benchFloor{
			{"S", "start, exit and reap of this binary", m["S"]},
			{"R", "round trip to a child", m["R"]},
			{"W", "return 1 in this process", m["W"]},
		},
		Ratios: []benchRatio{
			{"program in a new worker", "cold / S", m["cold"] / m["S"], "≤ 1.5"},
			{"what a waiting worker saves", "cold / warm", m["cold"] / m["warm"], "≥ 20"},
			{"border of a program", "(warm - W) / R", (m["warm"] - m["W"]) / m["R"], "≤ 12"},
			{"program in a waiting worker", "warm / W", m["warm"] / m["W"], "≤ 5"},
			{"one more native call", "call / R", call / m["R"], "≤ 3"},
			{"border of a native call", "(call - work) / R", (call - work) / m["R"], "≤ 2"},
			{"1,000 dicts from one call, aggregated", "warm / W", m["warm list"] / m["W list"], "≤ 1.7"},
			{"1,000 structs to bytes", "wire / encoding/json", m["wire"] / m["json"], "≤ 0.5"},
			{"1,000 dicts from bytes", "decode / build by hand", m["decode"] / m["build"], "≤ 1.7"},
		},
	}
}
