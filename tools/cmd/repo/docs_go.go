package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// goBlocks builds the Go blocks that are whole files, as if they were packages
// of the workspace, and holds the others to the API.
func (w *workspace) goBlocks(ctx context.Context) (string, error) {
	blocks, err := w.blocks(ctx, "go")
	if err != nil {
		return "", err
	}
	packages, err := w.exportedPackages(ctx)
	if err != nil {
		return "", err
	}
	var whole []block
	var errs []error
	for _, b := range blocks {
		if isFile(b.text) {
			whole = append(whole, b)
		} else if err := checkFragment(b.text, packages); err != nil {
			errs = append(errs, inBlock(b, err))
		}
	}
	errs = append(errs, w.buildFiles(ctx, whole))
	return fmt.Sprintf("%d files build, %d fragments fit the API", len(whole), len(blocks)-len(whole)), errors.Join(errs...)
}

func checkFragment(text string, packages map[string]*types.Package) error {
	fset := token.NewFileSet()
	fragment, err := parseFragment(fset, text)
	if err != nil {
		return err
	}
	return checkNames(fset, fragment, packages)
}

var packageClause = regexp.MustCompile(`(?m)\A(\s*//.*\n|\s*\n)*package\s+\w+`)

func isFile(text string) bool { return packageClause.MatchString(text) }

// parseFragment accepts imports followed by declarations, or by statements.
// An ellipsis … stands for a statement or an expression.
func parseFragment(fset *token.FileSet, text string) (*ast.File, error) {
	text = strings.ReplaceAll(text, "…", "_elided()")
	declarations, asDeclarations := parser.ParseFile(fset, "block", "package p; "+text, parser.SkipObjectResolution)
	if asDeclarations == nil {
		return declarations, nil
	}
	imports, rest := cutImports(text)
	statements, asStatements := parser.ParseFile(fset, "block", "package p; "+imports+"func _() { "+rest+"\n}", parser.SkipObjectResolution)
	if asStatements == nil {
		return statements, nil
	}
	if startsDeclaration.MatchString(rest) {
		return nil, asDeclarations
	}
	return nil, asStatements
}

var (
	leadingImports    = regexp.MustCompile(`\A(\s*import\s+(\([^)]*\)|[^\n]*)\n)+`)
	startsDeclaration = regexp.MustCompile(`\A\s*(func [\w(]|type )`)
)

func cutImports(text string) (imports, rest string) {
	imports = leadingImports.FindString(text)
	return imports, text[len(imports):]
}

// buildFiles compiles blocks as packages that exist only in an overlay.
func (w *workspace) buildFiles(ctx context.Context, blocks []block) error {
	if len(blocks) == 0 {
		return nil
	}
	home := w.module(unreleasedModule)
	if home == nil {
		home = w.modules[0]
	}
	dir, err := os.MkdirTemp("", "repo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	var packages []string
	for i, b := range blocks {
		name := "block.go"
		if strings.Contains(b.text, "\"testing\"") {
			name = "block_test.go"
		}
		file := filepath.Join(dir, fmt.Sprint(i)+".go")
		// The position that the compiler reports is the one in the Markdown.
		text := fmt.Sprintf("//line %s:%d\n%s", filepath.Join(w.root, filepath.FromSlash(b.file)), b.line, b.text)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
		at := fmt.Sprintf("markdown-block-%d", i)
		overlay.Replace[filepath.Join(home.dir, at, name)] = file
		packages = append(packages, "./"+at)
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, text, 0o666); err != nil {
		return err
	}
	// Unlike go build, go list compiles commands without linking them.
	compile := append([]string{"list", "-export", "-test", "-overlay=" + list}, packages...)
	_, err = command(ctx, home.dir, []string{"GOWORK="}, "go", compile...)
	return err
}
