package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/sandbox"
	"github.com/spf13/cobra"
)

func newDoctor() *cobra.Command {
	host := hostFlags{anywhere: true}
	var out outputFlags
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "Show what holds on this machine: workers, confinement, limits",
		GroupID: "host",
		Long: `Show what holds on this machine: whether workers start, what the operating system
keeps them from doing, layer by layer, and the limits that are in force. It needs
no repository.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			began := time.Now()
			b, err := host.open(cmd)
			if err != nil {
				return err
			}
			defer b.Close()
			d := diagnosis{
				Version: version(), Repository: b.repository(),
				Probe: time.Since(began), limits: b.service.Limits(), report: b.service.Confinement(),
			}
			if d.Program, err = b.tryProgram(cmd.Context()); err != nil {
				return fail(fmt.Errorf("program: %w", err))
			}
			return out.printer(cmd.OutOrStdout()).diagnosis(d)
		},
	}
	host.add(cmd)
	out.add(cmd, "print the findings as JSON, for scripts")
	return cmd
}

// tryProgram measures a small program from end to end.
func (b *builtin) tryProgram(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	_, err := b.service.Execute(ctx, b.subject, "def main(): return 1")
	return time.Since(began), err
}

type diagnosis struct {
	Version    string
	Repository string
	Probe      time.Duration
	Program    time.Duration
	limits     codemode.Limits
	report     sandbox.Report
}

// layers are the sandbox's, in the words of someone who asks what a program
// cannot do.
var layers = []struct {
	layer sandbox.Layers
	name  string
}{
	{sandbox.Memory, "memory"},
	{sandbox.Files, "files"},
	{sandbox.Network, "network"},
	{sandbox.SystemCalls, "system calls"},
	{sandbox.Processes, "processes"},
	{sandbox.CPU, "cpu"},
	{sandbox.ParentDeath, "parent death"},
	{sandbox.Privileges, "privileges"},
}

func (p *printer) diagnosis(d diagnosis) error {
	if p.json {
		confined := map[string]bool{}
		for _, l := range layers {
			confined[l.name] = d.report.Layers.Has(l.layer)
		}
		data, err := json.Marshal(map[string]any{
			"version": d.Version, "repository": d.Repository,
			"probe_ms": milliseconds(d.Probe), "program_ms": milliseconds(d.Program),
			"confinement": confined, "memory_cap": d.report.Memory.String(), "limits": d.limits,
		})
		if err != nil {
			return fail(err)
		}
		return p.value(data)
	}
	p.row("version", d.Version)
	p.row("repository", d.Repository)
	p.row("worker probe", fmt.Sprintf("passed, %.1f ms to build the server", milliseconds(d.Probe)))
	p.row("first program", fmt.Sprintf("%.1f ms", milliseconds(d.Program)))
	fmt.Fprintf(p, "\n%s\n", p.paint(bold, "Confinement of workers"))
	for _, l := range layers {
		state := p.paint(green, "enforced")
		if !d.report.Layers.Has(l.layer) {
			state = p.paint(amber, "not enforced here")
		}
		p.row("  "+l.name, state)
	}
	p.row("  in one line", d.report.String())
	fmt.Fprintf(p, "\n%s\n", p.paint(bold, "Limits of a program"))
	v := reflect.ValueOf(d.limits)
	for i := range v.NumField() {
		p.row("  "+v.Type().Field(i).Name, fmt.Sprint(v.Field(i).Interface()))
	}
	return nil
}

func (p *printer) row(name, value string) { fmt.Fprintf(p, "%-28s %s\n", name, value) }

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
