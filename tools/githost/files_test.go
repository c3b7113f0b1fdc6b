package githost_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/tools/githost"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// TestTreeEqualsGit compares with git ls-tree, whole and in pages.
func TestTreeEqualsGit(t *testing.T) {
	r := every(t)
	host := r.open()
	for _, revision := range []string{"HEAD", "HEAD~5", "HEAD~12", "HEAD~20"} {
		for _, path := range []string{"", "a", "a.b", "ümlaut"} {
			var want []string
			for _, line := range gitLines(t, r.dir, "ls-tree", "-r", "-l", revision, "--", orTop(path)) {
				info, name, _ := strings.Cut(line, "\t")
				fields := strings.Fields(info)
				kind := map[string]string{"120000": "symlink", "160000": "submodule"}[fields[0]]
				if kind == "" {
					kind = "file"
				}
				size := strings.ReplaceAll(fields[3], "-", "0")
				want = append(want, fmt.Sprintf("%s %s %s %t", name, kind, size, fields[0] == "100755"))
			}
			for _, limit := range []int64{1000, 2, 1} {
				var got []string
				in := githost.TreeInput{Revision: &revision, Path: &path, Limit: &limit}
				for {
					out, err := host.Tree(ctx, subject, in)
					must(t, err)
					if out.Found != (len(want) > 0) {
						t.Errorf("%s %q: found is %t", revision, path, out.Found)
					}
					for _, f := range out.Files {
						got = append(got, fmt.Sprintf("%s %s %d %t", f.Path, f.Kind, f.Size, f.Executable))
					}
					if in.Cursor = out.NextCursor; in.Cursor == nil {
						break
					}
				}
				if strings.Join(got, "\n") != strings.Join(want, "\n") {
					t.Errorf("%s %q limit %d: got\n%s\nwant\n%s", revision, path, limit, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		}
	}
}

func TestFile(t *testing.T) {
	r := newRepository(t)
	long := strings.Repeat("0123456789abcde\n", 20000) // 320,000 bytes
	r.commit(ann, epoch, "files", files{
		"text":     regular("one\ntwo\nthree"),
		"empty":    regular(""),
		"binary":   regular("a\x00b"),
		"long":     regular(long),
		"one-line": regular(strings.Repeat("é", 200000)),
		"dir/f":    regular("x\n"),
		"link":     {filemode.Symlink, "text"},
		"sub":      {filemode.Submodule, "1111111111111111111111111111111111111111"},
	})
	host := r.open()
	for _, tt := range []struct {
		name        string
		path        string
		first, last int64
		want        githost.File
	}{
		{"whole", "text", 0, 0, githost.File{Text: ptr("one\ntwo\nthree"), Lines: 3, FirstLine: 1, LastLine: 3, Size: 13}},
		{"some lines", "text", 2, 2, githost.File{Text: ptr("two\n"), Lines: 3, FirstLine: 2, LastLine: 2, Size: 13}},
		{"beyond the end", "text", 3, 99, githost.File{Text: ptr("three"), Lines: 3, FirstLine: 3, LastLine: 3, Size: 13}},
		{"after the end", "text", 9, 10, githost.File{Text: ptr(""), Lines: 3, Size: 13}},
		{"empty", "empty", 0, 0, githost.File{Text: ptr(""), Size: 0}},
		{"binary is refused", "binary", 0, 0, githost.File{Binary: true, Size: 3}},
		{"a link's target", "link", 0, 0, githost.File{Text: ptr("text"), Lines: 1, FirstLine: 1, LastLine: 1, Size: 4}},
		{"bounded", "long", 0, 0, githost.File{Text: ptr(long[:256<<10]), Lines: 20000, FirstLine: 1, LastLine: 16384, Truncated: true, Size: 320000}},
		{"a path that is cleaned", "./dir//f", 0, 0, githost.File{Path: "dir/f", Text: ptr("x\n"), Lines: 1, FirstLine: 1, LastLine: 1, Size: 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := host.File(ctx, subject, githost.FileInput{Path: tt.path, FirstLine: &tt.first, LastLine: &tt.last})
			must(t, err)
			if tt.want.Path == "" {
				tt.want.Path = tt.path
			}
			tt.want.Commit = head(t, host)
			got := out.File
			if (got.Text == nil) != (tt.want.Text == nil) || got.Text != nil && *got.Text != *tt.want.Text {
				t.Errorf("the text differs")
			}
			got.Text, tt.want.Text = nil, nil
			if got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
	out, err := host.File(ctx, subject, githost.FileInput{Path: "one-line"})
	must(t, err)
	if f := out.File; !f.Truncated || len(*f.Text) != 256<<10 || strings.ContainsRune(*f.Text, '\uFFFD') {
		t.Errorf("one long line: %d bytes, truncated %t", len(*f.Text), f.Truncated)
	}

	for path, want := range map[string]error{
		"missing": githost.ErrPath, "dir": githost.ErrPath, "sub": githost.ErrPath, "text/x": githost.ErrPath, "": githost.ErrPath,
		"../text": githost.ErrArgument, "/text": githost.ErrArgument, "dir/../../x": githost.ErrArgument, "a\x00b": githost.ErrArgument,
		".git/config": githost.ErrPath,
	} {
		if _, err := host.File(ctx, subject, githost.FileInput{Path: path}); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", path, err, want)
		}
	}
}

// TestBlameEqualsGit compares with git blame on a history whose lines are all
// different: where lines repeat, either may choose another of the same.
func TestBlameEqualsGit(t *testing.T) {
	r := newRepository(t)
	content := "a\nb\nc\nd\ne\n"
	root := r.commit(ann, epoch, "root", files{"f": regular(content)})
	second := r.commit(bob, epoch.Add(1e9), "second", files{"f": regular("a\nB\nc\nd\ne\nend\n")}, root)
	side := r.commit(ann, epoch.Add(2e9), "side", files{"f": regular("top\na\nb\nc\nd\ne\n")}, root)
	merge := r.commit(bob, epoch.Add(3e9), "merge", files{"f": regular("top\na\nB\nc\nd\ne\nend\n")}, second, side)
	same := r.commit(ann, epoch.Add(4e9), "elsewhere", files{"f": regular("top\na\nB\nc\nd\ne\nend\n"), "g": regular("")}, merge)
	r.commit(ann, epoch.Add(5e9), "last", files{"f": regular("top\na\nB\nc\nnew\nd\nend"), "g": regular("")}, same)
	host := r.open()
	for _, revision := range []string{"HEAD", "HEAD~1", "HEAD~2^2"} {
		for _, lines := range [][2]int64{{0, 0}, {2, 4}} {
			args := []string{"blame", "--porcelain", "--line-porcelain"}
			if lines[0] > 0 {
				args = append(args, fmt.Sprintf("-L%d,%d", lines[0], lines[1]))
			}
			var want []string
			for _, line := range gitLines(t, r.dir, append(args, revision, "--", "f")...) {
				if fields := strings.Fields(line); len(fields) >= 3 && len(fields[0]) == 40 {
					want = append(want, fields[2]+" "+fields[0])
				}
			}
			out, err := host.Blame(ctx, subject, githost.BlameInput{Path: "f", Revision: &revision, FirstLine: &lines[0], LastLine: &lines[1]})
			must(t, err)
			var got []string
			for _, part := range out.Blame.Ranges {
				for n := part.FirstLine; n <= part.LastLine; n++ {
					got = append(got, fmt.Sprintf("%d %s", n, part.Hash))
				}
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s %v: got\n%s\nwant\n%s", revision, lines, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
	if _, err := host.Blame(ctx, subject, githost.BlameInput{Path: "nope"}); !errors.Is(err, githost.ErrPath) {
		t.Errorf("got %v", err)
	}
}

// TestDiffEqualsGit compares the numbers with git diff --numstat, and applies the
// patches in git's own way of reading them.
func TestDiffEqualsGit(t *testing.T) {
	r := every(t)
	host := r.open()
	for _, pair := range [][2]string{{"HEAD~22", "HEAD"}, {"HEAD", "HEAD~10"}, {"HEAD~8", "HEAD~7"}, {"HEAD", "HEAD"}} {
		for _, path := range []string{"", "a.b", "a", "a/moved.txt", "none"} {
			want := gitOut(t, r.dir, "diff", "--no-renames", "--numstat", pair[0], pair[1], "--", orTop(path))
			out, err := host.Diff(ctx, subject, githost.DiffInput{Base: pair[0], Head: &pair[1], Path: &path})
			must(t, err)
			c := githost.CommitDetail{FilesChanged: out.Diff.FilesChanged, Additions: out.Diff.Additions, Deletions: out.Diff.Deletions}
			for _, f := range out.Diff.Files {
				c.Files = append(c.Files, githost.FileChange{Path: f.Path, Additions: f.Additions, Deletions: f.Deletions, Binary: f.Binary})
				if f.Patch == nil && !f.Binary && f.Additions > 0 {
					t.Errorf("%s: no patch", f.Path)
				}
			}
			if got := numstatLines(c); got != want {
				t.Errorf("%v %q: got\n%s\nwant\n%s", pair, path, got, want)
			}
		}
	}
	out, err := host.Diff(ctx, subject, githost.DiffInput{Base: "HEAD~21", Head: ptr("HEAD~22"), Patch: ptr(true)})
	must(t, err)
	if got, want := *out.Diff.Files[0].Patch, "@@ -1,4 +1,3 @@\n one\n-2\n+two\n three\n-four\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	out, err = host.Diff(ctx, subject, githost.DiffInput{Base: "HEAD~21", Patch: ptr(false)})
	must(t, err)
	if out.Diff.Files[0].Patch != nil {
		t.Error("a patch that was not asked for")
	}
}

// TestLimitsOfLists: totals cover what a list leaves out.
func TestLimitsOfLists(t *testing.T) {
	r := newRepository(t)
	content := files{}
	for i := range 30 {
		content[fmt.Sprintf("f%02d", i)] = regular("1\n2\n")
	}
	root := r.commit(ann, epoch, "many", content)
	host := r.open()
	out, err := host.Commit(ctx, subject, githost.CommitInput{Limit: ptr(int64(10))})
	must(t, err)
	if c := out.Commit; len(c.Files) != 10 || !c.FilesTruncated || c.FilesChanged != 30 || c.Additions != 60 {
		t.Errorf("commit: got %d files, truncated %t, changed %d, +%d", len(c.Files), c.FilesTruncated, c.FilesChanged, c.Additions)
	}
	big := r.commit(ann, epoch.Add(1e9), "big", files{"big": regular(strings.Repeat("a line of text\n", 20000))}, root)
	diff, err := host.Diff(ctx, subject, githost.DiffInput{Base: root.String(), Head: ptr(big.String()), Limit: ptr(int64(1))})
	must(t, err)
	if d := diff.Diff; len(d.Files) != 1 || !d.FilesTruncated || !d.Files[0].PatchTruncated || d.Additions != 20000 || d.Deletions != 60 {
		t.Errorf("diff: got %d files, +%d -%d", len(d.Files), d.Additions, d.Deletions)
	}
}

func TestCancelled(t *testing.T) {
	r := newRepository(t)
	r.line(3)
	host := r.open()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err1 := host.Commits(ended, subject, githost.CommitsInput{})
	_, err2 := host.Commit(ended, subject, githost.CommitInput{})
	_, err3 := host.Blame(ended, subject, githost.BlameInput{Path: "f.txt"})
	_, err4 := host.Tree(ended, subject, githost.TreeInput{})
	for _, err := range []error{err1, err2, err3, err4} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// orTop is a path as git wants it.
func orTop(path string) string {
	if path == "" {
		return "."
	}
	return path
}
