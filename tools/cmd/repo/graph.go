package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// allowed is DESIGN's table: what each module may import besides the standard
// library and itself. A module that is not here may import anything.
var allowed = map[string][]string{
	"search":    {"github.com/blevesearch/segment"},
	"binding":   {"go.starlark.net"},
	"wire":      {},
	"sandbox":   {prefix + "wire", "golang.org/x/sync", "golang.org/x/sys", "github.com/landlock-lsm/go-landlock"},
	"authz":     {},
	"rego":      {prefix + "authz", "github.com/open-policy-agent/opa"},
	"codemode":  {prefix + "search", prefix + "binding", prefix + "wire", prefix + "sandbox", prefix + "authz", "go.starlark.net"},
	"mcpserver": {prefix + "codemode", prefix + "authz", "github.com/modelcontextprotocol/go-sdk"},
}

// neverImported are the modules that no other module may import.
var neverImported = []string{prefix + "tools", prefix + "docs"}

// homes are the heavy dependencies, with the only modules whose build lists may
// hold them.
var homes = map[string][]string{
	"github.com/open-policy-agent/opa":       {"rego", "tools", "docs"},
	"github.com/modelcontextprotocol/go-sdk": {"mcpserver", "tools", "docs"},
	"go.starlark.net":                        {"binding", "codemode", "mcpserver", "tools", "docs"},
}

// forbidden is what no build list may hold.
const forbidden = "github.com/meigma/"

func newGraph() *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Check who imports whom, and every module's build list",
		Long: `Graph checks the imports of every module, tests included, against the table of
the architecture, the build lists for dependencies outside their home, and
each build list against tools/cmd/repo/testdata/deps/<module>.txt.`,
		Args: func(_ *cobra.Command, args []string) error { return noArgs(args) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := loadWorkspace()
			if err != nil {
				return err
			}
			return w.graph(cmd.Context(), cmd.OutOrStdout(), write)
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "write the build lists instead of comparing them")
	return cmd
}

func (w *workspace) graph(ctx context.Context, out io.Writer, write bool) error {
	var errs []error
	for _, m := range w.modules {
		n, err := w.checkModule(ctx, m, write)
		errs = append(errs, err)
		fmt.Fprintf(out, "%-10s %3d modules in its build list\n", m.name, n)
	}
	errs = append(errs, w.checkCycles())
	return errors.Join(errs...)
}

func (w *workspace) checkModule(ctx context.Context, m *module, write bool) (size int, err error) {
	file, remove, err := w.standalone(m)
	if err != nil {
		return 0, err
	}
	defer remove()
	var packages []goPackage
	for _, platform := range platforms {
		found, err := listPackages(ctx, m, file, platform)
		if err != nil {
			return 0, err
		}
		packages = append(packages, found...)
	}
	list, err := buildList(ctx, m, file)
	if err != nil {
		return 0, err
	}
	return len(list), errors.Join(checkImports(m, packages), checkRequirements(m), checkHomes(m, list), w.checkGolden(m, list, write))
}

// A goPackage is what `go list -json` says of one package.
type goPackage struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// platforms are those whose files are looked at, wherever repo runs.
var platforms = []string{"linux", "darwin", "windows"}

func listPackages(ctx context.Context, m *module, file, platform string) ([]goPackage, error) {
	env := append([]string{"GOOS=" + platform, "CGO_ENABLED=0"}, workOff...)
	text, err := command(ctx, m.dir, env, "go", "list", "-modfile="+file, "-mod=mod", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	if err != nil {
		return nil, err
	}
	var packages []goPackage
	decoder := json.NewDecoder(strings.NewReader(text))
	for {
		var p goPackage
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, err
		}
		packages = append(packages, p)
	}
}

func buildList(ctx context.Context, m *module, file string) ([]string, error) {
	// A sibling is listed without its version, which no one needs to review.
	const format = "{{if not .Main}}{{.Path}}{{if not .Replace}}@{{.Version}}{{end}}{{end}}"
	text, err := command(ctx, m.dir, workOff, "go", "list", "-modfile="+file, "-mod=mod", "-m", "-f", format, "all")
	if err != nil {
		return nil, err
	}
	return strings.Fields(text), nil
}

// checkImports refuses every import that the table does not have.
func checkImports(m *module, packages []goPackage) error {
	var errs []error
	seen := make(map[string]bool) // on another platform
	for _, p := range packages {
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			edge := p.ImportPath + " imports " + path
			if reason := refusal(m, path); reason != "" && !seen[edge] {
				seen[edge] = true
				errs = append(errs, fmt.Errorf("%s: package %s: %s", m.name, edge, reason))
			}
		}
	}
	return errors.Join(errs...)
}

func refusal(m *module, path string) string {
	if path == "C" || isStandard(path) || within(path, m.path()) {
		return ""
	}
	if strings.HasPrefix(path, forbidden) {
		return "nothing under " + forbidden + " may be imported"
	}
	for _, never := range neverImported {
		if within(path, never) {
			return never + " is never imported"
		}
	}
	table, limited := allowed[m.name]
	if !limited || slices.ContainsFunc(table, func(module string) bool { return within(path, module) }) {
		return ""
	}
	return "not in the table of allowed imports"
}

func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func within(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}

// checkRequirements refuses replacements and direct requirements outside the
// table: a module must mean the same to its users as to us.
func checkRequirements(m *module) error {
	var errs []error
	if len(m.file.Replace) > 0 {
		errs = append(errs, fmt.Errorf("%s: go.mod has a replace directive", m.name))
	}
	for _, r := range m.file.Require {
		if reason := refusal(m, r.Mod.Path); reason != "" && !r.Indirect {
			errs = append(errs, fmt.Errorf("%s: go.mod requires %s: %s", m.name, r.Mod.Path, reason))
		}
	}
	return errors.Join(errs...)
}

func checkHomes(m *module, list []string) error {
	var errs []error
	for _, entry := range list {
		path, _, _ := strings.Cut(entry, "@")
		if strings.HasPrefix(path, forbidden) {
			errs = append(errs, fmt.Errorf("%s: build list holds %s", m.name, path))
		}
		if home, heavy := homes[path]; heavy && !slices.Contains(home, m.name) {
			errs = append(errs, fmt.Errorf("%s: build list holds %s, whose home is %s", m.name, path, home[0]))
		}
	}
	return errors.Join(errs...)
}

func (w *workspace) checkGolden(m *module, list []string, write bool) error {
	file := filepath.Join(w.root, "tools", "cmd", "repo", "testdata", "deps", m.name+".txt")
	text := strings.Join(list, "\n") + "\n"
	if write {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return os.WriteFile(file, []byte(text), 0o666)
	}
	golden, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%s: %w (repo graph --write writes it)", m.name, err)
	}
	if string(golden) == text {
		return nil
	}
	return fmt.Errorf("%s: build list differs from %s (repo graph --write updates it):\n%s", m.name, file, difference(strings.Fields(string(golden)), list))
}

func difference(old, new []string) string {
	var b strings.Builder
	for _, line := range old {
		if !slices.Contains(new, line) {
			fmt.Fprintln(&b, "  -", line)
		}
	}
	for _, line := range new {
		if !slices.Contains(old, line) {
			fmt.Fprintln(&b, "  +", line)
		}
	}
	return b.String()
}

// checkCycles refuses modules that require each other.
func (w *workspace) checkCycles() error {
	position := make(map[string]int)
	for i, m := range w.leafFirst() {
		position[m.name] = i
	}
	var errs []error
	for _, m := range w.modules {
		for name := range m.siblings() {
			if position[name] >= position[m.name] {
				errs = append(errs, fmt.Errorf("%s and %s require each other", m.name, name))
			}
		}
	}
	return errors.Join(errs...)
}
