// Command repo is the maintainer's side of the workspace: who may import whom,
// tidy module files, rehearsals of a release and the release itself.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"

	"github.com/spf13/cobra"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := newRoot()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, "repo:", err)
	var usage usageError
	if errors.As(err, &usage) {
		return 2
	}
	return 1
}

// A usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "repo",
		Short:         "Keep the workspace's promise: modules that stand alone",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("unknown command %q; see repo --help", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(newGraph(), newTidy(), newRehearse(), newAPI(), newRelease(), newDocs(), newADR())
	return root
}

func noArgs(args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("got %q, want no arguments", args)}
	}
	return nil
}
