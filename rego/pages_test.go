package rego_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/rego/regotest"
)

var fencedRego = regexp.MustCompile("(?ms)^```rego\n(.*?)^```$")

// pagePolicies returns the policies in POLICIES.md by the heading above each.
func pagePolicies(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile("POLICIES.md")
	if err != nil {
		t.Fatal(err)
	}
	policies := make(map[string]string)
	for section := range strings.SplitSeq(strings.ReplaceAll(string(page), "\r\n", "\n"), "\n## ") {
		heading, text, _ := strings.Cut(section, "\n")
		for _, match := range fencedRego.FindAllStringSubmatch(text, -1) {
			policies[heading] += match[1]
		}
	}
	return policies
}

func TestPagePolicies(t *testing.T) {
	const lookup, update, purge = "records.entry.lookup", "records.entry.update", "records.entry.purge"
	own := func(owner string) map[string]any { return map[string]any{"owner": owner} }
	limited := func(limit int64) map[string]any { return map[string]any{"owner": "bob", "limit": limit} }
	const editorsRule, ownRule = "editors may do everything with records", "everybody may look up their own records"
	tables := map[string][]regotest.Case{
		"Per subject": {
			{Subject: "alice", Capability: lookup, Want: regotest.Allow},
			{Subject: "bob", Capability: purge, Want: regotest.Allow},
			{Subject: "mallory", Capability: lookup, Want: regotest.Deny},
			{Subject: "Alice", Capability: lookup, Want: regotest.Deny},
		},
		"Per capability": {
			{Subject: "alice", Capability: update, Want: regotest.Allow},
			{Subject: "alice", Capability: purge, Want: regotest.Deny},
			{Subject: "bob", Capability: lookup, Want: regotest.Allow},
			{Subject: "bob", Capability: update, Want: regotest.Deny},
			{Subject: "mallory", Capability: lookup, Want: regotest.Deny},
			{Name: "the name does not count", Subject: "bob", Capability: purge, CapabilityName: lookup, Want: regotest.Deny},
		},
		"Per argument": {
			{Subject: "bob", Capability: lookup, Arguments: own("bob"), Want: regotest.Allow},
			{Subject: "bob", Capability: lookup, Arguments: own("alice"), Want: regotest.Deny},
			{Name: "no owner", Subject: "bob", Capability: lookup, Want: regotest.Deny},
			{Name: "small limit", Subject: "bob", Capability: lookup, Arguments: limited(100), Want: regotest.Allow},
			{Name: "large limit", Subject: "bob", Capability: lookup, Arguments: limited(101), Want: regotest.Deny},
		},
		"Together": {
			{Subject: "alice", Capability: purge, Want: regotest.Allow, Rule: editorsRule},
			{Name: "not everything", Subject: "alice", Capability: "accounts.purge", Want: regotest.Deny, Rule: "policy.rego:3"},
			{Subject: "bob", Capability: lookup, Arguments: own("bob"), Want: regotest.Allow, Rule: ownRule},
			{Subject: "bob", Capability: purge, Arguments: own("bob"), Want: regotest.Deny},
			{Name: "large limit", Subject: "bob", Capability: lookup, Arguments: limited(101), Want: regotest.Deny},
		},
	}
	policies := pagePolicies(t)
	if len(policies) != len(tables) {
		t.Errorf("got %d policies, want %d", len(policies), len(tables))
	}
	for heading, cases := range tables {
		t.Run(heading, func(t *testing.T) {
			policy := regotest.New(t, decision, map[string]string{"policy.rego": policies[heading]})
			policy.Run(t, cases)
			for _, rule := range policy.Idle() {
				t.Errorf("no case needs %v", rule)
			}
		})
	}
}

// TestReadmePolicy runs the policy that the README shows.
func TestReadmePolicy(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "map[string]string{\"policy.rego\": `")
	module, _, found := strings.Cut(rest, "`}")
	if !found {
		t.Fatal("no policy in the README")
	}
	regotest.New(t, decision, map[string]string{"policy.rego": module}).Run(t, []regotest.Case{
		{Name: "own", Subject: "bob", Capability: "records.entry.lookup", Arguments: map[string]any{"owner": "bob"}, Want: regotest.Allow},
		{Name: "other", Subject: "bob", Capability: "records.entry.lookup", Arguments: map[string]any{"owner": "alice"}, Want: regotest.Deny},
	})
}
