package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	modversion "golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// pack writes every module into dir as a module proxy would serve it, each at
// the version that its siblings require.
func (w *workspace) pack(ctx context.Context, dir string, modules []*modulePack) error {
	for _, p := range modules {
		if err := w.packModule(ctx, dir, p); err != nil {
			return err
		}
	}
	return nil
}

// A modulePack is a module at a version.
type modulePack struct {
	*module
	version string
}



func (w *workspace) packModule(ctx context.Context, dir string, p *modulePack) error {
	escaped, err := modversion.EscapePath(p.path())
	if err != nil {
		return err
	}
	at := filepath.Join(dir, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		return err
	}
	files, err := w.packedFiles(ctx, p.module)
	if err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{p.version, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(p.dir, "go.mod"))
	if err != nil {
		return err
	}
	base := filepath.Join(at, p.version)
	for name, text := range map[string][]byte{base + ".info": info, base + ".mod": mod, filepath.Join(at, "list"): []byte(p.version + "\n")} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	archive, err := os.Create(base + ".zip")
	if err != nil {
		return err
	}
	defer archive.Close()
	if err := zip.Create(archive, modversion.Version{Path: p.path(), Version: p.version}, files); err != nil {
		return err
	}
	return archive.Close()
}

// packedFiles lists what a tag of m would hold, with the licence of the
// repository, as the go command adds it.
func (w *workspace) packedFiles(ctx context.Context, m *module) ([]zip.File, error) {
	text, err := command(ctx, m.dir, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	files := []zip.File{packedFile{"LICENSE", filepath.Join(w.root, "LICENSE")}}
	for _, name := range strings.Split(strings.TrimSuffix(text, "\x00"), "\x00") {
		file := packedFile{path.Clean(name), filepath.Join(m.dir, filepath.FromSlash(name))}
		if info, err := file.Lstat(); err == nil && info.Mode().IsRegular() && name != "LICENSE" {
			files = append(files, file)
		}
	}
	return files, nil
}

type packedFile struct{ name, file string }

func (f packedFile) Path() string                 { return f.name }
func (f packedFile) Lstat() (os.FileInfo, error)  { return os.Lstat(f.file) }
func (f packedFile) Open() (io.ReadCloser, error) { return os.Open(f.file) }
