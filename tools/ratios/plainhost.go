package ratios

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// A plainHost is a running host of the facade alone, and an empty binary beside
// it.
type plainHost struct {
	dir         string
	host, empty string
	*child
}

// startPlainHost builds both binaries, which takes a go command and, where this
// binary was not installed by its version, a workspace to build in.
func startPlainHost(ctx context.Context) (_ *plainHost, err error) {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return nil, err
	}
	p := new(plainHost)
	if p.dir, err = os.MkdirTemp("", "codemode-bench-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(p.dir)
		}
	}()
	p.empty, p.host = filepath.Join(p.dir, "empty"+exe), filepath.Join(p.dir, "host"+exe)
	source := filepath.Join(p.dir, "empty.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o666); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"build", "-o", p.empty, source}, buildHost(p.host)} {
		cmd := exec.CommandContext(ctx, goCommand, args...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOBIN="+p.dir)
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go %s, which takes a released codemode command or the project's workspace: %w: %s", args[0], err, bytes.TrimSpace(text))
		}
	}
	p.child, err = startChild(p.host, hostArgument)
	return p, err
}

const hostPackage = "github.com/codemode-go/codemode/tools/ratios/host"

var exe = map[bool]string{true: ".exe"}[runtime.GOOS == "windows"]

// buildHost returns the arguments that build the host of this binary's own
// version: a released one comes from the module cache, any other from the
// workspace around the current directory.
func buildHost(out string) []string {
	if info, ok := debug.ReadBuildInfo(); ok && strings.HasPrefix(hostPackage, info.Main.Path+"/") && info.Main.Sum != "" {
		return []string{"install", hostPackage + "@" + info.Main.Version}
	}
	return []string{"build", "-o", out, hostPackage}
}

// terms returns what only a plain host can show.
func (p *plainHost) terms() []term {
	return []term{{"plain cold", p.ask(askCold)}, {"plain warm", p.ask(askWarm)}, {"plain start", start(p.host)}, {"empty start", start(p.empty)}}
}

// Close stops the host and removes both binaries.
func (p *plainHost) Close() error {
	p.stop()
	return os.RemoveAll(p.dir)
}

// The terms that a plain host measures, by the byte that asks for one.
const (
	askCold = 'c'
	askWarm = 'w'
)

// ask has the host measure one term.
func (p *plainHost) ask(what byte) stopwatch {
	return func() (time.Duration, error) {
		if _, err := p.in.Write([]byte{what}); err != nil {
			return 0, err
		}
		var nanoseconds int64
		err := binary.Read(p.out, binary.LittleEndian, &nanoseconds)
		return time.Duration(nanoseconds), err
	}
}

// serveTerms is the host's side: it measures what it is asked for until nothing
// more comes.
func serveTerms(in io.Reader, out io.Writer) (err error) {
	servers, err := newServers()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, servers.Close()) }()
	ctx := context.Background()
	terms := map[byte]stopwatch{askCold: servers.cold.run(ctx, returnOne), askWarm: servers.warm.waiting(ctx, returnOne)}
	asked := bufio.NewReaderSize(in, 16)
	for {
		what, err := asked.ReadByte()
		if err != nil {
			return nil
		}
		measure := terms[what]
		if measure == nil {
			return fmt.Errorf("asked for %q, want %q or %q", what, askCold, askWarm)
		}
		d, err := measure()
		if err != nil {
			return err
		}
		if err := binary.Write(out, binary.LittleEndian, int64(d)); err != nil {
			return err
		}
	}
}
