package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A consumer is a program outside the workspace, as a user would write it. Its
// source uses what the modules exist for, so that real dependencies are linked.
type consumer struct {
	name    string
	dir     string // below consumers
	modules []string
	prints  string
}

var consumers = []consumer{
	{"search", "search", []string{"search"}, "records.lookup"},
	{"binding", "binding", []string{"binding"}, `"hello Ada"`},
	{"codemode+mcpserver", "host", []string{"codemode", "mcpserver", "authz"}, "hello Ada"},
	{"codemode+mcpserver+rego", "policed", []string{"codemode", "mcpserver", "authz", "rego"}, "hello Ada"},
}

// The sources end in .txt because they are no packages of this module.
//
//go:embed consumers
var sources embed.FS

// commandPath is the consumer that needs no source: go install of the command.
const commandPath = prefix + commandsModule + "/cmd/codemode"

func (r *rehearsal) consume(ctx context.Context) error {
	var rows []row
	for _, c := range consumers {
		if slices.ContainsFunc(c.modules, func(name string) bool { return r.workspace.module(name) == nil }) {
			continue // compareRows misses it where it is wanted
		}
		built, err := r.build(ctx, c)
		if err != nil {
			return fmt.Errorf("consumer %s: %w", c.name, err)
		}
		rows = append(rows, built)
	}
	if r.workspace.module(commandsModule) != nil {
		installed, err := r.install(ctx)
		if err != nil {
			return fmt.Errorf("go install of the command: %w", err)
		}
		rows = append(rows, installed)
	}
	for _, row := range rows {
		fmt.Fprintln(r.out, row)
	}
	file := filepath.Join(r.workspace.root, "tools", "cmd", "repo", "testdata", "consumers.txt")
	if r.write {
		return writeRows(file, rows)
	}
	return compareRows(file, rows)
}

func (r *rehearsal) build(ctx context.Context, c consumer) (row, error) {
	dir := filepath.Join(r.dir, "consumers", c.name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return row{}, err
	}
	source, err := sources.ReadFile("consumers/" + c.dir + "/main.go.txt")
	if err != nil {
		return row{}, err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), source, 0o666); err != nil {
		return row{}, err
	}
	steps := [][]string{{"mod", "init", "example.com/consumer"}}
	for _, p := range r.candidates {
		if slices.Contains(c.modules, p.name) {
			steps = append(steps, []string{"get", p.path() + "@" + p.version})
		}
	}
	steps = append(steps, []string{"mod", "tidy"}, []string{"build", "-o", "consumer", "."})
	for _, step := range steps {
		if _, err := command(ctx, dir, append(r.env, "CGO_ENABLED=0"), "go", step...); err != nil {
			return row{}, err
		}
	}
	printed, err := command(ctx, dir, nil, filepath.Join(dir, "consumer"))
	if err != nil {
		return row{}, err
	}
	if strings.TrimSpace(printed) != c.prints {
		return row{}, fmt.Errorf("printed %q, want %q", printed, c.prints)
	}
	return r.measure(ctx, c.name, dir, filepath.Join(dir, "consumer"))
}

func (r *rehearsal) install(ctx context.Context) (row, error) {
	i := slices.IndexFunc(r.candidates, func(p *pack) bool { return p.name == commandsModule })
	version := r.candidates[i].version
	if _, err := command(ctx, r.dir, append(r.env, "CGO_ENABLED=0", "GOFLAGS=-trimpath -modcacherw"), "go", "install", commandPath+"@"+version); err != nil {
		return row{}, err
	}
	// The build list is the one of a module that requires nothing else.
	dir := filepath.Join(r.dir, "consumers", "install")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return row{}, err
	}
	for _, step := range [][]string{{"mod", "init", "example.com/consumer"}, {"get", prefix + commandsModule + "@" + version}} {
		if _, err := command(ctx, dir, r.env, "go", step...); err != nil {
			return row{}, err
		}
	}
	return r.measure(ctx, "go install codemode", dir, filepath.Join(r.dir, "bin", "codemode"))
}

// measure counts the build list of the module in dir, and reads from a binary
// what was linked into it.
func (r *rehearsal) measure(ctx context.Context, name, dir, binary string) (row, error) {
	list, err := command(ctx, dir, r.env, "go", "list", "-m", "-f", "{{if not .Main}}{{.Path}}{{end}}", "all")
	if err != nil {
		return row{}, err
	}
	info, err := os.Stat(binary)
	if err != nil {
		return row{}, err
	}
	text, err := command(ctx, r.dir, r.env, "go", "version", "-m", binary)
	if err != nil {
		return row{}, err
	}
	built := row{name: name, list: len(strings.Fields(list)), megabytes: float64(info.Size()) / 1e6}
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "dep" {
			built.linked++
			built.opa = built.opa || fields[1] == "github.com/open-policy-agent/opa"
			built.sdk = built.sdk || fields[1] == "github.com/modelcontextprotocol/go-sdk"
			built.starlark = built.starlark || fields[1] == "go.starlark.net"
		}
	}
	return built, nil
}

// A row is what one consumer carries.
type row struct {
	name               string
	list, linked       int // modules of the build list, and those in the binary
	megabytes          float64
	opa, sdk, starlark bool
}

func (r row) String() string {
	return fmt.Sprintf("%s\tlist=%d\tlinked=%d\tMB=%.1f\tOPA=%t\tSDK=%t\tStarlark=%t", r.name, r.list, r.linked, r.megabytes, r.opa, r.sdk, r.starlark)
}

func parseRow(line string) (row, error) {
	fields := strings.Split(line, "\t")
	if len(fields) != 7 {
		return row{}, fmt.Errorf("got %q, want seven fields", line)
	}
	r := row{name: fields[0]}
	var err error
	value := func(field string) string {
		_, text, _ := strings.Cut(field, "=")
		return text
	}
	if r.list, err = strconv.Atoi(value(fields[1])); err != nil {
		return row{}, err
	}
	if r.linked, err = strconv.Atoi(value(fields[2])); err != nil {
		return row{}, err
	}
	if r.megabytes, err = strconv.ParseFloat(value(fields[3]), 64); err != nil {
		return row{}, err
	}
	r.opa, r.sdk, r.starlark = value(fields[4]) == "true", value(fields[5]) == "true", value(fields[6]) == "true"
	return r, nil
}

func writeRows(file string, rows []row) error {
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintln(&b, row)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(b.String()), 0o666)
}

// growth is how much larger than its golden size a binary may be before that
// is worth a look: compilers differ.
const growth = 1.05

// compareRows fails when a consumer carries more than the table says.
func compareRows(file string, rows []row) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%w (repo rehearse --write writes it)", err)
	}
	golden := make(map[string]row)
	for line := range strings.Lines(string(text)) {
		parsed, err := parseRow(strings.TrimSpace(line))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		golden[parsed.name] = parsed
	}
	for name := range golden {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.name == name }) {
			return fmt.Errorf("%s has a row for %s, which was not built", file, name)
		}
	}
	for _, got := range rows {
		want, ok := golden[got.name]
		switch {
		case !ok:
			return fmt.Errorf("%s has no row for %s", file, got.name)
		case got.list > want.list, got.linked > want.linked, got.megabytes > want.megabytes*growth,
			got.opa && !want.opa, got.sdk && !want.sdk, got.starlark && !want.starlark:
			return fmt.Errorf("consumer grew (repo rehearse --write accepts it):\n  was %s\n  is  %s", want, got)
		}
	}
	return nil
}

func decodeJSON(text string, into any) error { return json.Unmarshal([]byte(text), into) }
