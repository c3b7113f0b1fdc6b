package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// commandsModule has no API: it is never imported.
const commandsModule = "tools"

// platform is the one whose API the pages show, wherever they are written.
func platform() *build.Context {
	platform := build.Default
	platform.GOOS, platform.GOARCH, platform.CgoEnabled = "linux", "amd64", false
	return &platform
}

// apiPage describes all packages of a module that others can import.
func apiPage(m *module) (string, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s# Module %s\n", generated, m.name)
	err := filepath.WalkDir(m.dir, func(dir string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); name == "internal" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
			return filepath.SkipDir
		}
		found, err := platform().ImportDir(dir, 0)
		if _, none := err.(*build.NoGoError); none || err == nil && found.IsCommand() {
			return nil
		}
		if err != nil {
			return err
		}
		below, err := filepath.Rel(m.dir, dir)
		if err != nil {
			return err
		}
		return writePackage(&b, found, path.Join(m.path(), filepath.ToSlash(below)))
	})
	return b.String(), err
}

// A packageWriter writes one package as Markdown.
type packageWriter struct {
	*bytes.Buffer
	fset    *token.FileSet
	doc     *doc.Package
	printer *comment.Printer
}

func writePackage(b *bytes.Buffer, found *build.Package, importPath string) error {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range found.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(found.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	p, err := doc.NewFromFiles(fset, files, importPath)
	if err != nil {
		return err
	}
	w := &packageWriter{b, fset, p, p.Printer()}
	w.printer.HeadingLevel = 3
	w.printer.HeadingID = func(*comment.Heading) string { return "" }
	w.printer.DocLinkURL = linkURL
	return w.write()
}

// linkURL sends links to the site that renders the documentation of all
// versions; within a page there are too many equal headings.
func linkURL(link *comment.DocLink) string {
	if link.ImportPath == "" {
		return ""
	}
	return link.DefaultURL("https://pkg.go.dev")
}

func (w *packageWriter) write() error {
	fmt.Fprintf(w, "\n## Package %s\n\n    import \"%s\"\n\n", w.doc.Name, w.doc.ImportPath)
	w.comment(w.doc.Doc)
	if err := w.values(w.doc.Consts); err != nil {
		return err
	}
	if err := w.values(w.doc.Vars); err != nil {
		return err
	}
	if err := w.funcs(w.doc.Funcs); err != nil {
		return err
	}
	for _, t := range w.doc.Types {
		if err := w.item("type "+t.Name, t.Decl, t.Doc); err != nil {
			return err
		}
		for _, group := range [][]*doc.Value{t.Consts, t.Vars} {
			if err := w.values(group); err != nil {
				return err
			}
		}
		for _, group := range [][]*doc.Func{t.Funcs, t.Methods} {
			if err := w.funcs(group); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *packageWriter) values(list []*doc.Value) error {
	for _, value := range list {
		names := value.Names
		if len(names) > 3 {
			names = append(names[:2:2], "…")
		}
		if err := w.item(value.Decl.Tok.String()+" "+strings.Join(names, ", "), value.Decl, value.Doc); err != nil {
			return err
		}
	}
	return nil
}

func (w *packageWriter) funcs(list []*doc.Func) error {
	for _, f := range list {
		heading := "func " + f.Name
		if f.Recv != "" {
			heading = fmt.Sprintf("func (%s) %s", f.Recv, f.Name)
		}
		if err := w.item(heading, f.Decl, f.Doc); err != nil {
			return err
		}
	}
	return nil
}

func (w *packageWriter) item(heading string, decl ast.Decl, text string) error {
	fmt.Fprintf(w, "### %s\n\n```go\n", heading)
	if err := format.Node(w, w.fset, decl); err != nil {
		return err
	}
	fmt.Fprint(w, "\n```\n\n")
	w.comment(text)
	return nil
}

func (w *packageWriter) comment(text string) {
	if text != "" {
		w.Write(w.printer.Markdown(w.doc.Parser().Parse(text)))
		w.WriteString("\n")
	}
}

// fieldDocs returns the comments of the fields of a struct that a file declares,
// each as one line.
func fieldDocs(file, structName string) (map[string]string, error) {
	docs := make(map[string]string)
	err := inspect(file, func(node ast.Node) {
		spec, ok := node.(*ast.TypeSpec)
		if !ok || spec.Name.Name != structName {
			return
		}
		for _, field := range spec.Type.(*ast.StructType).Fields.List {
			for _, name := range field.Names {
				docs[name.Name] = sentence(field.Doc)
			}
		}
	})
	return docs, err
}

// varDocs returns the exported variables that a file declares, and their
// comments.
func varDocs(file string) (names []string, docs map[string]string, err error) {
	docs = make(map[string]string)
	err = inspect(file, func(node ast.Node) {
		if spec, ok := node.(*ast.ValueSpec); ok && spec.Doc != nil && ast.IsExported(spec.Names[0].Name) {
			names = append(names, spec.Names[0].Name)
			docs[spec.Names[0].Name] = sentence(spec.Doc)
		}
	})
	return names, docs, err
}

func inspect(file string, visit func(ast.Node)) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments)
	if err != nil {
		return err
	}
	ast.Inspect(parsed, func(node ast.Node) bool {
		visit(node)
		return true
	})
	return nil
}

func sentence(group *ast.CommentGroup) string {
	return strings.Join(strings.Fields(group.Text()), " ")
}
