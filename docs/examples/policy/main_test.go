package main

import (
	"testing"

	"github.com/codemode-go/codemode/docs/internal/hosttest"
	"github.com/codemode-go/codemode/rego/regotest"
)

func TestMain(m *testing.M) { hosttest.Main(m, main) }

// TestPolicy decides a table of calls without a host. Every rule has a case
// that needs it.
func TestPolicy(t *testing.T) {
	policy := regotest.New(t, "data.library.authz.allow", regotest.Files(t, "policy.rego"))
	own := map[string]any{"reader": "ada", "book": int64(1)}
	long := map[string]any{"reader": "ada", "book": int64(1), "days": int64(22)}
	policy.Run(t, []regotest.Case{
		{Subject: "ada", Capability: "books.find", Want: regotest.Allow, Rule: "everybody may look for books"},
		{Subject: "ada", Capability: "books.borrow", Arguments: own, Want: regotest.Allow},
		{Subject: "ada", Capability: "books.borrow", Arguments: long, Want: regotest.Deny},
		{Subject: "mary", Capability: "books.borrow", Arguments: own, Want: regotest.Deny},
		{Subject: "grace", Capability: "books.borrow", Arguments: long, Want: regotest.Allow, Rule: "librarians may do everything with books"},
		{Subject: "grace", Capability: "users.delete", Want: regotest.Deny},
	})
	for _, rule := range policy.Idle() {
		t.Errorf("no case needs %v", rule)
	}
}

func TestHostObeysThePolicy(t *testing.T) {
	ada := hosttest.Start(t, "-as", "ada")
	ada.Returns(t, `
def main():
    book = books.find(title="engine")["books"][0]
    return books.borrow(book=book["id"], reader="ada")
`, `{"days": 21}`)
	ada.Fails(t, `def main(): return books.borrow(book=2, reader="mary")`, "permission denied")
	ada.Fails(t, `def main(): return books.borrow(book=2, reader="ada", days=365)`, "permission denied")

	grace := hosttest.Start(t, "-as", "grace")
	grace.Returns(t, `def main(): return books.borrow(book=2, reader="mary", days=365)`, `{"days": 365}`)
}
