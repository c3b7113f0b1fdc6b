package main

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// tag returns the name of the tag of a version of m.
func (m *module) tag(version string) string { return m.name + "/" + version }

// tagged returns the versions of m that have a tag, lowest first.
func (w *workspace) tagged(ctx context.Context, m *module) ([]string, error) {
	text, err := command(ctx, w.root, nil, "git", "tag", "--list", m.tag("v*"))
	if err != nil {
		return nil, err
	}
	var versions []string
	for _, tag := range strings.Fields(text) {
		if version := strings.TrimPrefix(tag, m.name+"/"); semver.IsValid(version) {
			versions = append(versions, version)
		}
	}
	semver.Sort(versions)
	return versions, nil
}

// candidate returns the version that m, as it is at hand, stands for: the one
// that siblings require while it has no tag, then the next of its CHANGELOG,
// and one just above the last tag for a module without plans.
func (w *workspace) candidate(m *module, tagged []string) (string, error) {
	if required := w.replacedVersion(m.path()); !slices.Contains(tagged, required) {
		return required, nil
	}
	log, err := readChangelog(m)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if next := log.unreleased(); next != "" && !slices.Contains(tagged, next) {
		return next, nil
	}
	return increment(tagged[len(tagged)-1], patch) + "-0.rehearsal", nil
}

// extract writes the tree of a revision into dir.
func (w *workspace) extract(ctx context.Context, revision, dir string) error {
	cmd := exec.CommandContext(ctx, "git", "-c", "core.autocrlf=input", "-c", "core.eol=lf", "archive", "--format=tar", revision)
	cmd.Dir = w.root
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = untar(stdout, dir)
	_, _ = io.Copy(io.Discard, stdout)
	return errors.Join(err, cmd.Wait())
}

func untar(r io.Reader, dir string) error {
	archive := tar.NewReader(r)
	for {
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case header.Typeflag != tar.TypeReg:
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(header.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		file, err := os.Create(name)
		if err != nil {
			return err
		}
		if _, err := io.Copy(file, archive); err != nil {
			file.Close()
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
}
