package main

import (
	"io"
	"log/slog"

	"github.com/spf13/cobra"
)

type logFlags struct {
	level, format string
	to            io.Writer // nil: standard error as it is
}

func (f *logFlags) add(cmd *cobra.Command) {
	// Who runs one program reads what was wrong with it as the command's own error. Causes that clients do not get are failures of the host.
	standard := "error"
	if cmd.Name() == "serve" {
		standard = "info"
	}
	cmd.Flags().StringVar(&f.level, "log-level", standard, "log from this `level` on: debug, info, warn, error")
	cmd.Flags().StringVar(&f.format, "log-format", "text", "log in this `format`: text, json")
	complete(cmd, "log-level", "debug", "info", "warn", "error")
	complete(cmd, "log-format", "text", "json")
}

func (f *logFlags) logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.level)); err != nil {
		return nil, usagef("--log-level: got %q, want debug, info, warn or error", f.level)
	}
	if f.to != nil {
		w = f.to
	}
	options := &slog.HandlerOptions{Level: level}
	switch f.format {
	case "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	default:
		return nil, usagef("--log-format: got %q, want text or json", f.format)
	}
}

func complete(cmd *cobra.Command, flag string, values ...string) {
	must(cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}
