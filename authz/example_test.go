package authz_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/codemode-go/codemode/authz"
)

// Everybody may look up their own record, and admins anybody's. What the policy does not name is
// denied.
func ExampleAuthorizerFunc() {
	admins := map[authz.SubjectID]bool{"root": true}
	policy := authz.AuthorizerFunc(func(_ context.Context, in authz.AuthorizationInput) error {
		switch in.CapabilityID {
		case "records.entry.lookup":
			if admins[in.Subject.ID] || in.Arguments["owner"] == string(in.Subject.ID) {
				return nil
			}
		case "records.entry.purge":
			if admins[in.Subject.ID] {
				return nil
			}
		}
		return authz.ErrDenied
	})

	for _, owner := range []string{"alice", "bob"} {
		err := policy.Authorize(context.Background(), authz.AuthorizationInput{
			Subject:      authz.Subject{ID: "alice"},
			CapabilityID: "records.entry.lookup",
			Arguments:    map[string]any{"owner": owner},
		})
		fmt.Println(owner, err)
	}
	// Output:
	// alice <nil>
	// bob permission denied
}

// A denial may say why, for the logs of the host: whoever made the call learns only
// that it was denied. A policy that cannot decide says so instead of denying.
func ExampleAuthorizer() {
	directory := func(context.Context, authz.SubjectID) (suspended bool, err error) {
		return false, errors.New("directory: connection refused")
	}
	policy := authz.AuthorizerFunc(func(ctx context.Context, in authz.AuthorizationInput) error {
		suspended, err := directory(ctx, in.Subject.ID)
		if err != nil {
			return fmt.Errorf("look up %s: %w", in.Subject.ID, err)
		}
		if suspended {
			return fmt.Errorf("%s is suspended: %w", in.Subject.ID, authz.ErrDenied)
		}
		return nil
	})

	err := policy.Authorize(context.Background(), authz.AuthorizationInput{Subject: authz.Subject{ID: "alice"}})
	fmt.Println(err)
	fmt.Println("denied:", errors.Is(err, authz.ErrDenied))
	// Output:
	// look up alice: directory: connection refused
	// denied: false
}

// Middleware validates the credentials and stores who they belong to, never the
// credentials.
func ExampleWithSubject() {
	verify := func(token string) (authz.SubjectID, bool) { return "user-17", token == "Bearer valid" }
	authenticate := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id, ok := verify(r.Header.Get("Authorization"))
			if !ok {
				http.Error(w, "unauthenticated", http.StatusUnauthorized)
				return
			}
			next.ServeHTTP(w, r.WithContext(authz.WithSubject(r.Context(), authz.Subject{ID: id})))
		})
	}
	handler := authenticate(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		subject, ok := authz.SubjectFromContext(r.Context())
		fmt.Println(subject.ID, ok)
	}))

	request := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	request.Header.Set("Authorization", "Bearer valid")
	handler.ServeHTTP(httptest.NewRecorder(), request)
	// Output: user-17 true
}
