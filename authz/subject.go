package authz

import "context"

// A SubjectID is a stable, non-secret, authenticated identity. Empty means
// unauthenticated.
type SubjectID string

// A Subject is the trusted identity on whose behalf a program runs. It never
// holds a credential.
type Subject struct {
	ID SubjectID
}

type subjectKey struct{}

// WithSubject returns a context that carries subject. Authentication
// middleware calls it after it has validated the caller's credentials.
func WithSubject(ctx context.Context, subject Subject) context.Context {
	return context.WithValue(ctx, subjectKey{}, subject)
}

// SubjectFromContext returns the subject that [WithSubject] stored in ctx and
// reports whether there was one.
func SubjectFromContext(ctx context.Context) (Subject, bool) {
	subject, ok := ctx.Value(subjectKey{}).(Subject)
	return subject, ok
}
