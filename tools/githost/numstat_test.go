package githost_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/tools/githost"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// every returns a repository with one commit for each kind of change that git
// counts in a way of its own.
func every(t *testing.T) *repository {
	r := newRepository(t)
	sub := file{filemode.Submodule, "1111111111111111111111111111111111111111"}
	sub2 := file{filemode.Submodule, "2222222222222222222222222222222222222222"}
	start := files{
		"README":          regular("one\ntwo\nthree\n"),
		"a.b":             regular("sorts before a/\n"),
		"a/deep/er/f.txt": regular("x\n"),
		"bin":             regular("\x00\x01binary"),
		"empty":           regular(""),
		"link":            {filemode.Symlink, "README"},
		"no-end":          regular("last line has no end"),
		"sub":             sub,
		"ümlaut/näme.txt": regular("ä\n"),
	}
	now := epoch
	var last []plumbing.Hash
	step := func(message string, content files) files {
		now = now.Add(time.Hour)
		last = []plumbing.Hash{r.commit(ann, now, message, content, last...)}
		return content
	}
	f := step("root commit", start)
	f = step("modify", f.with("README", regular("one\n2\nthree\nfour\n")))
	f = step("mode only", f.with("README", file{filemode.Executable, "one\n2\nthree\nfour\n"}))
	f = step("mode of a binary", f.with("bin", file{filemode.Executable, "\x00\x01binary"}))
	f = step("binary changed", f.with("bin", regular("\x00\x02binary")))
	f = step("binary to text", f.with("bin", regular("text now\n")))
	f = step("text to binary", f.with("bin", regular("text\x00now\n")))
	f = step("binary removed", f.with("bin", file{}))
	f = step("submodule moved", f.with("sub", sub2))
	f = step("submodule to file", f.with("sub", regular("a\nb\n")))
	f = step("file to symlink", f.with("sub", file{filemode.Symlink, "a.b"}))
	f = step("link retargeted", f.with("link", file{filemode.Symlink, "a/deep"}))
	f = step("rename", f.with("a/deep/er/f.txt", file{}).with("a/moved.txt", regular("x\n")))
	f = step("file to directory", f.with("a.b", file{}).with("a.b/c", regular("1\n2\n")))
	f = step("directory to file", f.with("a.b/c", file{}).with("a.b", regular("1\n2\n3\n")))
	f = step("end of line added", f.with("no-end", regular("last line has no end\n")))
	f = step("line ends changed", f.with("README", file{filemode.Executable, "one\r\n2\r\nthree\nfour\n"}))
	f = step("empty filled", f.with("empty", regular("\n\n\n")))
	f = step("empty again", f.with("empty", regular("")))
	f = step("nothing", f)
	f = step("late zero byte", f.with("late", regular(strings.Repeat("0123456\n", 1000)+"\x00\n")))
	fork := last[0]
	left := f.with("left", regular("l\n"))
	step("left", left)
	other := r.commit(bob, now.Add(time.Minute), "right", f.with("right", regular("r\nr\n")), fork)
	last = append(last, other)
	step("merge", left.with("right", regular("r\nr\n")).with("evil", regular("only in the merge\n")))
	return r
}

// TestCommitCountsAsGit compares every number with git log --numstat.
func TestCommitCountsAsGit(t *testing.T) {
	for name, build := range map[string]func(*testing.T) *repository{
		"every kind of change": every,
		"random history":       func(t *testing.T) *repository { return random(t, 1, 120, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			r := build(t)
			host := r.open()
			want := numstat(t, r.dir)
			if len(want) < 20 {
				t.Fatalf("git lists %d commits", len(want))
			}
			for hash, lines := range want {
				out, err := host.Commit(ctx, subject, githost.CommitInput{Revision: &hash})
				must(t, err)
				if got := numstatLines(out.Commit); got != lines {
					t.Errorf("%s (%s):\ngot\n%s\nwant\n%s", hash, out.Commit.Subject, got, lines)
				}
			}
		})
	}
}

// numstat returns what git log --numstat prints for each commit.
func numstat(t *testing.T, dir string) map[string]string {
	out := map[string]string{}
	hash := ""
	for _, line := range gitLines(t, dir, "log", "--all", "--no-renames", "--numstat", "--format=commit %H") {
		if h, ok := strings.CutPrefix(line, "commit "); ok {
			hash = h
			out[hash] = ""
			continue
		}
		out[hash] += line + "\n"
	}
	return out
}

func numstatLines(c githost.CommitDetail) string {
	var b strings.Builder
	additions, deletions := 0, 0
	for _, f := range c.Files {
		if f.Binary {
			fmt.Fprintf(&b, "-\t-\t%s\n", f.Path)
			continue
		}
		fmt.Fprintf(&b, "%d\t%d\t%s\n", f.Additions, f.Deletions, f.Path)
		additions += f.Additions
		deletions += f.Deletions
	}
	if additions != c.Additions || deletions != c.Deletions || len(c.Files) != c.FilesChanged {
		b.WriteString("the totals are wrong\n")
	}
	return b.String()
}

// random builds a history with branches and merges. Dates are in order unless
// skew says how many of ten commits lie about theirs.
func random(t *testing.T, seed uint64, n, skew int) *repository {
	r := newRepository(t)
	rnd := rand.New(rand.NewPCG(seed, 9))
	type tip struct {
		hash    plumbing.Hash
		content files
	}
	tips := []tip{{}}
	now := epoch
	for i := range n {
		// Some share a second: the order of those is git's to break.
		now = now.Add(time.Duration(rnd.IntN(3)) * time.Second)
		when := now
		if rnd.IntN(10) < skew {
			when = now.Add(time.Duration(rnd.IntN(200)-100) * time.Second)
		}
		at := rnd.IntN(len(tips))
		base := tips[at]
		var parents []plumbing.Hash
		if !base.hash.IsZero() {
			parents = append(parents, base.hash)
		}
		content := base.content
		if other := tips[rnd.IntN(len(tips))]; other.hash != base.hash && !other.hash.IsZero() && rnd.IntN(4) == 0 {
			parents = append(parents, other.hash)
			for p, f := range other.content {
				if rnd.IntN(2) == 0 {
					content = content.with(p, f)
				}
			}
		}
		if len(parents) < 2 || rnd.IntN(3) == 0 {
			path := fmt.Sprintf("d%d/f%d.txt", rnd.IntN(2), rnd.IntN(3))
			content = content.with(path, regular(shuffle(rnd, content[path].text)))
		}
		who := []person{ann, bob}[rnd.IntN(2)]
		made := tip{r.commit(who, when, "commit "+strconv.Itoa(i), content, parents...), content}
		if rnd.IntN(5) == 0 && len(tips) < 5 {
			tips = append(tips, made)
		} else {
			tips[at] = made
		}
	}
	var heads []plumbing.Hash
	for _, t := range tips {
		heads = append(heads, t.hash)
	}
	r.commit(ann, now.Add(time.Second), "octopus", tips[0].content, heads...)
	return r
}

func shuffle(rnd *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 1 + rnd.IntN(4) {
		at := rnd.IntN(len(lines))
		switch rnd.IntN(3) {
		case 0:
			lines[at] = fmt.Sprintf("text %d\n", rnd.IntN(20)) + lines[at]
		case 1:
			lines[at] = ""
		case 2:
			lines[at] = fmt.Sprintf("other %d\n", rnd.IntN(20))
		}
	}
	return strings.Join(lines, "")
}
