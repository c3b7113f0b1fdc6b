// Package regotest tests a Rego policy from an ordinary go test: a table of
// calls with the outcome that each should have, and, for every one of them, the
// rule that decided.
//
//	func TestPolicy(t *testing.T) {
//		policy := regotest.New(t, "data.codemode.authz.allow", regotest.Files(t, "policy/*.rego"))
//		policy.Run(t, []regotest.Case{
//			{Name: "readers look up", Subject: "alice", Capability: "records.entry.lookup",
//				Want: regotest.Allow, Rule: "readers may look up"},
//			{Name: "nobody else", Subject: "mallory", Capability: "records.entry.lookup",
//				Want: regotest.Deny},
//		})
//		for _, rule := range policy.Idle() {
//			t.Errorf("no case needs %v", rule)
//		}
//	}
//
// # Outcomes
//
// The policy is compiled and evaluated by the code behind rego.New and
// Authorize, so what passes here is what will be enforced. The outcomes are
// those of Authorize, in the terms of a policy author:
//
//	Allow       true
//	Deny        false
//	Undefined   no rule gave a value; enforced as a policy failure
//	NotBoolean  a rule gave something else than true or false; a policy failure
//	Fail        the evaluation failed, in a builtin or because rules contradict each other
//
// # Which rule decided
//
// Every evaluation is traced. [Explanation.Deciding] lists the rules whose
// value became the decision, [Explanation.Helping] the other rules that held on
// the way. Where several rules would give the same value OPA stops at the first
// that holds, and only that one is listed. A rule is named by its place,
// policy.rego:7, or by the title in its metadata, which survives edits above
// it:
//
//	# METADATA
//	# title: readers may look up
//	allow if input.subject.id in readers
//
// # What it is not
//
// It does not start a codemode server: arguments are given as they reach the
// authorizer, after binding. It does not run Rego's own tests (test_ rules);
// `opa test` does. A [Policy] is safe for concurrent use, so cases may run in
// parallel.
package regotest
