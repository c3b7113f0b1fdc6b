package githost_test

import (
	"testing"

	"github.com/codemode-go/codemode/tools/githost"
)

// The history is one of small files. For numbers of a repository of yours, see
// TestRealRepository.
func benchmarkHost(b *testing.B) *githost.Host {
	r := newRepository(b)
	r.line(300)
	return r.open()
}

func BenchmarkCommits(b *testing.B) {
	host := benchmarkHost(b)
	for b.Loop() {
		if _, err := host.Commits(ctx, subject, githost.CommitsInput{Limit: ptr(int64(200))}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCommit(b *testing.B) {
	host := benchmarkHost(b)
	for b.Loop() {
		if _, err := host.Commit(ctx, subject, githost.CommitInput{Revision: ptr("HEAD~20")}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBlame(b *testing.B) {
	host := benchmarkHost(b)
	for b.Loop() {
		if _, err := host.Blame(ctx, subject, githost.BlameInput{Path: "f.txt"}); err != nil {
			b.Fatal(err)
		}
	}
}
