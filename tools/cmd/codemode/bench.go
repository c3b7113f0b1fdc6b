package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/codemode-go/codemode/tools/ratios"
	"github.com/spf13/cobra"
)

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
Machines differ and drift; ratios hold. This command links OPA; a host that does
not is built for the two lines that speak of one, where there is a go command.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := ratios.Measure(cmd.Context(), budget)
			if err != nil {
				return fail(err)
			}
			return out.printer(cmd.OutOrStdout()).bench(report)
		},
	}
	cmd.Flags().DurationVar(&budget, "time", 30*time.Second, "measure for this `duration`, at least five rounds")
	out.add(cmd, "print the numbers as JSON, for scripts")
	return cmd
}

func (p *printer) bench(r ratios.Report) error {
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
	missing := ""
	for _, x := range r.Ratios {
		here := fmt.Sprintf("%7.2f", x.Ratio)
		if x.Missing != "" {
			here, missing = fmt.Sprintf("%7s", "-"), x.Missing
		}
		fmt.Fprintf(p, "%-44s %s %s  %s\n", x.Name, p.paint(dim, fmt.Sprintf("%-26s", x.Formula)), here, x.Goal)
	}
	if missing != "" {
		fmt.Fprintf(p, "\n%7s  not measured: %s\n", "-", missing)
	}
	return nil
}
