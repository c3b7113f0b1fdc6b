// Command codemode is a command line for people who write or try CodeMode
// servers. It serves a git repository as one (codemode serve), and calls the
// three tools of that or any other CodeMode server from a terminal (search,
// describe, run). "codemode help" has the rest.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/tools/ratios"
)

func main() {
	codemode.ServeWorkerAndExit()
	ratios.Child()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
