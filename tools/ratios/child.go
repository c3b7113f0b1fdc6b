package ratios

import (
	"io"
	"os"
	"os/exec"
)

// What a measuring binary is started as.
const (
	nothingArgument = "bench-child-nothing"
	echoArgument    = "bench-child-echo"
	hostArgument    = "bench-child-host"
)

// Child is what a binary that measures, and the plain host, do when they are
// started as a term of a ratio; it does not return then. Elsewhere it returns at
// once. It is called after [codemode.ServeWorkerAndExit].
func Child() {
	if len(os.Args) != 2 {
		return
	}
	switch os.Args[1] {
	case nothingArgument:
		os.Exit(0)
	case echoArgument:
		exit(echoFrames(os.Stdin, os.Stdout))
	case hostArgument:
		exit(serveTerms(os.Stdin, os.Stdout))
	}
}

func exit(err error) {
	if err != nil {
		_, _ = io.WriteString(os.Stderr, err.Error()+"\n")
		os.Exit(1)
	}
	os.Exit(0)
}

func echoFrames(in io.Reader, out io.Writer) error {
	var frame [16]byte
	for {
		if _, err := io.ReadFull(in, frame[:]); err != nil {
			return nil
		}
		if _, err := out.Write(frame[:]); err != nil {
			return err
		}
	}
}

// start measures start, exit and reap.
func start(binary string, args ...string) stopwatch {
	return timed(func() error { return exec.Command(binary, args...).Run() })
}

// A child is a process that answers what it is written.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.Reader
}

func startChild(binary, argument string) (*child, error) {
	cmd := exec.Command(binary, argument)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	return &child{cmd, in, out}, cmd.Start()
}

// roundTrip is R, on an echo.
func (c *child) roundTrip() error {
	var frame [16]byte
	if _, err := c.in.Write(frame[:]); err != nil {
		return err
	}
	_, err := io.ReadFull(c.out, frame[:])
	return err
}

// stop ends the child. How it ended says nothing that a term did not.
func (c *child) stop() {
	_ = c.in.Close()
	_ = c.cmd.Wait()
}
