package search_test

import (
	"fmt"

	"github.com/codemode-go/codemode/search"
)

func Example() {
	index, err := search.New([]search.Document{
		{Name: "records.lookup", Terms: []string{"fetch entry"}, Summary: "Look up one record by key."},
		{Name: "records.list", Summary: "List all records."},
		{Name: "GitHub.Pulls.createReview", Summary: "Create a review of a pull request."},
	}, search.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, query := range []string{"record", "fetch an entry", "github review", "sql"} {
		matches, total, err := index.Search(query, 20)
		fmt.Println(query, "→", total, err)
		for _, m := range matches {
			fmt.Println("  ", m.Name)
		}
	}
	// Output:
	// record → 2 <nil>
	//    records.lookup
	//    records.list
	// fetch an entry → 1 <nil>
	//    records.lookup
	// github review → 1 <nil>
	//    GitHub.Pulls.createReview
	// sql → 0 <nil>
}

// Every rune that is neither a letter nor a digit separates; whitespace around
// the text is one more separator.
func ExampleTokenize_separators() {
	fmt.Printf("%q\n", search.Tokenize("  pull_request.state-of: résumé 🚀\u2003"))
	// A combining mark is neither.
	fmt.Printf("%q\n", search.Tokenize("re\u0301sume\u0301"))
	// Output:
	// ["pull" "request" "state" "of" "résumé"]
	// ["re" "sume"]
}

// A lower-case letter before an upper-case letter ends a token.
func ExampleTokenize_camelCase() {
	fmt.Printf("%q\n", search.Tokenize("createReview"))
	// Output: ["create" "review"]
}

// The last of several upper-case letters starts the word that follows.
func ExampleTokenize_acronyms() {
	fmt.Printf("%q\n", search.Tokenize("HTTPServer parseURL"))
	// Output: ["http" "server" "parse" "url"]
}

// Letters and digits are apart, either way round, digits of all scripts alike.
func ExampleTokenize_numbers() {
	fmt.Printf("%q\n", search.Tokenize("oauth2 2fa k8s صفحة٣"))
	// Output: ["oauth" "2" "2" "fa" "k" "8" "s" "صفحة" "٣"]
}

// Tokens are in lower case, rune by rune; nothing is folded or stemmed.
func ExampleTokenize_lowerCase() {
	fmt.Printf("%q\n", search.Tokenize("README İstanbul Straße pulls"))
	// Output: ["readme" "istanbul" "straße" "pulls"]
}

// A run of letters is one token in every script.
func ExampleTokenize_otherScripts() {
	fmt.Printf("%q\n", search.Tokenize("查询记录 session管理"))
	// Output: ["查询记录" "session管理"]
}

// The relaxed mode takes whole requests, other forms of a word, and words
// inside a run of Han.
func ExampleOptions_relaxed() {
	index, err := search.New([]search.Document{
		{Name: "billing.visualize", Summary: "Visualize revenue."},
		{Name: "archive.find", Summary: "查询记录"},
	}, search.Options{Relaxed: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, query := range []string{"could you please help me by visualizing what we earn", "记录"} {
		matches, _, _ := index.Search(query, 1)
		fmt.Println(matches[0].Name)
	}
	// Output:
	// billing.visualize
	// archive.find
}

func ExampleIndex_Explain() {
	index, err := search.New([]search.Document{
		{Name: "crm.contacts", Summary: "List contacts."},
		{Name: "crm.company", Summary: "Get a company."},
	}, search.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	explanation, err := index.Explain("contacts for a company", "crm.company")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(explanation)
	// Output:
	// crm.company: not eligible, holds 1 of 2 tokens, needs 2
	//   contacts: 0.000, documents with it: 1
	//   company: 3.214, documents with it: 1
	//     exact match of "company" in name, summary
}

func ExampleLint() {
	for _, finding := range search.Lint([]search.Document{
		{Name: "admin.xqz", Summary: "Purge stale sessions."},
		{Name: "admin.users", Summary: "List users."},
	}) {
		fmt.Println(finding)
	}
	// Output: admin.xqz: neither summary nor description has a word of "xqz" (unexplained-name)
}
