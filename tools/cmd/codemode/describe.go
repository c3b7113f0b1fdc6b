package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/codemode-go/codemode/codemode"
	"github.com/spf13/cobra"
)

func newDescribe() *cobra.Command {
	var server serverFlags
	var out outputFlags
	cmd := &cobra.Command{
		Use:     "describe NAME",
		Short:   "Tell how to call a capability through describe_api",
		GroupID: "tools",
		Example: `  codemode describe repo.commits
  codemode describe --json repo.commit | jq .output`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := server.connect(cmd, func(int) {})
			if err != nil {
				return err
			}
			defer c.Close()
			content, err := c.call(cmd.Context(), "describe_api", map[string]string{"name": args[0]}, nil)
			if err != nil {
				return err
			}
			return out.printer(cmd.OutOrStdout()).describe(content)
		},
	}
	server.add(cmd)
	out.add(cmd, "print the tool's result as JSON, for scripts")
	return cmd
}

func (p *printer) describe(content json.RawMessage) error {
	if p.json {
		return p.value(content)
	}
	var d codemode.Description
	if err := json.Unmarshal(content, &d); err != nil {
		return fail(fmt.Errorf("result of describe_api: %w", err))
	}
	fmt.Fprintf(p, "%s\n\n%s\n", p.paint(bold, d.Signature), d.Summary)
	if d.Description != d.Summary {
		fmt.Fprintf(p, "\n%s\n", d.Description)
	}
	p.fields("Input", d.Input)
	p.fields("Output", d.Output)
	return nil
}

func (p *printer) fields(title string, fields []codemode.FieldShape) {
	fmt.Fprintf(p, "\n%s\n", p.paint(bold, title))
	if len(fields) == 0 {
		fmt.Fprintln(p, "  none")
	}
	width := 0
	for _, f := range fields {
		width = max(width, len(f.Name))
	}
	for _, f := range fields {
		optional := ""
		if !f.Required {
			optional = p.paint(dim, "  optional")
		}
		name := p.paint(cyan, fmt.Sprintf("%-*s", width, f.Name))
		fmt.Fprintf(p, "  %s  %s%s\n", name, layOut(f.Type, width+4), optional)
	}
}

// layOut breaks the notation of a type that is too long for a line: each field
// of a struct on a line of its own.
func layOut(notation string, indent int) string {
	if len(notation)+indent <= 78 {
		return notation
	}
	var out strings.Builder
	var open []byte // the brackets around the current character
	depth := 0      // and how many of them are structs
	newLine := func() { out.WriteString("\n" + strings.Repeat(" ", indent+2*depth)) }
	for i := 0; i < len(notation); i++ {
		c := notation[i]
		switch c {
		case '{':
			depth++
			out.WriteByte(c)
			newLine()
			open = append(open, c)
		case '}':
			depth--
			newLine()
			out.WriteByte(c)
			open = open[:len(open)-1]
		case '[':
			out.WriteByte(c)
			open = append(open, c)
		case ']':
			out.WriteByte(c)
			open = open[:len(open)-1]
		case ' ':
			if n := len(open); n > 0 && open[n-1] == '{' && notation[i-1] == ',' {
				newLine()
			} else {
				out.WriteByte(c)
			}
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}
