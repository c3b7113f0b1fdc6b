package githost_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/tools/githost"
	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// A host over a repository is a builder, the host's capabilities, and a server.
func Example() {
	dir, err := repositoryOfOneCommit()
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	host, err := githost.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	builder := codemode.New(codemode.Options{Authorizer: authz.AllowAll(), ReadOnly: true})
	host.Register(builder)
	server, err := builder.Build()
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()

	result, err := server.Execute(context.Background(), authz.Subject{ID: "ann"}, `
def main():
    commits = repo.commits(author="ann")["commits"]
    return [repo.commit(revision=c["hash"])["commit"]["subject"] for c in commits]
`)
	fmt.Println(result, err)
	// Output: [first words] <nil>
}

func repositoryOfOneCommit() (string, error) {
	dir, err := os.MkdirTemp("", "githost")
	if err != nil {
		return "", err
	}
	r, err := git.PlainInit(dir, false)
	if err != nil {
		return "", err
	}
	tree, err := r.Worktree()
	if err != nil {
		return "", err
	}
	_, err = tree.Commit("first words", &git.CommitOptions{
		AllowEmptyCommits: true,
		Author:            &object.Signature{Name: "Ann", Email: "ann@example.com", When: epoch},
	})
	return dir, err
}
