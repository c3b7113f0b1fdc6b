package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A tty is a pseudo-terminal and what was shown on it.
type tty struct {
	t      *testing.T
	person *os.File // the end at which a person sits
	slave  *os.File // what a command gets
	shown  strings.Builder
}

func newTTY(t *testing.T, columns uint16) *tty {
	t.Helper()
	person, slave, err := pty.Open()
	if errors.Is(err, pty.ErrUnsupported) {
		t.Skip("no pseudo-terminals on this system: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { person.Close(); slave.Close() })
	if err := pty.Setsize(slave, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	return &tty{t: t, person: person, slave: slave}
}

// waitFor returns once text is shown.
func (y *tty) waitFor(text string) {
	y.t.Helper()
	if !y.read(text) {
		y.t.Fatalf("got %q, want %q", y.shown.String(), text)
	}
}

// all returns everything that was shown, when nobody has the terminal any more.
func (y *tty) all() string {
	y.slave.Close()
	y.read("")
	return y.shown.String()
}

// read reads to the end, or until text was shown.
func (y *tty) read(text string) bool {
	_ = y.person.SetReadDeadline(time.Now().Add(30 * time.Second))
	buf := make([]byte, 4<<10)
	for text == "" || !strings.Contains(y.shown.String(), text) {
		n, err := y.person.Read(buf)
		y.shown.Write(buf[:n])
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				y.t.Errorf("nothing more after %q", y.shown.String())
			}
			return false
		}
	}
	return true
}

// command prepares the command in a directory with a repository.
func command(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(built(t), args...)
	cmd.Dir = t.TempDir()
	if err := makeRepository(cmd.Dir); err != nil {
		t.Fatal(err)
	}
	const calls = "def main():\n    [repo.branches() for _ in range(3)]"
	program := strings.Replace(endless, "def main():", calls, 1)
	write(t, filepath.Join(cmd.Dir, "endless.star"), program)
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); name != "NO_COLOR" && name != "TERM" {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	cmd.Env = append(append(cmd.Env, "TERM=xterm"), env...)
	return cmd
}

func TestColoursAreForTerminals(t *testing.T) {
	for _, tt := range []struct {
		name    string
		env     []string
		args    []string
		piped   bool
		colours bool
	}{
		{name: "terminal", args: []string{"search", "branches"}, colours: true},
		{name: "terminal, JSON", args: []string{"search", "--json", "branches"}},
		{name: "NO_COLOR", env: []string{"NO_COLOR=1"}, args: []string{"search", "branches"}},
		{name: "empty NO_COLOR", env: []string{"NO_COLOR="}, args: []string{"search", "branches"}, colours: true},
		{name: "dumb terminal", env: []string{"TERM=dumb"}, args: []string{"search", "branches"}},
		{name: "pipe", args: []string{"search", "branches"}, piped: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			terminal := newTTY(t, 80)
			cmd := command(t, tt.env, tt.args...)
			var pipe strings.Builder
			cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal.slave, terminal.slave, terminal.slave
			if tt.piped {
				cmd.Stdout = &pipe
			}
			if err := cmd.Run(); err != nil {
				t.Fatal(err)
			}
			got := terminal.all() + pipe.String()
			if !strings.Contains(got, "repo.branches") || strings.Contains(got, "\x1b[") != tt.colours {
				t.Errorf("got %q, want colours %v", got, tt.colours)
			}
		})
	}
}

// The progress line is there while a program runs, and gone when something else
// is to be read.
func TestProgressLine(t *testing.T) {
	t.Run("is cleared at the end", func(t *testing.T) {
		terminal := newTTY(t, 80)
		interrupted(t, terminal, command(t, nil, "run", "endless.star"), "running: 3 calls, ")
		_, end, _ := cutLast(terminal.all(), "running: 3 calls, ")
		if _, rest, cleared := strings.Cut(end, clearLine); !cleared || rest != "codemode: interrupted\r\n" {
			t.Errorf("got %q after the last progress, want the line cleared and the error", end)
		}
	})
	t.Run("is shown beside a result that is piped", func(t *testing.T) {
		terminal := newTTY(t, 80)
		cmd := command(t, nil, "run", "endless.star")
		cmd.Stdout = io.Discard
		interrupted(t, terminal, cmd, "running: 3 calls, ")
	})
	t.Run("fits the width", func(t *testing.T) {
		terminal := newTTY(t, 12)
		interrupted(t, terminal, command(t, nil, "run", "endless.star"), clearLine+"running: 3 "+clearLine)
	})
	for name, env := range map[string]string{"a pipe": "TERM=xterm", "a dumb terminal": "TERM=dumb"} {
		t.Run("is not for "+name, func(t *testing.T) {
			terminal := newTTY(t, 80)
			cmd := command(t, []string{env}, "run", "--timeout", "500ms", "endless.star")
			cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal.slave, terminal.slave, terminal.slave
			var pipe strings.Builder
			if env == "TERM=xterm" {
				cmd.Stderr = &pipe
			}
			_ = cmd.Run()
			if got := terminal.all() + pipe.String(); strings.TrimSpace(got) != "codemode: resource limit exceeded" {
				t.Errorf("got %q, want the error alone", got)
			}
		})
	}
	t.Run("makes room for the log", func(t *testing.T) {
		terminal := newTTY(t, 80)
		line := newProgressLine(terminal.slave)
		line.Write([]byte("before\n"))
		line.show(0)
		line.Write([]byte("one\n"))
		line.Write([]byte("two\n"))
		want := "before\r\n" + clearLine + "running: 0 calls, 0.0 s" + clearLine + "one\r\ntwo\r\n"
		if got := terminal.all(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// interrupted runs a command at a terminal until text is shown, and interrupts it.
func interrupted(t *testing.T, terminal *tty, cmd *exec.Cmd, text string) {
	t.Helper()
	cmd.Stdin, cmd.Stderr = terminal.slave, terminal.slave
	if cmd.Stdout == nil {
		cmd.Stdout = terminal.slave
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Signal(os.Interrupt)
	terminal.waitFor(text)
}

func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}
