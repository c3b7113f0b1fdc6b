package githost_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/tools/githost"
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

var (
	ctx     = context.Background()
	subject = authz.Subject{ID: "tester"}
)

// A repository is built object by object, so that its trees, dates and parents
// can be anything.
type repository struct {
	t   testing.TB
	dir string
	*git.Repository
	stored map[plumbing.Hash]bool
}

func newRepository(t testing.TB) *repository {
	t.Helper()
	dir := t.TempDir()
	r, err := git.PlainInitWithOptions(dir, &git.PlainInitOptions{
		InitOptions: git.InitOptions{DefaultBranch: "refs/heads/main"},
	})
	must(t, err)
	return &repository{t, dir, r, map[plumbing.Hash]bool{}}
}

// A file is an entry of a commit's tree.
type file struct {
	mode filemode.FileMode
	text string
}

func regular(text string) file { return file{filemode.Regular, text} }

// files are the whole content of a commit by path.
type files map[string]file

func (f files) with(path string, to file) files {
	out := files{}
	for p, entry := range f {
		out[p] = entry
	}
	if out[path] = to; to == (file{}) {
		delete(out, path)
	}
	return out
}

type person struct{ name, email string }

var (
	ann = person{"Ann Example", "ann@example.com"}
	bob = person{"Bob Example", "bob@example.com"}
)

var epoch = time.Date(2024, 3, 1, 12, 0, 0, 0, time.UTC)

// commit stores a commit and moves main to it.
func (r *repository) commit(who person, when time.Time, message string, content files, parents ...plumbing.Hash) plumbing.Hash {
	r.t.Helper()
	by := object.Signature{Name: who.name, Email: who.email, When: when}
	c := object.Commit{
		Author: by, Committer: by, Message: message,
		TreeHash: r.tree(content), ParentHashes: parents,
	}
	h := r.store(&c)
	r.point("refs/heads/main", h)
	return h
}

func (r *repository) point(name string, h plumbing.Hash) {
	r.t.Helper()
	must(r.t, r.Storer.SetReference(plumbing.NewHashReference(plumbing.ReferenceName(name), h)))
}

func (r *repository) store(o object.Object) plumbing.Hash {
	r.t.Helper()
	obj := r.Storer.NewEncodedObject()
	must(r.t, o.(interface {
		Encode(plumbing.EncodedObject) error
	}).Encode(obj))
	return r.write(obj)
}

// write stores an object that is not there yet: writing is what is slow here.
func (r *repository) write(obj plumbing.EncodedObject) plumbing.Hash {
	r.t.Helper()
	if !r.stored[obj.Hash()] {
		_, err := r.Storer.SetEncodedObject(obj)
		must(r.t, err)
		r.stored[obj.Hash()] = true
	}
	return obj.Hash()
}

func (r *repository) tree(content files) plumbing.Hash {
	r.t.Helper()
	below := map[string]files{}
	t := object.Tree{}
	for path, f := range content {
		if dir, rest, ok := strings.Cut(path, "/"); ok {
			if below[dir] == nil {
				below[dir] = files{}
			}
			below[dir][rest] = f
			continue
		}
		t.Entries = append(t.Entries, object.TreeEntry{Name: path, Mode: f.mode, Hash: r.blob(f)})
	}
	for dir, inner := range below {
		t.Entries = append(t.Entries, object.TreeEntry{Name: dir, Mode: filemode.Dir, Hash: r.tree(inner)})
	}
	sort.Sort(object.TreeEntrySorter(t.Entries))
	return r.store(&t)
}

func (r *repository) blob(f file) plumbing.Hash {
	r.t.Helper()
	if f.mode == filemode.Submodule {
		return plumbing.NewHash(f.text)
	}
	obj := r.Storer.NewEncodedObject()
	obj.SetType(plumbing.BlobObject)
	w, err := obj.Writer()
	must(r.t, err)
	_, err = w.Write([]byte(f.text))
	must(r.t, err)
	must(r.t, w.Close())
	return r.write(obj)
}

// line builds a history of n commits, a minute apart, that all change f.txt.
func (r *repository) line(n int) []plumbing.Hash {
	var all []plumbing.Hash
	text := ""
	for i := range n {
		text += fmt.Sprintf("line %d\n", i)
		var parents []plumbing.Hash
		if i > 0 {
			parents = all[i-1:]
		}
		who := ann
		if i%3 == 0 {
			who = bob
		}
		content := files{"f.txt": regular(text), "other.txt": regular("same\n")}
		all = append(all, r.commit(who, epoch.Add(time.Duration(i)*time.Minute), fmt.Sprintf("change %d\n\nbody\n", i), content, parents...))
	}
	return all
}

func (r *repository) open() *githost.Host { return open(r.t, r.dir) }

func open(t testing.TB, dir string) *githost.Host {
	t.Helper()
	h, err := githost.Open(dir)
	must(t, err)
	t.Cleanup(func() { must(t, h.Close()) })
	return h
}

// git runs git in a directory, without the configuration of the machine.
func gitOut(t testing.TB, dir string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed; its output is what this test compares with")
	}
	cmd := exec.Command(path, append([]string{"-c", "core.quotePath=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "TZ=UTC", "LC_ALL=C",
		"GIT_AUTHOR_NAME=Ann Example", "GIT_AUTHOR_EMAIL=ann@example.com",
		"GIT_COMMITTER_NAME=Ann Example", "GIT_COMMITTER_EMAIL=ann@example.com")
	out, err := cmd.Output()
	if err != nil {
		var detail []byte
		if e, ok := err.(*exec.ExitError); ok {
			detail = e.Stderr
		}
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, detail)
	}
	return string(out)
}

func gitLines(t testing.TB, dir string, args ...string) []string {
	t.Helper()
	return strings.FieldsFunc(gitOut(t, dir, args...), func(r rune) bool { return r == '\n' })
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ptr[T any](v T) *T { return &v }

func looseObject(dir string, h plumbing.Hash) string {
	return filepath.Join(dir, ".git", "objects", h.String()[:2], h.String()[2:])
}
