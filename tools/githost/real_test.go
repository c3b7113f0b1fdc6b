package githost_test

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/tools/githost"
)

// TestRealRepository compares with git on a repository of yours:
//
//	GITHOST_REPOSITORY=~/src/linux go test -run RealRepository -v ./githost
func TestRealRepository(t *testing.T) {
	dir := os.Getenv("GITHOST_REPOSITORY")
	if dir == "" {
		t.Skip("GITHOST_REPOSITORY names no repository to compare with git")
	}
	host := open(t, dir)
	began := time.Now()
	first, err := host.Commits(ctx, subject, githost.CommitsInput{Limit: ptr(int64(200))})
	must(t, err)
	t.Logf("first page of %d commits: %v", len(first.Commits), time.Since(began))

	began = time.Now()
	got := walk(t, host, githost.CommitsInput{}, 1000)
	t.Logf("all %d commits: %v", len(got), time.Since(began))
	if want := gitLines(t, dir, "log", "--format=%H"); !slices.Equal(got, want) {
		t.Errorf("got %d commits, git has %d, or in another order", len(got), len(want))
	}

	want := numstat(t, dir)
	began = time.Now()
	for i, hash := range got {
		out, err := host.Commit(ctx, subject, githost.CommitInput{Revision: &hash, Limit: ptr(int64(5000))})
		must(t, err)
		if got := numstatLines(out.Commit); got != want[hash] && !out.Commit.FilesTruncated {
			t.Errorf("%s: got\n%s\nwant\n%s", hash, got, want[hash])
		}
		if i == 199 {
			t.Logf("200 commits with their files: %v", time.Since(began))
		}
	}
	t.Logf("%d commits with their files: %v", len(got), time.Since(began))
}
