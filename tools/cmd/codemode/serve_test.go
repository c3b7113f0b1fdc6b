package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// builtIn is the directory of the built command, once there is one.
var builtIn string

// binary builds the command once for all tests that start it as users do.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "codemode-test")
	if err != nil {
		return "", err
	}
	builtIn = dir
	path := filepath.Join(dir, "codemode")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func built(t *testing.T) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// overStdio starts "codemode serve" and connects the official client to it.
func overStdio(t *testing.T, args ...string) *mcp.ClientSession {
	t.Helper()
	cmd := exec.Command(built(t), append([]string{"serve", "--log-level", "error"}, args...)...)
	cmd.Stderr = os.Stderr
	return session(t, &mcp.CommandTransport{Command: cmd})
}

// A process is a "codemode serve --http" at work.
type process struct {
	url  string
	cmd  *exec.Cmd
	done chan error
}

var errNeverServed = errors.New("it ended before it served")

// overHTTP starts "codemode serve --http" on a free port and reads from its log
// where it listens.
func overHTTP(t *testing.T, args ...string) *process {
	t.Helper()
	cmd := exec.Command(built(t), append([]string{"serve", "--http", "127.0.0.1:0", "--log-format", "json"}, args...)...)
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: cmd, done: make(chan error, 1)}
	served := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(log)
		for lines.Scan() {
			var entry struct{ Msg, URL string }
			if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "serving" {
				served <- entry.URL
			}
		}
		close(served)
		printed, _ := io.ReadAll(stdout)
		if len(printed) > 0 {
			t.Errorf("standard output has %q", printed)
		}
		p.done <- cmd.Wait()
	}()
	t.Cleanup(p.stop)
	url, ok := <-served
	if !ok {
		t.Fatal(errNeverServed)
	}
	p.url = url
	return p
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(os.Interrupt)
	select {
	case err := <-p.done:
		p.done <- err
	case <-time.After(10 * time.Second):
		_ = p.cmd.Process.Kill()
	}
}

func session(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// call calls a tool and decodes the JSON of its text into result.
func call(t *testing.T, s *mcp.ClientSession, tool, argument, value string, result any) {
	t.Helper()
	out, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: map[string]string{argument: value}})
	if err != nil {
		t.Fatal(err)
	}
	if out.IsError {
		t.Fatalf("%s: %s", tool, textOf(out))
	}
	if err := json.Unmarshal([]byte(textOf(out)), result); err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
}

// TestServe drives the three tools of the built command over each transport and
// holds the program's numbers against git's.
// TestInstructionsTellTheLimits that a program has to plan with.
func TestInstructionsTellTheLimits(t *testing.T) {
	s := overStdio(t, "--git", gitRepository(t), "--max-calls", "77", "--timeout", "90s")
	if got := s.InitializeResult().Instructions; !strings.Contains(got, "77 calls and run for 1m30s") {
		t.Errorf("got %q, want the limits in it", got)
	}
}

func TestServe(t *testing.T) {
	needExamples(t)
	dir := gitRepository(t)
	source, err := os.ReadFile(filepath.Join(examples, "contributors.star"))
	if err != nil {
		t.Fatal(err)
	}
	want := contributors(t, dir)
	for name, connect := range map[string]func(*testing.T) *mcp.ClientSession{
		"stdio": func(t *testing.T) *mcp.ClientSession { return overStdio(t, "--git", dir) },
		"HTTP": func(t *testing.T) *mcp.ClientSession {
			return session(t, &mcp.StreamableClientTransport{Endpoint: overHTTP(t, "--git", dir).url})
		},
		"HTTP without sessions": func(t *testing.T) *mcp.ClientSession {
			return session(t, &mcp.StreamableClientTransport{Endpoint: overHTTP(t, "--git", dir, "--stateless").url})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := connect(t)
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, tool := range []string{"describe_api", "execute", "search_api"} {
				if len(tools.Tools) != 3 || tools.Tools[i].Name != tool {
					t.Fatalf("tool %d of %d is not %s", i, len(tools.Tools), tool)
				}
			}
			if !tools.Tools[1].Annotations.ReadOnlyHint {
				t.Error("execute does not say that it only reads")
			}
			var found struct{ Results []struct{ Name string } }
			call(t, s, "search_api", "query", "commits author", &found)
			if len(found.Results) == 0 || found.Results[0].Name != "repo.commits" {
				t.Fatalf("search found %+v", found.Results)
			}
			var described struct{ Signature string }
			call(t, s, "describe_api", "name", found.Results[0].Name, &described)
			if !strings.HasPrefix(described.Signature, "repo.commits(*, ") {
				t.Errorf("signature is %q", described.Signature)
			}
			var got struct {
				Result struct{ Authors []contributor }
			}
			call(t, s, "execute", "source", string(source), &got)
			if fmt.Sprint(got.Result.Authors) != fmt.Sprint(want) {
				t.Errorf("got  %v\nwant %v", got.Result.Authors, want)
			}
		})
	}
}

// TestInterrupt: a signal ends a server whose program is still running, soon and
// without leaving a process behind.
func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted on Windows")
	}
	dir := t.TempDir()
	if err := makeRepository(dir); err != nil {
		t.Fatal(err)
	}
	p := overHTTP(t, "--git", dir, "--log-level", "info")
	s := session(t, &mcp.StreamableClientTransport{Endpoint: p.url})
	ended := make(chan error, 1)
	started := make(chan struct{}, 1)
	go func() {
		params := &mcp.CallToolParams{Name: "execute", Arguments: map[string]string{"source": endless}}
		started <- struct{}{}
		_, err := s.CallTool(t.Context(), params)
		ended <- err
	}()
	<-started
	waitForWorker(t, p.cmd.Process.Pid)
	children := workers(t, p.cmd.Process.Pid)
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	select {
	case err := <-p.done:
		p.done <- err
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	case <-ctx.Done():
		t.Fatal("the server still runs")
	}
	for _, child := range children {
		if _, err := os.Stat(strings.Fields(child)[0]); err == nil {
			t.Errorf("%s is left", child)
		}
	}
}
