package githost_test

import (
	"strings"
	"testing"

	"github.com/codemode-go/codemode/tools/githost"
)

// FuzzArguments gives every text that a program can give. Errors are welcome;
// what was recovered from a panic is not.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{"", "HEAD~1^2", "main", "v1^{}", "abcd", "../..", "a/b", "2024-01-01", "eyJxIjp7fX0", "^", "~9999999999", "refs/heads/main", "\x00"} {
		f.Add(seed)
	}
	r := newRepository(f)
	r.line(4)
	host := r.open()
	f.Fuzz(func(t *testing.T, text string) {
		_, err1 := host.Commits(ctx, subject, githost.CommitsInput{Revision: &text, Limit: ptr(int64(2))})
		_, err2 := host.Commits(ctx, subject, githost.CommitsInput{Cursor: &text})
		_, err3 := host.Commits(ctx, subject, githost.CommitsInput{Path: &text, Author: &text, Since: &text, Until: &text})
		_, err4 := host.Commit(ctx, subject, githost.CommitInput{Revision: &text})
		_, err5 := host.Tree(ctx, subject, githost.TreeInput{Path: &text, Cursor: &text})
		_, err6 := host.File(ctx, subject, githost.FileInput{Path: text})
		_, err7 := host.Blame(ctx, subject, githost.BlameInput{Path: text})
		_, err8 := host.Diff(ctx, subject, githost.DiffInput{Base: text, Path: &text})
		_, err9 := host.DeleteBranch(ctx, subject, githost.DeleteBranchInput{Name: text})
		for i, err := range []error{err1, err2, err3, err4, err5, err6, err7, err8, err9} {
			if err != nil && strings.Contains(err.Error(), "damaged data") {
				t.Errorf("call %d: %v", i+1, err)
			}
		}
	})
}
