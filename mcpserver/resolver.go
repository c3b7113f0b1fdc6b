package mcpserver

import (
	"context"
	"fmt"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// An InvocationResolver tells on whose behalf a tool is called. Resolve runs
// once for every valid tools/call, before the service is asked anything. An
// error, or a subject without ID, ends the call as "unauthenticated".
//
// The subject must come from what the host trusts, such as verified
// credentials, and never from what a client controls: tool arguments, program
// text or _meta. It must not contain credentials.
type InvocationResolver interface {
	Resolve(ctx context.Context) (authz.Subject, error)
}

// StaticSubject returns a resolver that always names subject. It is for
// transports on which owning the process is the authentication, such as a
// local stdio server; a host with several users must not use it.
func StaticSubject(subject authz.Subject) InvocationResolver { return staticSubject{subject} }

type staticSubject struct{ subject authz.Subject }

func (s staticSubject) Resolve(context.Context) (authz.Subject, error) { return s.subject, nil }

// ContextSubject returns a resolver that reads what the host's authentication
// stored with [authz.WithSubject].
//
// Store it where every request passes. Over streamable HTTP with sessions the
// SDK hands a tool the context of the request that opened the session, so
// HTTP middleware alone is enough only in stateless mode; a receiving
// middleware of the MCP server sees the token of each request in both.
func ContextSubject() InvocationResolver { return contextSubject{} }

type contextSubject struct{}

func (contextSubject) Resolve(ctx context.Context) (authz.Subject, error) {
	subject, ok := authz.SubjectFromContext(ctx)
	if !ok {
		return authz.Subject{}, fmt.Errorf("%w: the context has no subject; the host stores one with authz.WithSubject", codemode.ErrUnauthenticated)
	}
	return subject, nil
}
