package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func newRun() *cobra.Command {
	var server serverFlags
	var out outputFlags
	cmd := &cobra.Command{
		Use:     "run FILE|-",
		Short:   "Run a Starlark program through execute and print its result",
		GroupID: "tools",
		Long: `Run a Starlark program (from standard input for "-") through the tool execute and
print what its main returned as JSON.`,
		Example: `  codemode run --git . docs/examples/programs/contributors.star
  echo 'def main(): return repo.tags()["tags"]' | codemode run --json -
  codemode run --policy readers.rego --subject alice program.star
  codemode run --url https://example.com/mcp --header "Authorization: Bearer $TOKEN" program.star`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			source, err := readProgram(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			line := newProgressLine(cmd.ErrOrStderr())
			server.log.to = line
			c, err := server.connect(cmd, line.set)
			if err != nil {
				return err
			}
			defer c.Close()
			result, err := execute(cmd.Context(), c, source, line)
			if err != nil {
				return err
			}
			return out.printer(cmd.OutOrStdout()).value(result)
		},
	}
	server.add(cmd)
	out.add(cmd, "print the result on one line, for scripts")
	return cmd
}

func execute(ctx context.Context, c *client, source string, line *progressLine) (json.RawMessage, error) {
	line.start()
	defer line.stop()
	content, err := c.call(ctx, "execute", map[string]string{"source": source}, line.token())
	if err != nil {
		return nil, err
	}
	var envelope struct{ Result json.RawMessage }
	if err := json.Unmarshal(content, &envelope); err != nil {
		return nil, fail(fmt.Errorf("result of execute: %w", err))
	}
	return envelope.Result, nil
}

func readProgram(stdin io.Reader, name string) (string, error) {
	if name == "-" {
		source, err := io.ReadAll(stdin)
		return string(source), fail(err)
	}
	source, err := os.ReadFile(name)
	return string(source), fail(err)
}
