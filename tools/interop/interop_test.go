// Package interop_test drives CodeMode servers with MCP clients that this
// project did not write. The JavaScript ones come from npm, at the versions of
// package-lock.json.
package interop_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var useNPM = flag.Bool("npm", false, "run the clients that come from npm: a minute, and a download when they are not there yet")

var commands struct {
	sync.Once
	dir string
	err error
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(commands.dir)
	os.Exit(code)
}

// command returns the path of a built command: host or codemode.
func command(t *testing.T, name string) string {
	t.Helper()
	commands.Do(func() {
		if commands.dir, commands.err = os.MkdirTemp("", "interop"); commands.err != nil {
			return
		}
		output, err := exec.Command("go", "build", "-o", commands.dir, "./host", "../cmd/codemode").CombinedOutput()
		if err != nil {
			commands.err = fmt.Errorf("%w: %s", err, output)
		}
	})
	if commands.err != nil {
		t.Fatal(commands.err)
	}
	return filepath.Join(commands.dir, name)
}

// serveHTTP starts a server that prints its URL, and returns the URL.
func serveHTTP(t *testing.T, path string, arguments ...string) string {
	t.Helper()
	server := exec.Command(path, arguments...)
	output, input := io.Pipe()
	server.Stdout, server.Stderr = input, input
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
		input.Close()
	})
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "http://"); ok {
			go io.Copy(io.Discard, output)
			return "http://" + strings.FieldsFunc(url, func(r rune) bool { return r == ' ' || r == '"' })[0]
		}
	}
	t.Fatalf("%s printed no URL: %v", path, lines.Err())
	return ""
}

// modules installs the JavaScript clients once.
var modules struct {
	sync.Once
	skip string
	err  error
}

func needModules(t *testing.T) {
	t.Helper()
	modules.Do(func() {
		if !*useNPM {
			modules.skip = "the clients from npm run with -npm"
			return
		}
		if _, err := exec.LookPath("npm"); err != nil {
			modules.skip = "npm is not installed: " + err.Error()
			return
		}
		want, err := os.ReadFile("package-lock.json")
		if err != nil {
			modules.err = err
			return
		}
		// npm ci starts from nothing; skip it where it has done its work.
		stamp := filepath.Join("node_modules", ".installed")
		if have, err := os.ReadFile(stamp); err == nil && bytes.Equal(have, want) {
			return
		}
		if output, err := exec.Command("npm", "ci", "--no-audit", "--no-fund").CombinedOutput(); err != nil {
			modules.err = fmt.Errorf("npm ci: %w: %s", err, output)
			return
		}
		modules.err = os.WriteFile(stamp, want, 0o666)
	})
	if modules.skip != "" {
		t.Skip(modules.skip)
	}
	if modules.err != nil {
		t.Fatal(modules.err)
	}
}

// node runs a script with the Node of node_modules, which is recent enough for
// all clients, and returns its standard output.
func node(t *testing.T, input []byte, script string, arguments ...string) ([]byte, error) {
	t.Helper()
	needModules(t)
	bin, err := filepath.Abs(filepath.Join("node_modules", ".bin"))
	if err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), filepath.Join(bin, "node"), append([]string{script}, arguments...)...)
	run.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir())
	run.Stdin = bytes.NewReader(input)
	var stderr bytes.Buffer
	run.Stderr = &stderr
	output, err := run.Output()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, stderr.String())
	}
	return output, err
}

// servers are the ways to reach the interop host.
func servers(t *testing.T) map[string]plan {
	host := command(t, "host")
	return map[string]plan{
		"standard streams": {Command: []string{host}},
		"HTTP":             {URL: serveHTTP(t, host, "-http", "127.0.0.1:0")},
		"HTTP, stateless":  {URL: serveHTTP(t, host, "-http", "127.0.0.1:0", "-stateless")},
	}
}

func TestTypeScriptClient(t *testing.T) {
	needModules(t)
	for name, p := range servers(t) {
		t.Run(name, func(t *testing.T) {
			p.Calls = everything()
			p.check(t, typescript(t, p))
		})
	}
}

// The reason for mcpserver.Options.PortableSchemas. When this fails, clients
// have learned that a schema may be Boolean.
func TestTypeScriptClientRefusesBooleanSchemas(t *testing.T) {
	input, err := json.Marshal(plan{Command: []string{command(t, "host"), "-exact"}})
	if err != nil {
		t.Fatal(err)
	}
	if output, err := node(t, input, "typescript.mjs"); err == nil || !strings.Contains(err.Error(), "outputSchema") {
		t.Errorf("got %s, %v, want the list of tools refused", output, err)
	}
}

func typescript(t *testing.T, p plan) (r report) {
	t.Helper()
	input, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	output, err := node(t, input, "typescript.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(output, &r); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return r
}

func TestGoClient(t *testing.T) {
	for name, p := range servers(t) {
		t.Run(name, func(t *testing.T) {
			p.Calls = everything()
			p.check(t, p.goClient(t, p.transport()))
		})
	}
}

func (p plan) transport() mcp.Transport {
	if p.URL != "" {
		return &mcp.StreamableClientTransport{Endpoint: p.URL}
	}
	return &mcp.CommandTransport{Command: exec.Command(p.Command[0], p.Command[1:]...)}
}

// Nobody is let in where the resolver knows nobody.
func TestUnauthenticated(t *testing.T) {
	p := plan{Command: []string{command(t, "host"), "-nobody"}, Calls: []planned{
		{Name: "search", Tool: "search_api", Arguments: map[string]any{"query": "x"}, failure: "unauthenticated"},
		{Name: "describe", Tool: "describe_api", Arguments: map[string]any{"name": "records.lookup"}, failure: "unauthenticated"},
		execute("execute", "return 1").fails("unauthenticated"),
	}}
	t.Run("Go", func(t *testing.T) { p.check(t, p.goClient(t, p.transport())) })
	t.Run("TypeScript", func(t *testing.T) { p.check(t, typescript(t, p)) })
}

// The command that people install, over a real repository.
func TestCommandServe(t *testing.T) {
	if _, err := os.Stat(filepath.Join("..", "..", ".git")); err != nil {
		t.Skip("this is no git checkout: ", err)
	}
	codemode := command(t, "codemode")
	calls := []planned{
		execute("commits", `return len(repo.commits(limit=3)["commits"])`).returns("3"),
		{Name: "not found", Tool: "describe_api", Arguments: map[string]any{"name": "repo.nothing"}, failure: "capability not found"},
		execute("syntax", `return (`).fails("invalid program: <codemode>:…"),
		execute("handler", `return repo.commits(revision="no-such-revision")`).fails("capability failed"),
		execute("steps", `for i in range(1 << 40): pass`).fails("resource limit exceeded"),
	}
	arguments := []string{"serve", "--git", filepath.Join("..", "..")}
	for name, p := range map[string]plan{
		"standard streams": {Command: append([]string{codemode}, arguments...), Calls: calls},
		"HTTP":             {URL: serveHTTP(t, codemode, append(arguments, "--http", "127.0.0.1:0")...), Calls: calls},
	} {
		portable := false
		t.Run(name+"/Go", func(t *testing.T) {
			r := p.goClient(t, p.transport())
			p.check(t, r)
			portable = r.portable()
		})
		t.Run(name+"/TypeScript", func(t *testing.T) {
			if !portable {
				t.Skip("serve lists a Boolean schema, which this client refuses")
			}
			p.check(t, typescript(t, p))
		})
	}
}

// portable reports whether the result of execute has a schema that is an object.
func (r report) portable() bool {
	for _, tool := range r.Tools {
		if _, boolean := tool.OutputSchema.Properties["result"].(bool); boolean {
			return false
		}
	}
	return true
}

// inspect runs the command line of the MCP Inspector.
func inspect(t *testing.T, p plan, arguments ...string) ([]byte, error) {
	t.Helper()
	target := p.Command
	if p.URL != "" {
		target = []string{p.URL}
	}
	script := filepath.Join("node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	return node(t, nil, script, slices.Concat([]string{"--cli"}, target, arguments)...)
}

func TestInspector(t *testing.T) {
	needModules(t)
	for name, p := range servers(t) {
		t.Run(name, func(t *testing.T) {
			output, err := inspect(t, p, "--method", "tools/list", "--strict")
			if err != nil {
				t.Fatal(err)
			}
			var list struct{ Tools []struct{ Name string } }
			if err := json.Unmarshal(output, &list); err != nil || len(list.Tools) != 3 {
				t.Errorf("got %v, %s, want three tools", err, output)
			}
			output, err = inspect(t, p, "--method", "tools/call", "--tool-name", "execute",
				"--tool-arg", "source=def main():\n    return records.lookup(Key=\"k\")\n")
			if err != nil || !bytes.Contains(output, []byte(`{\"result\":{\"Count\":1,\"Key\":\"k\"}}`)) {
				t.Errorf("got %v, %s, want the result", err, output)
			}
			output, err = inspect(t, p, "--method", "tools/call", "--tool-name", "describe_api", "--tool-arg", "name=no.such")
			var exit *exec.ExitError
			if !errors.As(err, &exit) || !bytes.Contains(output, []byte("capability not found")) {
				t.Errorf("got %v, %s, want the failure and a status that tells of it", err, output)
			}
		})
	}
}
