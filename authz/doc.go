// Package authz defines on whose behalf a program runs and whether a call that
// it makes may go ahead.
//
//	// Who calls: the host's authentication says so, once per request.
//	ctx = authz.WithSubject(ctx, authz.Subject{ID: "user-17"})
//
//	// What may be called: the host's policy says so, once per call.
//	policy := authz.AuthorizerFunc(func(_ context.Context, in authz.AuthorizationInput) error {
//		if in.CapabilityID == "records.entry.lookup" && in.Arguments["owner"] == string(in.Subject.ID) {
//			return nil
//		}
//		return authz.ErrDenied // what is not named is denied
//	})
//
// # Subjects
//
// A [Subject] is who, never what proves it. Its ID is stable, so that a policy
// and an audit log mean the same caller next month, and it is no secret,
// because it is handed to policies, handlers and observers and may end up in
// any log of theirs. It is a word of the host's: never taken from tool
// arguments, from the program, or from anything else that the client chose.
//
// What never belongs in it: passwords, tokens, cookies, API keys, session
// identifiers that still open a session, and anything that would have to be
// removed from a log. A handler that needs a credential to act for the subject
// looks it up in the host by the subject's ID. Roles, groups and tenants do not
// belong in it either; the policy finds them by ID, so that a change counts
// from the next call on.
//
// # Decisions
//
// An [Authorizer] decides on one call of one capability, after the arguments
// have been bound to their types and before the handler runs:
//
//	return value          meaning                       the program sees
//	nil                   the call goes ahead           the result
//	wraps [ErrDenied]     a decision: no                permission denied
//	any other error       no decision could be made     authorization policy failure
//
// In the last two rows the handler does not run, and the text of the error
// stays in the host. An authorizer that panics is one that could not decide.
//
// # What a good policy looks at
//
// The subject, the capability's stable ID rather than its name, and the
// arguments. Names are for programs and may change with the documentation; IDs
// are for policy. Arguments are what makes the difference between reading one's
// own record and anybody's, and they have arrived in one canonical form:
// whatever the program wrote, there is one key per given argument, an omitted
// one and None are both absent, integers are int64.
//
// A good policy names what is allowed and denies the rest, since capabilities
// are added later than policies. It depends on nothing but its input, or on
// data that the host keeps at hand: it runs for every call of every loop. It
// says [ErrDenied] only when it means it; a directory that is down is an error
// of its own, so that an operator sees an outage and not a wave of denials. And
// it leaves hiding to the host: a capability that nobody may call is better
// disabled than denied.
//
// # Concurrency
//
// Everything here is safe for concurrent use, and an [Authorizer] has to be:
// programs run side by side.
//
// # What it is not
//
// It authenticates nobody and keeps no sessions, users or roles. Policies
// written in Rego come with the module rego; any other engine fits behind
// [Authorizer].
package authz
