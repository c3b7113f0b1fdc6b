package main

import (
	"encoding/json"
	"fmt"

	"github.com/codemode-go/codemode/search"
	"github.com/spf13/cobra"
)

// everyResult is the value of --explain without a name. No capability has it.
const everyResult = "*"

func explainSearch(cmd *cobra.Command, flags *hostFlags, out outputFlags, query, name string) error {
	b, err := flags.open(cmd)
	if err != nil {
		return err
	}
	defer b.Close()
	names := []string{name}
	if name == everyResult {
		response, err := b.service.Search(query)
		if err != nil {
			return fail(err)
		}
		names = names[:0]
		for _, r := range response.Results {
			names = append(names, r.Name)
		}
	}
	explanations := []search.Explanation{}
	for _, n := range names {
		e, err := b.service.Explain(query, n)
		if err != nil {
			return fail(fmt.Errorf("%s: %w", n, err))
		}
		explanations = append(explanations, e)
	}
	p := out.printer(cmd.OutOrStdout())
	if p.json {
		data, err := json.Marshal(explanations)
		if err != nil {
			return fail(err)
		}
		return p.value(data)
	}
	if len(explanations) == 0 {
		fmt.Fprintln(p, "Nothing found. --explain=NAME tells why a capability was not.")
	}
	for i, e := range explanations {
		if i > 0 {
			fmt.Fprintln(p)
		}
		fmt.Fprintln(p, e)
	}
	return nil
}
