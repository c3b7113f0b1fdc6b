package githost

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A place is where a repository's data lies. For a linked worktree, git holds
// HEAD and little else and common holds the rest; otherwise both are the same.
type place struct{ git, common string }

// locate finds the repository of a directory as git does: the directory or the
// nearest one above it that has a .git or is a bare repository. go-git's own
// search passes by bare repositories on its way up.
func locate(dir string) (place, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return place{}, err
	}
	info, err := os.Stat(start)
	if err != nil {
		return place{}, err
	}
	if !info.IsDir() {
		return place{}, fmt.Errorf("%s: not a directory", dir)
	}
	for at := start; ; at = filepath.Dir(at) {
		git, err := gitDir(at)
		if err != nil {
			return place{}, err
		}
		if git != "" {
			common, err := commonDir(git)
			return place{git, common}, err
		}
		if at == filepath.Dir(at) {
			return place{}, fmt.Errorf("%s: %w", dir, ErrNoRepository)
		}
	}
}

// gitDir returns the git directory that at has or is; empty means neither.
func gitDir(at string) (string, error) {
	dot := filepath.Join(at, ".git")
	info, err := os.Stat(dot)
	switch {
	case err == nil && info.IsDir():
		if isRepository(dot) {
			return dot, nil
		}
	case err == nil:
		return linkedDir(at, dot)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if isRepository(at) {
		return at, nil
	}
	return "", nil
}

// linkedDir follows a .git file, which worktrees and submodules have.
func linkedDir(at, file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(string(data), "gitdir:")
	if !ok {
		return "", fmt.Errorf("%s: not a git file", file)
	}
	target = resolve(at, strings.TrimSpace(target))
	if !isRepository(target) {
		return "", fmt.Errorf("%s: names %s, which is no git directory", file, target)
	}
	return target, nil
}

// isRepository applies git's own test: HEAD, objects and refs, of which a
// linked worktree keeps the last two elsewhere.
func isRepository(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	if exists(filepath.Join(dir, "commondir")) {
		return true
	}
	return exists(filepath.Join(dir, "objects")) && exists(filepath.Join(dir, "refs"))
}

func commonDir(git string) (string, error) {
	data, err := os.ReadFile(filepath.Join(git, "commondir"))
	if errors.Is(err, fs.ErrNotExist) {
		return git, nil
	}
	if err != nil {
		return "", err
	}
	common := resolve(git, string(bytes.TrimSpace(data)))
	if !exists(filepath.Join(common, "objects")) {
		return "", fmt.Errorf("%s: names %s, which is no git directory", filepath.Join(git, "commondir"), common)
	}
	return common, nil
}

func resolve(base, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
