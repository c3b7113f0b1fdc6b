package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/spf13/cobra"
)

// minRounds is the fewest rounds whose median says anything.
const minRounds = 5

func newBench() *cobra.Command {
	var budget time.Duration
	var out outputFlags
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure what programs cost on this machine",
		GroupID: "host",
		Long: `Measure what programs cost on this machine, as ratios to what any design with a
process for each program has to pay:

  S  start, exit and reap of this binary doing nothing
  R  round trip of 16 bytes to a child over its pipes
  W  the same program without a worker, in this process

All terms are measured in turn, in the same rounds, and their medians divided.
Machines differ and drift; ratios hold.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := measure(cmd.Context(), budget)
			if err != nil {
				return fail(err)
			}
			return out.printer(cmd.OutOrStdout()).bench(report)
		},
	}
	cmd.Flags().DurationVar(&budget, "time", 30*time.Second, "how `long` to measure, at least five rounds")
	out.add(cmd, "print the numbers as JSON, for scripts")
	return cmd
}

// What the command is started as to measure S and R.
const (
	nothingArgument = "bench-child-nothing"
	echoArgument    = "bench-child-echo"
)

// benchChild is the other end of S and R; elsewhere it returns at once.
func benchChild() {
	if len(os.Args) != 2 {
		return
	}
	switch os.Args[1] {
	case nothingArgument:
		os.Exit(0)
	case echoArgument:
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

// A benchReport is what was measured.
type benchReport struct {
	Rounds int          `json:"rounds"`
	Floors []benchFloor `json:"floors"`
	Ratios []benchRatio `json:"ratios"`
}

type benchFloor struct {
	Name         string  `json:"name"`
	Meaning      string  `json:"meaning"`
	Microseconds float64 `json:"microseconds"`
}

type benchRatio struct {
	Name    string  `json:"name"`
	Formula string  `json:"formula"`
	Ratio   float64 `json:"ratio"`
	Goal    string  `json:"goal"`
}

// A stopwatch times one thing in every round.
type stopwatch func() (time.Duration, error)

func timed(f func() error) stopwatch {
	return func() (time.Duration, error) {
		start := time.Now()
		err := f()
		return time.Since(start), err
	}
}

// medians runs all terms in turn until the time is up.
func medians(ctx context.Context, budget time.Duration, terms map[string]stopwatch, order []string) (map[string]float64, int, error) {
	samples := map[string][]time.Duration{}
	began := time.Now()
	rounds := 0
	for rounds < minRounds || time.Since(began) < budget {
		for _, name := range order {
			if err := ctx.Err(); err != nil {
				return nil, 0, err
			}
			d, err := terms[name]()
			if err != nil {
				return nil, 0, fmt.Errorf("%s: %w", name, err)
			}
			samples[name] = append(samples[name], d)
		}
		rounds++
	}
	result := map[string]float64{}
	for name, list := range samples {
		slices.Sort(list)
		result[name] = float64(list[len(list)/2]) / float64(time.Microsecond)
	}
	return result, rounds, nil
}

// startNothing measures S.
func startNothing(self string) stopwatch {
	return timed(func() error { return exec.Command(self, nothingArgument).Run() })
}

// An echo is the child of R.
type echo struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.Reader
}

func startEcho(self string) (*echo, error) {
	cmd := exec.Command(self, echoArgument)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &echo{cmd, in, out}, cmd.Start()
}

func (e *echo) roundTrip() error {
	var frame [16]byte
	if _, err := e.in.Write(frame[:]); err != nil {
		return err
	}
	_, err := io.ReadFull(e.out, frame[:])
	return err
}

func (e *echo) Close() error {
	_ = e.in.Close()
	return e.cmd.Wait()
}

func (p *printer) bench(r benchReport) error {
	if p.json {
		data, err := json.Marshal(r)
		if err != nil {
			return fail(err)
		}
		return p.value(data)
	}
	fmt.Fprintf(p, "%s\n", p.paint(bold, fmt.Sprintf("Floors, medians of %d rounds", r.Rounds)))
	for _, f := range r.Floors {
		fmt.Fprintf(p, "  %-2s %9.1f µs  %s\n", f.Name, f.Microseconds, f.Meaning)
	}
	fmt.Fprintf(p, "\n%s\n", p.paint(bold, fmt.Sprintf("%-44s %-26s %7s  %s", "Ratio", "", "here", "goal")))
	for _, x := range r.Ratios {
		fmt.Fprintf(p, "%-44s %s %7.2f  %s\n", x.Name, p.paint(dim, fmt.Sprintf("%-26s", x.Formula)), x.Ratio, x.Goal)
	}
	return nil
}
