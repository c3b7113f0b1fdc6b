package authz_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/codemode-go/codemode/authz"
)

var (
	_ authz.Authorizer = authz.AllowAllAuthorizer{}
	_ authz.Authorizer = authz.AllowAll()
	_ authz.Authorizer = authz.AuthorizerFunc(nil)
)

func TestSubjectFromContext(t *testing.T) {
	type foreignKey struct{}
	ctx := t.Context()
	alice, bob := authz.Subject{ID: "alice"}, authz.Subject{ID: "bob"}
	tests := map[string]struct {
		ctx   context.Context
		want  authz.Subject
		found bool
	}{
		"nothing stored":                     {ctx, authz.Subject{}, false},
		"stored":                             {authz.WithSubject(ctx, alice), alice, true},
		"the latest counts":                  {authz.WithSubject(authz.WithSubject(ctx, alice), bob), bob, true},
		"an empty subject is present":        {authz.WithSubject(ctx, authz.Subject{}), authz.Subject{}, true},
		"the key is private":                 {context.WithValue(ctx, foreignKey{}, alice), authz.Subject{}, false},
		"other values do not get in the way": {context.WithValue(authz.WithSubject(ctx, alice), foreignKey{}, bob), alice, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, found := authz.SubjectFromContext(test.ctx)
			if got != test.want || found != test.found {
				t.Errorf("got %v, %v, want %v, %v", got, found, test.want, test.found)
			}
		})
	}
}

func TestWithSubjectLeavesTheParentAlone(t *testing.T) {
	parent := authz.WithSubject(t.Context(), authz.Subject{ID: "alice"})
	_ = authz.WithSubject(parent, authz.Subject{ID: "bob"})
	if got, _ := authz.SubjectFromContext(parent); got.ID != "alice" {
		t.Errorf("got %v, want alice", got)
	}
}

// TestSubjectHoldsAnIDOnly keeps credentials, and whatever else is tempting, out of Subject.
func TestSubjectHoldsAnIDOnly(t *testing.T) {
	subject := reflect.TypeFor[authz.Subject]()
	if subject.NumField() != 1 || subject.Field(0).Name != "ID" || subject.Field(0).Type != reflect.TypeFor[authz.SubjectID]() {
		t.Errorf("got %v, want one field ID of type SubjectID", subject)
	}
}

func TestAllowAll(t *testing.T) {
	for _, input := range []authz.AuthorizationInput{{}, {Subject: authz.Subject{ID: "alice"}, CapabilityID: "admin.purge"}} {
		if err := authz.AllowAll().Authorize(t.Context(), input); err != nil {
			t.Errorf("%+v: got %v, want nil", input, err)
		}
	}
}

func TestAuthorizerFunc(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, "value")
	input := authz.AuthorizationInput{
		Subject:        authz.Subject{ID: "alice"},
		CapabilityID:   "records.entry.lookup",
		CapabilityName: "records.lookup",
		Arguments:      map[string]any{"key": "alpha"},
	}
	for name, want := range map[string]error{
		"allows": nil,
		"denies": fmt.Errorf("not on Sundays: %w", authz.ErrDenied),
		"fails":  errors.New("directory is down"),
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			authorizer := authz.AuthorizerFunc(func(gotContext context.Context, gotInput authz.AuthorizationInput) error {
				calls++
				if gotContext != ctx || !reflect.DeepEqual(gotInput, input) {
					t.Errorf("got %v, %v, want %v, %v", gotContext, gotInput, ctx, input)
				}
				return want
			})
			if err := authorizer.Authorize(ctx, input); err != want {
				t.Errorf("got %v, want %v", err, want)
			}
			if calls != 1 {
				t.Errorf("got %d calls, want 1", calls)
			}
		})
	}
}

func TestNilAuthorizerFuncDecidesNothing(t *testing.T) {
	err := authz.AuthorizerFunc(nil).Authorize(t.Context(), authz.AuthorizationInput{})
	if err == nil || errors.Is(err, authz.ErrDenied) {
		t.Errorf("got %v, want an error that is not a denial", err)
	}
}
