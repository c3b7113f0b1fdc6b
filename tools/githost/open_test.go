package githost_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/tools/githost"
)

// head asks a host for HEAD, which touches references and objects.
func head(t *testing.T, host *githost.Host) string {
	t.Helper()
	out, err := host.Commit(ctx, subject, githost.CommitInput{})
	must(t, err)
	return out.Commit.Hash
}

// TestOpen opens each kind of repository that git makes and compares HEAD.
func TestOpen(t *testing.T) {
	r := newRepository(t)
	r.line(6)
	gitOut(t, r.dir, "reset", "-q", "--hard")
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	gitOut(t, base, "clone", "-q", "--bare", r.dir, "bare.git")
	gitOut(t, base, "clone", "-q", "--shared", r.dir, "borrowing")
	gitOut(t, base, "clone", "-q", "--depth=2", "file://"+filepath.ToSlash(r.dir), "shallow")
	gitOut(t, base, "clone", "-q", "--bare", r.dir, "packed.git")
	gitOut(t, at("packed.git"), "repack", "-q", "-a", "-d")
	gitOut(t, at("packed.git"), "pack-refs", "--all")
	gitOut(t, r.dir, "worktree", "add", "-q", "-b", "side", at("worktree"), "HEAD~1")
	gitOut(t, base, "clone", "-q", r.dir, "extended")
	gitOut(t, at("extended"), "config", "core.repositoryFormatVersion", "1")
	gitOut(t, at("extended"), "config", "extensions.worktreeConfig", "true")
	must(t, os.MkdirAll(filepath.Join(r.dir, "some", "where"), 0o755))

	for name, dir := range map[string]string{
		"a working tree":                      r.dir,
		"its .git":                            filepath.Join(r.dir, ".git"),
		"a directory inside":                  filepath.Join(r.dir, "some", "where"),
		"a bare repository":                   at("bare.git"),
		"inside a bare repository":            filepath.Join(at("bare.git"), "objects"),
		"packed objects and references":       at("packed.git"),
		"a linked worktree":                   at("worktree"),
		"a clone that borrows objects":        at("borrowing"),
		"a shallow clone":                     at("shallow"),
		"an extension that changes no format": at("extended"),
	} {
		t.Run(name, func(t *testing.T) {
			host := open(t, dir)
			if got, want := head(t, host), strings.TrimSpace(gitOut(t, dir, "rev-parse", "HEAD")); got != want {
				t.Errorf("HEAD: got %s, want %s", got, want)
			}
			want := gitLines(t, dir, "log", "--format=%H")
			if got := walk(t, host, githost.CommitsInput{}, 100); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("got %d commits, want %d", len(got), len(want))
			}
			branches, err := host.Branches(ctx, subject, githost.BranchesInput{})
			must(t, err)
			if got, want := len(branches.Branches), len(gitLines(t, dir, "branch", "--format=%(refname)")); got != want {
				t.Errorf("got %d branches, want %d", got, want)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	empty := t.TempDir()
	r := newRepository(t)
	config := filepath.Join(r.dir, ".git", "config")
	for _, tt := range []struct{ name, dir, config, want string }{
		{"a directory without one", empty, "", "not a git repository"},
		{"a directory that is not there", filepath.Join(empty, "x"), "", "x"},
		{"a file", config, "", "not a directory"},
		{"SHA-256 objects", r.dir, "[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha256\n", "sha256"},
		{"references in tables", r.dir, "[core]\nrepositoryformatversion = 1\n[extensions]\nrefStorage = reftable\n", "reftable"},
		{"a later format", r.dir, "[core]\nrepositoryformatversion = 2\n", "version 2"},
		{"a config that is none", r.dir, "[core\n", "config"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.config != "" {
				must(t, os.WriteFile(config, []byte(tt.config), 0o644))
			}
			if _, err := githost.Open(tt.dir); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want one about %q", err, tt.want)
			}
		})
	}
}

func TestEmptyRepository(t *testing.T) {
	host := newRepository(t).open()
	branches, err := host.Branches(ctx, subject, githost.BranchesInput{})
	must(t, err)
	if len(branches.Branches) != 0 || branches.Current == nil || *branches.Current != "main" {
		t.Errorf("got %+v", branches)
	}
	tags, err := host.Tags(ctx, subject, githost.TagsInput{})
	must(t, err)
	if len(tags.Tags) != 0 {
		t.Errorf("got %+v", tags)
	}
	_, err1 := host.Commits(ctx, subject, githost.CommitsInput{})
	_, err2 := host.Commit(ctx, subject, githost.CommitInput{})
	_, err3 := host.Tree(ctx, subject, githost.TreeInput{})
	_, err4 := host.File(ctx, subject, githost.FileInput{Path: "f"})
	_, err5 := host.Blame(ctx, subject, githost.BlameInput{Path: "f"})
	_, err6 := host.Diff(ctx, subject, githost.DiffInput{Base: "HEAD"})
	_, err7 := host.CreateBranch(ctx, subject, githost.CreateBranchInput{Name: "b"})
	for i, err := range []error{err1, err2, err3, err4, err5, err6, err7} {
		if !errors.Is(err, githost.ErrEmpty) {
			t.Errorf("call %d: got %v, want ErrEmpty", i+1, err)
		}
	}
}

// TestRepack: git may move all objects into another pack while the host runs.
func TestRepack(t *testing.T) {
	r := newRepository(t)
	all := r.line(8)
	gitOut(t, r.dir, "repack", "-q", "-a", "-d")
	host := r.open()
	want := head(t, host)
	gitOut(t, r.dir, "repack", "-q", "-a", "-d", "-F", "--depth=2")
	more := r.line(9)
	gitOut(t, r.dir, "gc", "-q", "--prune=now")
	if want != all[7].String() {
		t.Errorf("HEAD: got %s, want %s", want, all[7])
	}
	if got := head(t, host); got != more[8].String() {
		t.Errorf("HEAD after gc: got %s, want %s", got, more[8])
	}
	if got := walk(t, host, githost.CommitsInput{}, 3); len(got) != 9 {
		t.Errorf("got %d commits after gc, want 9", len(got))
	}
}

// TestDamage cuts and overwrites every file below objects: whatever the host
// answers, it answers.
func TestDamage(t *testing.T) {
	for _, packed := range []bool{false, true} {
		r := newRepository(t)
		r.line(5)
		if packed {
			gitOut(t, r.dir, "gc", "-q", "--prune=now")
		}
		var paths []string
		must(t, filepath.Walk(filepath.Join(r.dir, ".git", "objects"), func(path string, info os.FileInfo, err error) error {
			if err == nil && info.Mode().IsRegular() {
				paths = append(paths, path)
			}
			return err
		}))
		failures := 0
		for _, path := range paths {
			whole, err := os.ReadFile(path)
			must(t, err)
			must(t, os.Chmod(path, 0o644))
			for _, broken := range [][]byte{nil, whole[:len(whole)/2], flip(whole, 10), flip(whole, len(whole)/2), flip(whole, len(whole)-30)} {
				must(t, os.WriteFile(path, broken, 0o644))
				host, err := githost.Open(r.dir)
				if err != nil {
					continue
				}
				_, err1 := host.Commits(ctx, subject, githost.CommitsInput{})
				_, err2 := host.Commit(ctx, subject, githost.CommitInput{})
				_, err3 := host.Blame(ctx, subject, githost.BlameInput{Path: "f.txt"})
				if errors.Join(err1, err2, err3) != nil {
					failures++
				}
				_ = host.Close()
			}
			must(t, os.WriteFile(path, whole, 0o644))
		}
		if failures == 0 {
			t.Errorf("packed %t: no damage was noticed", packed)
		}
	}
}

func flip(data []byte, at int) []byte {
	out := append([]byte(nil), data...)
	if at >= 0 && at < len(out) {
		out[at] ^= 0xff
	}
	return out
}

// TestConcurrentCalls is for the race detector.
func TestConcurrentCalls(t *testing.T) {
	r := random(t, 5, 40, 0)
	host := r.open()
	want := walk(t, host, githost.CommitsInput{}, 1000)
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for _, hash := range want {
				if _, err := host.Commit(ctx, subject, githost.CommitInput{Revision: &hash}); err != nil {
					t.Error(err)
				}
			}
			if _, err := host.Tree(ctx, subject, githost.TreeInput{}); err != nil {
				t.Error(err)
			}
			name := "branch-" + string(rune('a'+worker))
			if _, err := host.CreateBranch(ctx, subject, githost.CreateBranchInput{Name: name}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}
