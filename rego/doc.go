// Package rego decides with policies written in Rego, evaluated in process by
// Open Policy Agent.
//
//	//go:embed policy.rego
//	var policy string
//
//	authorizer, err := rego.New(ctx, "data.codemode.authz.allow", map[string]string{"policy.rego": policy})
//	if err != nil {
//		log.Fatal(err)
//	}
//	builder := codemode.New(codemode.Options{Authorizer: authorizer})
//
// with a policy such as
//
//	package codemode.authz
//
//	default allow := false
//
//	allow if {
//		input.capability.id == "records.entry.lookup"
//		input.arguments.owner == input.subject.id
//	}
//
// # The decision
//
// The decision is one reference into data. New compiles the modules and
// prepares it; each call evaluates it once, and its value is the decision:
//
//	true               the call goes ahead
//	false              [authz.ErrDenied]
//	undefined          an ordinary error: rego: decision is undefined
//	not Boolean        an ordinary error: rego: decision must be boolean
//	evaluation failed  an ordinary error that wraps OPA's
//	context ended      the error of the context
//
// Only false is a denial. The other failures are mistakes, of the policy or of
// whoever wired it up, and codemode reports them as such: authorization policy
// failure. So a policy should be total. With default allow := false what no
// rule mentions is denied on purpose.
//
// # The input
//
// A policy sees one call, and nothing else of it than this:
//
//	{
//		"subject":    {"id": "alice"},
//		"capability": {"id": "records.entry.lookup", "name": "records.lookup"},
//		"arguments":  {"key": "alpha", "limit": 2}
//	}
//
// The capability's ID is stable and meant for policies; its name is what
// programs write. Arguments have been validated. One that was omitted or given
// as None is absent, so a condition on it does not hold unless the policy says
// what absence means. Integers keep every digit over the whole range of int64;
// a float that is whole equals the integer. Strings never equal numbers.
//
// # What a policy cannot do
//
// The same call gets the same answer. Every builtin that OPA marks
// nondeterministic is gone: those that ask the network, the clock, the
// environment or chance. Which those are is OPA's word, so a new OPA version
// may remove more, and a policy that uses one does not compile. Nothing is
// loaded either: a schema named in metadata is not fetched, and one written
// there is refused if it refers to another host or to a file. print is erased.
// A builtin that fails, such as a division by zero or text of a model that is
// no regular expression, fails the evaluation instead of counting as a
// condition that does not hold, which under a not would allow.
//
// # Policies are trusted
//
// The modules are code of the host: they run in its process, and one that takes
// an hour takes the hour, until the context of the call ends. Do not compile
// policies that clients send.
//
// # Concurrency
//
// An [Authorizer] is immutable and safe for concurrent use. A changed policy is
// a new Authorizer.
//
// # What it is not
//
// There is no policy server, no bundle, no data document beside the modules, no
// decision log. Lists that policies need are modules too. Package regotest
// tests policies and tells which rule decided.
package rego
