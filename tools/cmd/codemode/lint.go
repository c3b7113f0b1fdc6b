package main

import (
	"encoding/json"
	"fmt"

	"github.com/codemode-go/codemode/search"
	"github.com/spf13/cobra"
)

func newLint() *cobra.Command {
	var host hostFlags
	var out outputFlags
	cmd := &cobra.Command{
		Use:     "lint",
		Short:   "Tell what makes the catalog of the built-in server hard to search",
		GroupID: "host",
		Long: `Tell what makes the catalog of the built-in server hard to search. Hosts get the
same for theirs from codemode.Server.Lint. Exits with 1 if there is anything.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := host.open(cmd)
			if err != nil {
				return err
			}
			defer b.Close()
			return out.printer(cmd.OutOrStdout()).findings(b.service.Lint())
		},
	}
	host.add(cmd)
	out.add(cmd, "print the findings as JSON, for scripts")
	return cmd
}

func (p *printer) findings(findings []search.Finding) error {
	if p.json {
		type finding struct {
			Name    string `json:"name"`
			Rule    string `json:"rule"`
			Message string `json:"message"`
		}
		list := []finding{}
		for _, f := range findings {
			list = append(list, finding{f.Name, f.Rule, f.Message})
		}
		data, err := json.Marshal(map[string][]finding{"findings": list})
		if err == nil {
			err = p.value(data)
		}
		if err != nil {
			return fail(err)
		}
	} else if len(findings) == 0 {
		fmt.Fprintln(p, "Nothing found.")
	} else {
		for _, f := range findings {
			fmt.Fprintf(p, "%s  %s: %s\n", p.paint(bold, f.Name), p.paint(amber, f.Rule), f.Message)
		}
	}
	if n := len(findings); n > 0 {
		return fail(fmt.Errorf("%d findings", n))
	}
	return nil
}
