package main

import (
	"encoding/json"
	"fmt"

	"github.com/codemode-go/codemode/codemode"
	"github.com/spf13/cobra"
)

func newSearch() *cobra.Command {
	var server serverFlags
	var out outputFlags
	var explain string
	cmd := &cobra.Command{
		Use:     "search QUERY",
		Short:   "Find capabilities through search_api",
		GroupID: "tools",
		Long: `Find capabilities by words of the task, the resource or their name, best first.

--explain tells why each result ranks where it does, --explain=NAME why one
capability does or does not; both work on the built-in server only.`,
		Example: `  codemode search "commits by author"
  codemode search --explain=repo.blame "who wrote this"
  codemode search --json branches`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if explain != "" {
				if server.command != "" || server.url != "" {
					return usagef("--explain works on the built-in server only")
				}
				return explainSearch(cmd, &server.hostFlags, out, args[0], explain)
			}
			c, err := server.connect(cmd, func(int) {})
			if err != nil {
				return err
			}
			defer c.Close()
			content, err := c.call(cmd.Context(), "search_api", map[string]string{"query": args[0]}, nil)
			if err != nil {
				return err
			}
			return out.printer(cmd.OutOrStdout()).search(content)
		},
	}
	server.add(cmd)
	out.add(cmd, "print the tool's result as JSON, for scripts")
	cmd.Flags().StringVar(&explain, "explain", "", "tell how the results, or the capability of this `name`, match")
	cmd.Flags().Lookup("explain").NoOptDefVal = everyResult
	return cmd
}

func (p *printer) search(content json.RawMessage) error {
	if p.json {
		return p.value(content)
	}
	var response codemode.SearchResponse
	if err := json.Unmarshal(content, &response); err != nil {
		return fail(fmt.Errorf("result of search_api: %w", err))
	}
	if len(response.Results) == 0 {
		fmt.Fprintln(p, "Nothing found. Try fewer or other words.")
		return nil
	}
	width := 0
	for _, r := range response.Results {
		width = max(width, len(r.Name))
	}
	for _, r := range response.Results {
		fmt.Fprintf(p, "%s  %s\n", p.paint(bold, fmt.Sprintf("%-*s", width, r.Name)), r.Summary)
		fmt.Fprintf(p, "%*s  %s\n", width, "", p.paint(dim, r.Signature))
	}
	if response.Truncated {
		fmt.Fprintln(p, "There are more results. A more specific query finds them.")
	}
	return nil
}
