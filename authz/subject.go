package authz

import "context"

// A SubjectID is a stable, non-secret, authenticated identity. Empty means
// unauthenticated. It is compared exactly, in case too: whoever makes it settles
// on one spelling.
type SubjectID string

// A Subject is the trusted identity on whose behalf a program runs. It never
// holds a credential. The zero value is unauthenticated.
type Subject struct {
	ID SubjectID
}

type subjectKey struct{}

// WithSubject returns a context that carries subject, in place of one that ctx
// may carry. It authenticates nobody: authentication middleware calls it after it has
// validated the caller's credentials. ctx must not be nil.
func WithSubject(ctx context.Context, subject Subject) context.Context {
	return context.WithValue(ctx, subjectKey{}, subject)
}

// SubjectFromContext returns the subject that [WithSubject] stored in ctx and
// reports whether there was one. A subject that was stored without an ID is one
// that was stored: check the ID too. ctx must not be nil.
func SubjectFromContext(ctx context.Context) (Subject, bool) {
	subject, ok := ctx.Value(subjectKey{}).(Subject)
	return subject, ok
}
