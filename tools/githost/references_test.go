package githost_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/tools/githost"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// TestRevision resolves each form and compares with git where it is installed.
func TestRevision(t *testing.T) {
	r := newRepository(t)
	all := r.line(6)
	merge := r.commit(ann, epoch.Add(3600e9), "merge", files{}, all[5], all[2])
	r.point("refs/heads/topic/one", all[1])
	r.point("refs/tags/v1", all[3])
	r.point("refs/remotes/origin/main", all[4])
	annotated := r.store(&object.Tag{
		Name: "v2", Message: "two\n", TargetType: plumbing.CommitObject, Target: all[2],
		Tagger: object.Signature{Name: "T", Email: "t@example.com", When: epoch},
	})
	r.point("refs/tags/v2", annotated)
	host := r.open()
	for revision, want := range map[string]plumbing.Hash{
		"": merge, "@": merge, "HEAD": merge, "main": merge, "refs/heads/main": merge, "heads/main": merge,
		"topic/one": all[1], "v1": all[3], "v2": all[2], "tags/v2": all[2], "v2^{}": all[2], "v2^{commit}": all[2], "origin/main": all[4],
		all[2].String(): all[2], strings.ToUpper(all[2].String()): all[2], all[2].String()[:12]: all[2], all[2].String()[:7]: all[2],
		annotated.String()[:9]: all[2],
		"HEAD~":                all[5], "HEAD^": all[5], "HEAD^2": all[2], "HEAD^0": merge, "HEAD~0": merge, "HEAD~3": all[3], "HEAD^2~1^": all[0], "@~2": all[4],
	} {
		out, err := host.Commit(ctx, subject, githost.CommitInput{Revision: &revision})
		if err != nil {
			t.Errorf("%q: %v", revision, err)
			continue
		}
		if out.Commit.Hash != want.String() {
			t.Errorf("%q: got %s, want %s", revision, out.Commit.Hash, want)
		}
		if revision != "" {
			if got := strings.TrimSpace(gitOut(t, r.dir, "rev-parse", revision+"^{commit}")); got != want.String() {
				t.Errorf("%q: git says %s, want %s", revision, got, want)
			}
		}
	}
	tree := r.tree(files{"x": regular("y")})
	for _, revision := range []string{
		"nope", "HEAD~99", "HEAD^3", "HEAD^x", "HEAD~2147483648000000000000", "^", "~1", "^{tree}", "HEAD^{tree}", "HEAD@{1}", ":/merge", "main:f.txt",
		"config", "../config", "objects", "HEAD/../config", "ffff", "0000000000000000000000000000000000000000", tree.String(), "--all", "a b", "\x00", "main..v1",
	} {
		if out, err := host.Commit(ctx, subject, githost.CommitInput{Revision: &revision}); !errors.Is(err, githost.ErrRevision) && revision != "^" && revision != "~1" {
			t.Errorf("%q: got %v and %v, want ErrRevision", revision, out.Commit.Hash, err)
		}
	}
}

func TestShallowBoundary(t *testing.T) {
	r := newRepository(t)
	all := r.line(4)
	must(t, os.WriteFile(filepath.Join(r.dir, ".git", "shallow"), []byte(all[2].String()+"\n"), 0o644))
	must(t, os.Remove(looseObject(r.dir, all[1])))
	host := r.open()
	if got := walk(t, host, githost.CommitsInput{}, 10); len(got) != 2 {
		t.Errorf("got %d commits, want 2", len(got))
	}
	_, err := host.Commit(ctx, subject, githost.CommitInput{Revision: ptr("HEAD~2")})
	if !errors.Is(err, githost.ErrRevision) || !strings.Contains(err.Error(), "shallow") {
		t.Errorf("got %v", err)
	}
}

func TestBranchesAndTags(t *testing.T) {
	r := newRepository(t)
	all := r.line(3)
	r.point("refs/heads/a", all[0])
	r.point("refs/remotes/origin/a", all[1])
	r.point("refs/tags/light", all[0])
	r.point("refs/tags/of-a-tree", r.tree(files{}))
	r.point("refs/tags/heavy", r.store(&object.Tag{
		Name: "heavy", Message: "a message\n", TargetType: plumbing.CommitObject, Target: all[1],
		Tagger: object.Signature{Name: "T", Email: "t@example.com", When: epoch},
	}))
	host := r.open()
	names := func(remote bool) string {
		out, err := host.Branches(ctx, subject, githost.BranchesInput{Remote: &remote})
		must(t, err)
		if out.Current == nil || *out.Current != "main" {
			t.Errorf("current is %v", out.Current)
		}
		var list []string
		for _, b := range out.Branches {
			list = append(list, b.Name)
		}
		return strings.Join(list, " ")
	}
	if got := names(false); got != "a main" {
		t.Errorf("got %q", got)
	}
	if got := names(true); got != "a main origin/a" {
		t.Errorf("got %q", got)
	}
	tags, err := host.Tags(ctx, subject, githost.TagsInput{})
	must(t, err)
	if len(tags.Tags) != 2 {
		t.Fatalf("got %+v", tags.Tags)
	}
	if heavy := tags.Tags[0]; !heavy.Annotated || heavy.Hash != all[1].String() || heavy.Message != "a message\n" || heavy.Date != "2024-03-01T12:00:00Z" {
		t.Errorf("got %+v", heavy)
	}
	if light := tags.Tags[1]; light.Annotated || light.Hash != all[0].String() || light.Subject != "change 0" {
		t.Errorf("got %+v", light)
	}
}

func TestWrites(t *testing.T) {
	r := newRepository(t)
	all := r.line(3)
	host := r.open()
	branch := func(name, revision string) error {
		_, err := host.CreateBranch(ctx, subject, githost.CreateBranchInput{Name: name, Revision: &revision})
		return err
	}
	must(t, branch("topic/x", "HEAD~1"))
	if got := strings.TrimSpace(gitOut(t, r.dir, "rev-parse", "topic/x")); got != all[1].String() {
		t.Errorf("git sees %s", got)
	}
	for name, want := range map[string]error{
		"topic/x": githost.ErrRefused, "topic": githost.ErrRefused, "topic/x/y": githost.ErrRefused, "main": githost.ErrRefused,
		"../x": githost.ErrArgument, "a..b": githost.ErrArgument, "": githost.ErrArgument, "/x": githost.ErrArgument, "x.lock": githost.ErrArgument,
		"a b": githost.ErrArgument, "-x": githost.ErrArgument, "x/": githost.ErrArgument, "x\\y": githost.ErrArgument, "x~1": githost.ErrArgument, "a/../../../config": githost.ErrArgument,
	} {
		if err := branch(name, "HEAD"); !errors.Is(err, want) {
			t.Errorf("create %q: got %v, want %v", name, err, want)
		}
	}
	if err := branch("y", "nope"); !errors.Is(err, githost.ErrRevision) {
		t.Errorf("got %v", err)
	}

	lock := filepath.Join(r.dir, ".git", "refs", "heads", "busy.lock")
	must(t, os.WriteFile(lock, nil, 0o644))
	if err := branch("busy", "HEAD"); !errors.Is(err, githost.ErrRefused) {
		t.Errorf("a locked name: got %v", err)
	}
	must(t, os.Remove(lock))

	tag, err := host.CreateTag(ctx, subject, githost.CreateTagInput{Name: "v1", Message: ptr("first")})
	must(t, err)
	if !tag.Tag.Annotated || tag.Tag.Hash != all[2].String() || tag.Tag.Message != "first\n" {
		t.Errorf("got %+v", tag.Tag)
	}
	light, err := host.CreateTag(ctx, subject, githost.CreateTagInput{Name: "v0", Revision: ptr("HEAD~2")})
	must(t, err)
	if light.Tag.Annotated || light.Tag.Hash != all[0].String() {
		t.Errorf("got %+v", light.Tag)
	}
	if _, err := host.CreateTag(ctx, subject, githost.CreateTagInput{Name: "v1"}); !errors.Is(err, githost.ErrRefused) {
		t.Errorf("got %v", err)
	}
	if got := strings.TrimSpace(gitOut(t, r.dir, "for-each-ref", "--format=%(taggername) %(contents:subject)", "refs/tags/v1")); got != "tester first" {
		t.Errorf("git sees %q", got)
	}
	gitOut(t, r.dir, "fsck", "--strict")
}

func TestDeleteBranch(t *testing.T) {
	r := newRepository(t)
	all := r.line(3)
	r.point("refs/heads/loose", all[0])
	r.point("refs/heads/packed", all[1])
	r.point("refs/heads/both", all[1])
	r.point("refs/heads/elsewhere", all[1])
	gitOut(t, r.dir, "pack-refs", "--all")
	r.point("refs/heads/both", all[2])
	r.point("refs/heads/loose", all[0])
	gitOut(t, r.dir, "worktree", "add", "-q", filepath.Join(t.TempDir(), "w"), "elsewhere")
	host := r.open()
	for name, want := range map[string]plumbing.Hash{"loose": all[0], "packed": all[1], "both": all[2]} {
		out, err := host.DeleteBranch(ctx, subject, githost.DeleteBranchInput{Name: name})
		must(t, err)
		if out.Deleted.Hash != want.String() {
			t.Errorf("%s: got %s, want %s", name, out.Deleted.Hash, want)
		}
	}
	if got := strings.Join(gitLines(t, r.dir, "for-each-ref", "--format=%(refname:short)", "refs/heads"), " "); got != "elsewhere main" {
		t.Errorf("git sees %q", got)
	}
	for name, want := range map[string]error{
		"main": githost.ErrRefused, "elsewhere": githost.ErrRefused, "gone": githost.ErrRevision, "../../HEAD": githost.ErrArgument, "": githost.ErrArgument,
	} {
		if _, err := host.DeleteBranch(ctx, subject, githost.DeleteBranchInput{Name: name}); !errors.Is(err, want) {
			t.Errorf("delete %q: got %v, want %v", name, err, want)
		}
	}
	locks, err := filepath.Glob(filepath.Join(r.dir, ".git", "*.lock"))
	must(t, err)
	if len(locks) > 0 {
		t.Errorf("locks are left: %v", locks)
	}
	gitOut(t, r.dir, "fsck", "--strict")
}
