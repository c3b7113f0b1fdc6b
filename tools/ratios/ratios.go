package ratios

import (
	"context"
	"errors"
	"math"
	"os"
	"time"
)

// A Report is what was measured.
type Report struct {
	Rounds int     `json:"rounds"`
	Floors []Floor `json:"floors"`
	Ratios []Ratio `json:"ratios"`
}

// A Floor is what ratios are relative to.
type Floor struct {
	Name         string  `json:"name"`
	Meaning      string  `json:"meaning"`
	Microseconds float64 `json:"microseconds"`
}

// A Ratio is one that the project holds itself to. Missing says why there is no
// figure.
type Ratio struct {
	Name    string  `json:"name"`
	Formula string  `json:"formula"`
	Ratio   float64 `json:"ratio,omitempty"`
	Missing string  `json:"missing,omitempty"`
	Goal    string  `json:"goal"`
}

// Measure measures for about as long as budget, and at least five rounds. The
// calling binary's main begins with [codemode.ServeWorkerAndExit] and [Child].
func Measure(ctx context.Context, budget time.Duration) (report Report, err error) {
	terms, floors, err := ownTerms(ctx)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, floors.Close()) }()
	plain, missing := startPlainHost(ctx)
	if missing == nil {
		defer func() { err = errors.Join(err, plain.Close()) }()
		terms = append(terms, plain.terms()...)
	}
	m, rounds, err := medians(ctx, budget, terms)
	if err != nil {
		return report, err
	}
	report = divide(m, missing)
	report.Rounds = rounds
	return report, nil
}

// running is what the terms of this binary keep open.
type running struct {
	echo *child
	*servers
}

func (r running) Close() error {
	r.echo.stop()
	return r.servers.Close()
}

// ownTerms returns the terms that this binary measures by itself.
func ownTerms(ctx context.Context) (_ []term, open running, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, open, err
	}
	w, err := inProcess()
	if err != nil {
		return nil, open, err
	}
	codec, err := codecs()
	if err != nil {
		return nil, open, err
	}
	if open.servers, err = newServers(); err != nil {
		return nil, open, err
	}
	if open.echo, err = startChild(self, echoArgument); err != nil {
		return nil, open, errors.Join(err, open.servers.Close())
	}
	warm := open.warm
	terms := []term{
		{"S", start(self, nothingArgument)}, {"R", timed(open.echo.roundTrip)}, {"cold", open.cold.run(ctx, returnOne)},
		{"warm", warm.waiting(ctx, returnOne)}, {"W", w(returnOne)},
		{"warm one", warm.waiting(ctx, oneCall)}, {"warm many", warm.waiting(ctx, manyCalls)}, {"W one", w(oneCall)}, {"W many", w(manyCalls)},
		{"warm list", warm.waiting(ctx, aggregate)}, {"W list", w(aggregate)},
	}
	return append(terms, codec...), open, nil
}

var errClock = errors.New("a term was too short for this system's clock")

// divide turns medians into ratios; missing is why those of the plain host are
// not among them, if they are not.
func divide(m map[string]float64, missing error) Report {
	call := (m["warm many"] - m["warm one"]) / 50
	work := (m["W many"] - m["W one"]) / 50
	report := Report{
		Floors: []Floor{
			{"S", "start, exit and reap of this binary", m["S"]},
			{"R", "round trip to a child", m["R"]},
			{"W", "return 1 in this process", m["W"]},
		},
		Ratios: []Ratio{
			{Name: "program in a new worker", Formula: "cold / S", Ratio: m["cold"] / m["S"], Goal: "≤ 1.5"},
			{Name: "what a waiting worker saves", Formula: "cold / warm", Ratio: m["cold"] / m["warm"], Goal: "≥ 20"},
			{Name: "the same in a host without OPA", Formula: "cold / warm", Ratio: m["plain cold"] / m["plain warm"], Goal: "≥ 10"},
			{Name: "border of a program", Formula: "(warm - W) / R", Ratio: (m["warm"] - m["W"]) / m["R"], Goal: "≤ 12"},
			{Name: "program in a waiting worker", Formula: "warm / W", Ratio: m["warm"] / m["W"], Goal: "≤ 5"},
			{Name: "one more native call", Formula: "call / R", Ratio: call / m["R"], Goal: "≤ 3"},
			{Name: "border of a native call", Formula: "(call - work) / R", Ratio: (call - work) / m["R"], Goal: "≤ 2"},
			{Name: "1,000 dicts from one call, aggregated", Formula: "warm / W", Ratio: m["warm list"] / m["W list"], Goal: "≤ 1.7"},
			{Name: "start of a host without OPA", Formula: "host / empty binary", Ratio: m["plain start"] / m["empty start"], Goal: "≤ 1.8"},
			{Name: "1,000 structs to bytes", Formula: "wire / encoding/json", Ratio: m["wire"] / m["json"], Goal: "≤ 0.5"},
			{Name: "1,000 dicts from bytes", Formula: "decode / build by hand", Ratio: m["decode"] / m["build"], Goal: "≤ 1.7"},
		},
	}
	if missing == nil {
		missing = errClock
	}
	for i, r := range report.Ratios {
		if math.IsNaN(r.Ratio) || math.IsInf(r.Ratio, 0) {
			report.Ratios[i].Ratio, report.Ratios[i].Missing = 0, missing.Error()
		}
	}
	return report
}
