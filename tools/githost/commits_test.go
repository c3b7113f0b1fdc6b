package githost_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/tools/githost"
	"github.com/go-git/go-git/v5/plumbing"
)

// walk reads all pages of a query.
func walk(t *testing.T, host *githost.Host, in githost.CommitsInput, limit int64) []string {
	t.Helper()
	var all []string
	in.Limit = &limit
	for {
		out, err := host.Commits(ctx, subject, in)
		must(t, err)
		for _, c := range out.Commits {
			all = append(all, c.Hash)
		}
		if in.Cursor = out.NextCursor; in.Cursor == nil {
			return all
		}
	}
}

// TestCommitsEqualGitLog compares the order and the filters with git's.
func TestCommitsEqualGitLog(t *testing.T) {
	r := random(t, 3, 150, 0)
	host := r.open()
	middle := epoch.Add(80 * time.Second)
	for _, tt := range []struct {
		name string
		in   githost.CommitsInput
		git  []string
	}{
		{"all", githost.CommitsInput{}, nil},
		{"of a file", githost.CommitsInput{Path: ptr("d0/f1.txt")}, []string{"--", "d0/f1.txt"}},
		{"of a directory", githost.CommitsInput{Path: ptr("d1/")}, []string{"--", "d1"}},
		{"of a path that never was", githost.CommitsInput{Path: ptr("nowhere")}, []string{"--", "nowhere"}},
		{"by an author", githost.CommitsInput{Author: ptr("BOB@")}, []string{"-i", "--author=bob@"}},
		{"since", githost.CommitsInput{Since: ptr(middle.Format(time.RFC3339))}, []string{"--since=" + middle.Format(time.RFC3339)}},
		{"until", githost.CommitsInput{Until: ptr(middle.Format(time.RFC3339))}, []string{"--until=" + middle.Format(time.RFC3339)}},
		{"from a revision", githost.CommitsInput{Revision: ptr("HEAD~3^2")}, []string{"HEAD~3^2"}},
		{"author and path", githost.CommitsInput{Author: ptr("ann"), Path: ptr("d0")}, []string{"-i", "--author=ann", "--", "d0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.in.Revision != nil && !hasRevision(host, *tt.in.Revision) {
				tt.in.Revision, tt.git = ptr("HEAD~3"), []string{"HEAD~3"}
			}
			want := gitLines(t, r.dir, append([]string{"log", "--format=%H"}, tt.git...)...)
			for _, limit := range []int64{1000, 7, 1} {
				if got := walk(t, host, tt.in, limit); !slices.Equal(got, want) {
					t.Errorf("limit %d: got %d commits, want %d:\n%s\n%s", limit, len(got), len(want), strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		})
	}
}

func hasRevision(host *githost.Host, revision string) bool {
	_, err := host.Commit(ctx, subject, githost.CommitInput{Revision: &revision})
	return err == nil
}

// TestCursorSurvivesSkew: pages hold what one walk holds, also where commits claim
// to be older than their parents.
func TestCursorSurvivesSkew(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			host := random(t, seed, 60, int(seed)*2).open()
			for _, path := range []*string{nil, ptr("d0")} {
				in := githost.CommitsInput{Path: path}
				want := walk(t, host, in, 1000)
				for _, limit := range []int64{1, 2, 5, 13} {
					if got := walk(t, host, in, limit); !slices.Equal(got, want) {
						t.Errorf("limit %d: got %d commits, want %d", limit, len(got), len(want))
					}
				}
			}
		})
	}
}

// TestCommitsReadNoMoreThanNeeded removes what a page must not touch.
func TestCommitsReadNoMoreThanNeeded(t *testing.T) {
	r := newRepository(t)
	all := r.line(40)
	must(t, os.Remove(looseObject(r.dir, all[20]))) // the 20th from the top
	host := r.open()
	first, err := host.Commits(ctx, subject, githost.CommitsInput{Limit: ptr(int64(10))})
	must(t, err)
	if len(first.Commits) != 10 || first.NextCursor == nil {
		t.Fatalf("got %d commits and cursor %v", len(first.Commits), first.NextCursor)
	}
	if _, err := host.Commits(ctx, subject, githost.CommitsInput{Limit: ptr(int64(25))}); err == nil {
		t.Error("a page over the missing commit succeeds: the test shows nothing")
	}
	for _, h := range all[32:] {
		must(t, os.Remove(looseObject(r.dir, h)))
	}
	fresh := open(t, r.dir)
	second, err := fresh.Commits(ctx, subject, githost.CommitsInput{Limit: ptr(int64(5)), Cursor: first.NextCursor})
	must(t, err)
	if got, want := second.Commits[0].Hash, all[29].String(); got != want {
		t.Errorf("the second page begins with %s, want %s", got, want)
	}
}

func TestCommitFields(t *testing.T) {
	r := newRepository(t)
	zone := time.FixedZone("", 2*3600)
	h := r.commit(ann, time.Date(2024, 5, 6, 1, 30, 0, 0, zone), "subject line\nthat goes on\n\nbody\n", files{"f": regular("1\n")})
	host := r.open()
	list, err := host.Commits(ctx, subject, githost.CommitsInput{})
	must(t, err)
	got := list.Commits[0]
	if got.Hash != h.String() || got.Author != ann.name || got.Email != ann.email ||
		got.Date != "2024-05-05T23:30:00Z" || got.Subject != "subject line that goes on" || got.Parents == nil {
		t.Errorf("got %+v", got)
	}
	one, err := host.Commit(ctx, subject, githost.CommitInput{})
	must(t, err)
	if c := one.Commit; c.Message != "subject line\nthat goes on\n\nbody\n" || c.Merge || c.FilesChanged != 1 || c.Files[0].Status != "added" {
		t.Errorf("got %+v", c)
	}
}

// TestOddCommits: what git shows of commits that no git of today would make.
func TestOddCommits(t *testing.T) {
	r := newRepository(t)
	tree := r.tree(files{}).String()
	for _, tt := range []struct{ name, text, author, date, subject string }{
		{"another encoding", "author M\xfcller <m@example.com> 1700000000 +0000\ncommitter C <c@example.com> 1700000000 +0000\nencoding ISO-8859-1\n\nsch\xf6n\n", "Müller", "2023-11-14T22:13:20Z", "schön"},
		{"an encoding that nobody knows", "author M <m@example.com> 1700000000 +0000\ncommitter C <c@example.com> 1700000000 +0000\nencoding x-none\n\ntext\n", "M", "2023-11-14T22:13:20Z", "text"},
		{"a date that is none", "author M <m@example.com> yesterday\ncommitter C <c@example.com> then\n\ntext\n", "M", "1970-01-01T00:00:00Z", "text"},
		{"nobody", "author <> 1 +0000\ncommitter <> 1 +0000\n\n\n\ntext", "", "1970-01-01T00:00:01Z", "text"},
		{"no message", "author M <m@example.com> 1700000000 +0000\ncommitter C <c@example.com> 1700000000 +0000\n", "M", "2023-11-14T22:13:20Z", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			obj := r.Storer.NewEncodedObject()
			obj.SetType(plumbing.CommitObject)
			w, err := obj.Writer()
			must(t, err)
			_, err = w.Write([]byte("tree " + tree + "\n" + tt.text))
			must(t, err)
			must(t, w.Close())
			r.point("refs/heads/main", r.write(obj))
			out, err := r.open().Commits(ctx, subject, githost.CommitsInput{})
			must(t, err)
			if c := out.Commits[0]; c.Author != tt.author || c.Date != tt.date || c.Subject != tt.subject {
				t.Errorf("got %q, %q, %q", c.Author, c.Date, c.Subject)
			}
		})
	}
}

func TestCommitsRefuse(t *testing.T) {
	r := newRepository(t)
	r.line(5)
	host := r.open()
	page, err := host.Commits(ctx, subject, githost.CommitsInput{Limit: ptr(int64(1)), Author: ptr("e")})
	must(t, err)
	for _, tt := range []struct {
		name string
		in   githost.CommitsInput
		want error
	}{
		{"a revision that is not there", githost.CommitsInput{Revision: ptr("nope")}, githost.ErrRevision},
		{"limit 0", githost.CommitsInput{Limit: ptr(int64(0))}, githost.ErrArgument},
		{"limit beyond the most", githost.CommitsInput{Limit: ptr(int64(1001))}, githost.ErrArgument},
		{"a date that is none", githost.CommitsInput{Since: ptr("yesterday")}, githost.ErrArgument},
		{"a path outside", githost.CommitsInput{Path: ptr("a/../../b")}, githost.ErrArgument},
		{"an absolute path", githost.CommitsInput{Path: ptr("/etc/passwd")}, githost.ErrArgument},
		{"a cursor that is none", githost.CommitsInput{Cursor: ptr("x")}, githost.ErrArgument},
		{"a cursor of another query", githost.CommitsInput{Cursor: page.NextCursor, Author: ptr("bob")}, githost.ErrArgument},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := host.Commits(ctx, subject, tt.in); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
	if _, err := host.Commits(ctx, subject, githost.CommitsInput{Cursor: page.NextCursor}); err != nil {
		t.Errorf("a cursor alone: %v", err)
	}
}
