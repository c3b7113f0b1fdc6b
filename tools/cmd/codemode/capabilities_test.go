package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/tools/githost"
)

// calls has a program for every capability, which reads from its result what a
// user would. writes marks those that must be withheld by default.
var calls = map[string]struct {
	source string
	writes bool
}{
	"repo.commits":  {source: `return [c["hash"] for c in repo.commits(author="ann", path="f0.txt", since="2024-01-01", until="2025-01-01", limit=1)["commits"]]`},
	"repo.commit":   {source: `return repo.commit(revision="HEAD~1")["commit"]["files"][0]["additions"]`},
	"repo.diff":     {source: `return repo.diff(base="HEAD~2", head="HEAD", path="f0.txt")["diff"]["files"][0]["patch"]`},
	"repo.tree":     {source: `return [f["path"] for f in repo.tree(path="", limit=10)["files"]]`},
	"repo.file":     {source: `return repo.file(path="f0.txt", first_line=1, last_line=2)["file"]["text"]`},
	"repo.blame":    {source: `return [r["author"] for r in repo.blame(path="f1.txt")["blame"]["ranges"]]`},
	"repo.branches": {source: `return repo.branches(remote=True)["branches"][0]["name"]`},
	"repo.tags":     {source: `return repo.tags()["tags"]`},
	"repo.create_branch": {writes: true,
		source: `return repo.create_branch(name="made", revision="HEAD~1")["branch"]["hash"]`},
	"repo.create_tag": {writes: true,
		source: `return repo.create_tag(name="v1", message="first")["tag"]["annotated"]`},
	"repo.delete_branch": {writes: true,
		source: `return [repo.create_branch(name="gone"), repo.delete_branch(name="gone")["deleted"]["hash"]]`},
}

// TestEveryCapability drives every capability once through execute of the built
// command, and sees whether it changed the repository.
func TestEveryCapability(t *testing.T) {
	dir := t.TempDir()
	if err := makeRepository(dir); err != nil {
		t.Fatal(err)
	}
	s := overStdio(t, "--git", dir, "--allow-writes")
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		t.Run(name, func(t *testing.T) {
			before := names(t, dir)
			var got struct{ Result any }
			call(t, s, "execute", "source", "def main():\n    "+calls[name].source+"\n", &got)
			if got.Result == nil {
				t.Error("it returned nothing")
			}
			changed := names(t, dir) != before
			// The one that deletes first makes what it deletes.
			if changed != (calls[name].writes && name != "repo.delete_branch") {
				t.Errorf("it changed the repository: %t", changed)
			}
		})
	}
}

// names lists the branches and tags of a repository.
func names(t *testing.T, dir string) string {
	t.Helper()
	host, err := githost.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	var all []string
	branches, err := host.Branches(t.Context(), authz.Subject{}, githost.BranchesInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range branches.Branches {
		all = append(all, b.Name+" "+b.Hash)
	}
	tags, err := host.Tags(t.Context(), authz.Subject{}, githost.TagsInput{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range tags.Tags {
		all = append(all, tag.Name+" "+tag.Hash)
	}
	return strings.Join(all, "\n")
}

// TestCatalogIsCovered fails when a capability has no call above, when one that
// reads is withheld by default, and when one that writes is not.
func TestCatalogIsCovered(t *testing.T) {
	dir := t.TempDir()
	if err := makeRepository(dir); err != nil {
		t.Fatal(err)
	}
	for _, allow := range []bool{false, true} {
		var want []string
		for name, c := range calls {
			if allow || !c.writes {
				want = append(want, name)
			}
		}
		slices.Sort(want)
		if got := catalog(t, dir, allow); !slices.Equal(got, want) {
			t.Errorf("writes allowed %t: got %v, want %v", allow, got, want)
		}
	}
}

// catalog lists what the built-in server offers.
func catalog(t *testing.T, dir string, allowWrites bool) []string {
	t.Helper()
	flags := hostFlags{git: dir, allowWrites: allowWrites, maxCalls: 10, timeout: time.Second, subject: "test", log: logFlags{level: "error", format: "text"}}
	cmd := newServe()
	cmd.SetContext(t.Context())
	b, err := flags.open(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	total := 0
	for _, n := range b.service.Info().Namespaces {
		total += n.Capabilities
	}
	found, err := b.service.Search("repo")
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Results) != total {
		t.Fatalf("the query finds %d of %d capabilities", len(found.Results), total)
	}
	var list []string
	for _, r := range found.Results {
		if _, err := b.service.Describe(codemode.CapabilityName(r.Name)); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
		list = append(list, r.Name)
	}
	slices.Sort(list)
	return list
}
