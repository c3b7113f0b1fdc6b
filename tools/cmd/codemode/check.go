package main

import (
	"encoding/json"
	"fmt"

	"github.com/codemode-go/codemode/codemode"
	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	var host hostFlags
	var out outputFlags
	cmd := &cobra.Command{
		Use:     "check FILE|-",
		Short:   "Find faults in a program without running it",
		GroupID: "host",
		Long: `Find faults of syntax and names, of the entry point and of calls of capabilities
that can be judged without running the program: all of them at once. Exits with 1
if there are any.`,
		Example: `  codemode check docs/examples/programs/contributors.star`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			source, err := readProgram(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			b, err := host.open(cmd)
			if err != nil {
				return err
			}
			defer b.Close()
			problems, err := b.service.Check(cmd.Context(), codemode.Program(source))
			if err != nil {
				return fail(err)
			}
			name := args[0]
			if name == "-" {
				name = "<stdin>"
			}
			return out.printer(cmd.OutOrStdout()).problems(name, problems)
		},
	}
	host.add(cmd)
	out.add(cmd, "print the problems as JSON, for scripts")
	return cmd
}

func (p *printer) problems(file string, problems []codemode.Problem) error {
	if p.json {
		type problem struct {
			Line    int    `json:"line"`
			Column  int    `json:"column"`
			Message string `json:"message"`
		}
		list := []problem{}
		for _, found := range problems {
			list = append(list, problem(found))
		}
		data, err := json.Marshal(map[string][]problem{"problems": list})
		if err == nil {
			err = p.value(data)
		}
		if err != nil {
			return fail(err)
		}
	} else {
		for _, found := range problems {
			at := file
			if found.Line > 0 {
				at = fmt.Sprintf("%s:%d:%d", file, found.Line, found.Column)
			}
			fmt.Fprintf(p, "%s %s\n", p.paint(bold, at+":"), found.Message)
		}
	}
	switch n := len(problems); n {
	case 0:
		return nil
	case 1:
		return fail(fmt.Errorf("%s: 1 problem", file))
	default:
		return fail(fmt.Errorf("%s: %d problems", file, n))
	}
}
