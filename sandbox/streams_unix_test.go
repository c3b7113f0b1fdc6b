//go:build unix

package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/codemode-go/codemode/sandbox"
)

// streamlessMode is a host that closes its standard streams, as daemons do, and then works. It tells on descriptor 3 what went wrong.
const streamlessMode = "--sandbox-test-streamless"

func serveStreamless() {
	if len(os.Args) != 2 || os.Args[1] != streamlessMode {
		return
	}
	report := os.NewFile(3, "report")
	syscall.CloseOnExec(3) // hostile workers outlive a host that is killed
	// The runtime's poller comes with the first pipe, and must not take a number that is to be free.
	if _, _, err := os.Pipe(); err != nil {
		fmt.Fprintln(report, err)
	}
	for fd := range 3 {
		syscall.Close(fd)
	}
	fmt.Fprintln(report, streamless())
	os.Exit(0)
}

func streamless() error {
	ctx := context.Background()
	// A start in progress may have a pipe there for a moment: none is started beside a job.
	p, err := sandbox.New(ctx, sandbox.WithArguments(sandbox.Options{Idle: -1}, hostileArgument))
	if err != nil {
		return err
	}
	defer p.Close()
	if outcome, _, err := p.Run(ctx, []byte("echo hello"), nil); err != nil || string(outcome.Value) != "hello" {
		return fmt.Errorf("echo: got %q, %v, want hello", outcome.Value, err)
	}
	var exposed error
	_, _, err = p.Run(ctx, []byte("a call without an ear"), func(context.Context, sandbox.Call) (sandbox.Reply, error) {
		exposed = pipeAmongStreams()
		return sandbox.Reply{}, nil
	})
	if exposed != nil {
		return exposed
	}
	if !errors.Is(err, sandbox.ErrProtocol) {
		return fmt.Errorf("reply to a worker that closed its end: got %v, want %w", err, sandbox.ErrProtocol)
	}
	return nil
}

// pipeAmongStreams reports a pipe where what the host and its runtime print would go to.
func pipeAmongStreams() error {
	for fd := range 3 {
		var info syscall.Stat_t
		if err := syscall.Fstat(fd, &info); err == nil && info.Mode&syscall.S_IFMT == syscall.S_IFIFO {
			return fmt.Errorf("descriptor %d is a worker's pipe", fd)
		}
	}
	return nil
}

// A write to a pipe without a reader ends a Go process, if the pipe's number is that of standard output or error.
func TestHostsWithoutStandardStreams(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	host := exec.CommandContext(t.Context(), selfImage(), streamlessMode)
	host.ExtraFiles = []*os.File{w}
	err = host.Start()
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	var said [1 << 10]byte
	n, _ := r.Read(said[:])
	if err := host.Wait(); err != nil || string(said[:n]) != "<nil>\n" {
		t.Errorf("host: got %q, %v, want no complaint", said[:n], err)
	}
}
