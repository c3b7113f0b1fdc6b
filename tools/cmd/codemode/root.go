package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// What the command ends with.
const (
	exitOK    = 0
	exitError = 1 // a tool, or what was asked for, failed
	exitUsage = 2 // the command line made no sense
)

// A failure is an error of what was asked for. All others are usage errors:
// cobra has no type for those.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// fail marks an error as one of what was asked for.
func fail(err error) error {
	var usage usageError
	if err == nil || errors.As(err, &usage) {
		return err
	}
	return failure{err}
}

type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// run runs one command line and returns its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	var f failure
	if errors.As(err, &f) {
		if ctx.Err() != nil {
			err = errors.New("interrupted")
		}
		fmt.Fprintln(stderr, "codemode:", err)
		return exitError
	}
	fmt.Fprintf(stderr, "codemode: %v\nTry '%s --help'.\n", err, cmd.CommandPath())
	return exitUsage
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "codemode",
		Short: "Serve a git repository as a CodeMode server, or call one from a terminal",
		Long: `A CodeMode server lets a model work with a catalog of functions through three
tools: search_api finds functions, describe_api tells how to call one, execute
runs a small Starlark program that calls as many of them as it likes.

Without --command or --url, codemode talks to a server of its own, which offers
the history of the git repository in the current directory.`,
		Example: `  codemode search "who changed files"
  codemode describe repo.commits
  codemode run --git . program.star
  echo 'def main(): return repo.branches()' | codemode run -
  codemode serve --git ~/src/project
  codemode run --command "my-server --stdio" program.star`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("codemode {{.Version}}\n")
	plainFlags(root)
	root.AddGroup(
		&cobra.Group{ID: "tools", Title: "The three tools:"},
		&cobra.Group{ID: "host", Title: "The built-in server:"},
	)
	root.AddCommand(
		newSearch(), newDescribe(), newRun(),
		newServe(), newCheck(), newLint(), newDoctor(), newBench(),
	)
	return root
}

// version is what the Go tool chain recorded: the version of the module, or the
// commit that the binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	if revision := settings["vcs.revision"]; v == "(devel)" && revision != "" {
		v = revision[:min(12, len(revision))]
		if settings["vcs.modified"] == "true" {
			v += " with changes"
		}
	}
	return fmt.Sprintf("%s (%s %s/%s)", v, info.GoVersion, settings["GOOS"], settings["GOARCH"])
}
