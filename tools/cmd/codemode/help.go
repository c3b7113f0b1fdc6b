package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// plainFlags makes the help of a command and of those below it show flags as they are commonly written: pflag's own list has
// "--json[=true|false]" for --json, and "--explain name[="*"]" for --explain[=name].
func plainFlags(root *cobra.Command) {
	cobra.AddTemplateFunc("flagUsages", flagUsages)
	root.SetUsageTemplate(strings.NewReplacer(
		".LocalFlags.FlagUsages", "flagUsages .LocalFlags",
		".InheritedFlags.FlagUsages", "flagUsages .InheritedFlags",
	).Replace(root.UsageTemplate()))
}

func flagUsages(flags *pflag.FlagSet) string {
	shown := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.VisitAll(func(f *pflag.Flag) {
		plain := *f
		if f.NoOptDefVal != "" {
			var value string
			if value, plain.Usage = pflag.UnquoteUsage(f); value != "" {
				plain.Name += "[=" + value + "]"
			}
			plain.Value, plain.NoOptDefVal = valueless{f.Value}, ""
		}
		shown.AddFlag(&plain)
	})
	return shown.FlagUsages()
}

// valueless is a flag's value that the list of flags has no word for.
type valueless struct{ pflag.Value }

func (valueless) Type() string { return "boolfunc" }
