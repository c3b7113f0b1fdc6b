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

// A pack is one version of a module, as a module proxy serves it.
type pack struct {
	*module
	version string
	tag     string // where its bytes come from; empty for the files at hand
}

// packs returns what a proxy would serve if everything at hand were released
// now: all tagged versions, with the bytes of their tags, and one candidate of
// every module, leaf first.
func (w *workspace) packs(ctx context.Context) (tagged, candidates []*pack, err error) {
	for _, m := range w.libraries() {
		versions, err := w.tagged(ctx, m)
		if err != nil {
			return nil, nil, err
		}
		for _, version := range versions {
			tagged = append(tagged, &pack{m, version, m.tag(version)})
		}
		version, err := w.candidate(m, versions)
		if err != nil {
			return nil, nil, err
		}
		candidates = append(candidates, &pack{m, version, ""})
	}
	return tagged, candidates, nil
}

// write adds p to the file-system proxy in dir.
func (w *workspace) write(ctx context.Context, dir string, p *pack) error {
	escaped, err := modversion.EscapePath(p.path())
	if err != nil {
		return err
	}
	at := filepath.Join(dir, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(at, 0o777); err != nil {
		return err
	}
	if p.tag == "" {
		files, err := w.filesAtHand(ctx, p.module)
		if err != nil {
			return err
		}
		return writePack(at, p, filepath.Join(p.dir, "go.mod"), files)
	}
	root, err := os.MkdirTemp("", "repo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	if err := w.extract(ctx, p.tag, root); err != nil {
		return err
	}
	names, err := filesBelow(filepath.Join(root, p.name))
	if err != nil {
		return err
	}
	mod := filepath.Join(root, p.name, "go.mod")
	return writePack(at, p, mod, withLicence(root, filepath.Join(root, p.name), names))
}

func writePack(at string, p *pack, modFile string, files []zip.File) error {
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{p.version, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return err
	}
	mod, err := os.ReadFile(modFile)
	if err != nil {
		return err
	}
	base := filepath.Join(at, p.version)
	for name, text := range map[string][]byte{base + ".info": info, base + ".mod": mod} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	if err := appendLine(filepath.Join(at, "list"), p.version); err != nil {
		return err
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

func appendLine(name, line string) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.WriteString(file, line+"\n")
	return err
}

// filesAtHand lists what a tag of m would hold if everything were committed.
func (w *workspace) filesAtHand(ctx context.Context, m *module) ([]zip.File, error) {
	text, err := command(ctx, m.dir, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	return withLicence(w.root, m.dir, strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")), nil
}

// withLicence returns the named regular files of the module in dir. A module
// without a licence gets the repository's, as the go command does it.
func withLicence(root, dir string, names []string) []zip.File {
	var files []zip.File
	licensed := false
	for _, name := range names {
		file := packedFile{path.Clean(name), filepath.Join(dir, filepath.FromSlash(name))}
		if info, err := file.Lstat(); err != nil || !info.Mode().IsRegular() {
			continue
		}
		licensed = licensed || name == "LICENSE"
		files = append(files, file)
	}
	if licence := (packedFile{"LICENSE", filepath.Join(root, "LICENSE")}); !licensed {
		if _, err := licence.Lstat(); err == nil {
			files = append(files, licence)
		}
	}
	return files
}

func filesBelow(dir string) (names []string, err error) {
	err = filepath.WalkDir(dir, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	return names, err
}

type packedFile struct{ name, file string }

func (f packedFile) Path() string                 { return f.name }
func (f packedFile) Lstat() (os.FileInfo, error)  { return os.Lstat(f.file) }
func (f packedFile) Open() (io.ReadCloser, error) { return os.Open(f.file) }
