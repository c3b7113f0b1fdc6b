package docs_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestTutorial follows the tutorial to the letter in an empty folder. Two
// things are different while nothing is published: the modules come from the
// workspace, by replacements in the new go.mod, and so does the command.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("builds several commands")
	}
	needShell(t)
	f := &follower{root: root(t), dir: t.TempDir(), port: freePort(t)}
	f.env = environment(
		"GOWORK=off", "GOFLAGS=", "GOSUMDB=off",
		"GOPROXY=file://"+goEnv(t, "GOMODCACHE")+"/cache/download,"+goEnv(t, "GOPROXY"),
		"PATH="+codemodeDir(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, b := range readBlocks(t, filepath.Join("tutorials", "first-server.md")) {
		switch {
		case b.file == "client.json":
			f.connect(t, b, func(c clientConfig) mcp.Transport {
				return &mcp.CommandTransport{Command: exec.Command(strings.ReplaceAll(c.Command, "/path/to/trips", f.dir))}
			})
		case b.file == "network.json":
			f.connect(t, b, func(c clientConfig) mcp.Transport {
				return &mcp.StreamableClientTransport{Endpoint: c.URL, HTTPClient: &http.Client{Transport: f.headers(t, c.Headers)}}
			})
		case b.file != "":
			f.write(t, b)
		case b.language == "shell-session":
			f.run(t, b)
		default:
			t.Fatalf("line %d: a block that nobody follows: %s", b.line, b.language)
		}
		if t.Failed() {
			return
		}
	}
}

// A follower is a reader at work.
type follower struct {
	root, dir string
	port      string
	env       []string
}

// here puts the free port in the place of the one on the page.
func (f *follower) here(text string) string { return strings.ReplaceAll(text, "8080", f.port) }

func (f *follower) write(t *testing.T, b block) {
	if err := os.WriteFile(filepath.Join(f.dir, b.file), []byte(f.here(b.text)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// run runs the commands of a block. They share a shell, as lines that a reader
// types share one; what the shell keeps is passed on as text.
func (f *follower) run(t *testing.T, b block) {
	var setup string
	for _, c := range b.commands() {
		text := f.here(c.text)
		switch {
		case text == "mkdir trips":
			f.dir = filepath.Join(f.dir, "trips")
			if err := os.Mkdir(f.dir, 0o777); err != nil {
				t.Fatal(err)
			}
		case text == "cd trips":
			continue // f.dir is there
		case strings.HasPrefix(text, "go install github.com/codemode-go/"):
			continue // built from the workspace
		case strings.HasPrefix(text, "token() "):
			setup = text + "\n"
		case strings.HasSuffix(text, "&"):
			f.start(t, c)
		default:
			f.try(t, c, setup+text)
		}
	}
}

func (f *follower) try(t *testing.T, c command, script string) {
	t.Helper()
	if strings.HasPrefix(c.text, "go get ") {
		f.replace(t)
	}
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir, cmd.Env = f.dir, f.env
	output, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(c.output, "codemode: ") {
		t.Fatalf("line %d: %s: %v\n%s", c.line, c.text, err, output)
	}
	if !c.prints(string(output)) {
		t.Fatalf("line %d: %s: printed\n%s\nbut the page shows\n%s", c.line, c.text, output, c.output)
	}
}

// replace makes the new module find what is not published yet.
func (f *follower) replace(t *testing.T) {
	edit := []string{"mod", "edit"}
	for _, name := range []string{"authz", "binding", "codemode", "mcpserver", "sandbox", "search", "wire"} {
		edit = append(edit, fmt.Sprintf("-replace=github.com/codemode-go/codemode/%s@v0.1.0=%s", name, filepath.Join(f.root, name)))
	}
	cmd := exec.Command("go", edit...)
	cmd.Dir, cmd.Env = f.dir, f.env
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
}

// start starts a server and waits for the line that the page shows.
func (f *follower) start(t *testing.T, c command) {
	t.Helper()
	cmd := exec.Command("sh", "-c", "exec "+strings.TrimSuffix(f.here(c.text), "&"))
	cmd.Dir, cmd.Env = f.dir, f.env
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	c.output = f.here(c.output)
	lines := bufio.NewScanner(log)
	if !lines.Scan() || !c.prints(lines.Text()) {
		t.Fatalf("line %d: %s: printed %q, but the page shows %q", c.line, c.text, lines.Text(), c.output)
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
}

// A clientConfig is what MCP clients are told about a server.
type clientConfig struct {
	Command string
	URL     string
	Headers map[string]string
}

// connect uses a configuration as a client does, and asks for what the reader
// asks.
func (f *follower) connect(t *testing.T, b block, transport func(clientConfig) mcp.Transport) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader([]byte(f.here(b.text))))
	var config struct{ MCPServers map[string]clientConfig }
	if err := decoder.Decode(&config); err != nil {
		t.Fatalf("line %d: %v", b.line, err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	session, err := client.Connect(t.Context(), transport(config.MCPServers["trips"]), nil)
	if err != nil {
		t.Fatalf("line %d: %v", b.line, err)
	}
	defer session.Close()
	program, err := os.ReadFile(filepath.Join(f.dir, "total.star"))
	if err != nil {
		t.Fatal(err)
	}
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "execute", Arguments: map[string]string{"source": string(program)}})
	if err != nil || result.IsError {
		t.Fatalf("line %d: execute: %v %v", b.line, err, result)
	}
	if text := result.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "386") {
		t.Errorf("line %d: got %s, want Ada's total for Turin", b.line, text)
	}
}

// headers sends the headers of a configuration, with Ada's token where the page
// has a placeholder.
func (f *follower) headers(t *testing.T, headers map[string]string) http.RoundTripper {
	t.Helper()
	tokens, err := os.ReadFile(filepath.Join(f.dir, "tokens.txt"))
	if err != nil {
		t.Fatal(err)
	}
	token := strings.Fields(string(tokens))[1]
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		for name, value := range headers {
			r.Header.Set(name, strings.ReplaceAll(value, "THE-TOKEN", token))
		}
		return http.DefaultTransport.RoundTrip(r)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}
