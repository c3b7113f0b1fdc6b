package authz_test

import (
	"context"
	"testing"

	"github.com/codemode-go/codemode/authz"
)

func BenchmarkSubjectFromContext(b *testing.B) {
	ctx := authz.WithSubject(b.Context(), authz.Subject{ID: "alice"})
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := authz.SubjectFromContext(ctx); !ok {
			b.Fatal("no subject")
		}
	}
}

func BenchmarkAuthorizerFunc(b *testing.B) {
	var authorizer authz.Authorizer = authz.AuthorizerFunc(func(context.Context, authz.AuthorizationInput) error { return nil })
	input := authz.AuthorizationInput{Subject: authz.Subject{ID: "alice"}, CapabilityID: "records.entry.lookup"}
	b.ReportAllocs()
	for b.Loop() {
		if err := authorizer.Authorize(b.Context(), input); err != nil {
			b.Fatal(err)
		}
	}
}
