package githost_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/codemode-go/codemode/tools/githost"
)

// TestAttributesAsGit compares with git on files that attributes make text or
// binary, whatever is in them.
func TestAttributesAsGit(t *testing.T) {
	r := newRepository(t)
	content := files{
		".gitattributes": regular(`# comment
[attr]opaque -diff -merge
*.lock -diff
*.dat binary
*.gen opaque
*.txt diff
*.go diff=golang
/top.md -diff
vendor/** -diff
deep/**/x.c -diff
dir/ -diff
"with space.md" -diff
!negated.md -diff
[ab].md -diff
`),
		"sub/.gitattributes":        regular("*.lock diff\n*.md -diff\n/here.c -diff\n[attr]late -diff\n*.late late\n"),
		"sub/deeper/.gitattributes": regular("*.md !diff\n"),
	}
	for _, path := range []string{
		"a.lock", "a.dat", "a.gen", "a.go", "top.md", "x/top.md", "vendor/f.c", "vendor/a/b.c", "x/vendor/f.c", "deep/x.c", "deep/a/b/x.c", "deep/a/y.c",
		"dir/f.c", "with space.md", "negated.md", "a.md", "c.md", "sub/a.lock", "sub/z.md", "sub/here.c", "sub/x/here.c", "sub/a.late", "sub/deeper/z.md",
		"info.c", "plain.c",
	} {
		content[path] = regular("some\ntext\n")
	}
	content["zero.txt"] = regular("text\x00\nwith a zero byte\n")
	root := r.commit(ann, epoch, "attributes", content)
	r.commit(ann, epoch.Add(1e9), "change", content.with("a.lock", regular("x\n")).with("plain.c", regular("y\n")), root)
	must(t, os.MkdirAll(filepath.Join(r.dir, ".git", "info"), 0o755))
	must(t, os.WriteFile(filepath.Join(r.dir, ".git", "info", "attributes"), []byte("info.c -diff\n"), 0o644))
	gitOut(t, r.dir, "reset", "-q", "--hard")
	host := r.open()
	for hash, want := range numstat(t, r.dir) {
		out, err := host.Commit(ctx, subject, githost.CommitInput{Revision: &hash})
		must(t, err)
		if got := numstatLines(out.Commit); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", out.Commit.Subject, got, want)
		}
	}
}
