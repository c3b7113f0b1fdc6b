package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
)

var errSecret = errors.New("secret-host-detail")

// texts is the contract's table.
var texts = []struct {
	err  error
	text string
}{
	{codemode.ErrUnauthenticated, "unauthenticated"},
	{codemode.ErrNotFound, "capability not found"},
	{codemode.ErrInvalidProgram, "invalid program"},
	{codemode.ErrInvalidArguments, "invalid capability arguments"},
	{codemode.ErrPermissionDenied, "permission denied"},
	{codemode.ErrPolicyFailure, "authorization policy failure"},
	{codemode.ErrResourceLimit, "resource limit exceeded"},
	{codemode.ErrCapabilityFailure, "capability failed"},
	{context.Canceled, "context canceled"},
	{context.DeadlineExceeded, "context deadline exceeded"},
	{codemode.ErrInternal, "internal failure"},
	{codemode.ErrInvalidRegistration, "internal failure"},
	{errSecret, "internal failure"},
}

func TestFailureTexts(t *testing.T) {
	for _, test := range texts {
		for how, err := range map[string]error{
			"bare":    test.err,
			"wrapped": fmt.Errorf("secret-host-detail: %w", test.err),
			"joined":  errors.Join(errSecret, test.err),
		} {
			session := connect(t, newServer(t, failing(err)), nil)
			for tool, args := range arguments {
				t.Run(test.err.Error()+"/"+how+"/"+tool, func(t *testing.T) {
					wantFailure(t, call(t, session, tool, args), test.text)
				})
			}
		}
	}
}

// Every text of the table is tried above, and none is missing from the code.
func TestFailureTextsAreTheContracts(t *testing.T) {
	want := make(map[string]bool)
	for _, test := range texts {
		want[test.text] = true
	}
	for text, class := range mcpserver.FailureTexts() {
		if !want[text] {
			t.Errorf("text %q of class %v is not in the contract", text, class)
		}
		delete(want, text)
	}
	for text := range want {
		t.Errorf("text %q is not in the code", text)
	}
}

func TestErrorInSeveralClasses(t *testing.T) {
	join := func(errs ...error) error { return errors.Join(errs...) }
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"a deadline of the root API is a limit", join(codemode.ErrResourceLimit, context.DeadlineExceeded), "resource limit exceeded"},
		{"in either order", join(context.DeadlineExceeded, codemode.ErrResourceLimit), "resource limit exceeded"},
		{"a class comes before a canceled context", join(context.Canceled, codemode.ErrCapabilityFailure), "capability failed"},
		{"cancellation comes before a bare deadline", join(context.DeadlineExceeded, context.Canceled), "context canceled"},
		{"an internal failure hides no class", join(codemode.ErrInternal, codemode.ErrPermissionDenied), "permission denied"},
		{"a refusal comes before a failed capability", join(codemode.ErrCapabilityFailure, codemode.ErrPermissionDenied), "permission denied"},
	} {
		t.Run(test.name, func(t *testing.T) {
			session := connect(t, newServer(t, failing(test.err)), nil)
			wantFailure(t, call(t, session, "execute", arguments["execute"]), test.want)
		})
	}
}

// Detail follows the two prefixes only when codemode made it.
func TestForeignDetailStaysInside(t *testing.T) {
	for _, err := range []error{
		fmt.Errorf("%w: secret-host-detail", codemode.ErrInvalidProgram),
		fmt.Errorf("%w: secret-host-detail", codemode.ErrInvalidArguments),
		errors.Join(codemode.ErrInvalidProgram, new(codemode.ProgramError)),
		foreignDetail{codemode.ErrInvalidArguments},
	} {
		want := codemode.ErrInvalidProgram.Error()
		if errors.Is(err, codemode.ErrInvalidArguments) {
			want = codemode.ErrInvalidArguments.Error()
		}
		session := connect(t, newServer(t, failing(err)), nil)
		wantFailure(t, call(t, session, "execute", arguments["execute"]), want)
	}
}

// A foreignDetail looks like a ProgramError but is not one.
type foreignDetail struct{ class error }

func (foreignDetail) Error() string   { return "secret-host-detail" }
func (foreignDetail) Detail() string  { return "secret-host-detail" }
func (f foreignDetail) Unwrap() error { return f.class }

func TestValuesThatAreNoJSON(t *testing.T) {
	circle := map[string]any{}
	circle["self"] = circle
	for name, value := range map[string]any{
		"channel":                make(chan int),
		"function":               func() {},
		"circle":                 circle,
		"broken raw JSON":        json.RawMessage(`{`),
		"marshaler that fails":   marshaler{func() ([]byte, error) { return nil, errSecret }},
		"marshaler with a class": marshaler{func() ([]byte, error) { return nil, codemode.ErrPermissionDenied }},
		"marshaler that panics":  marshaler{func() ([]byte, error) { panic("secret") }},
	} {
		t.Run(name, func(t *testing.T) {
			session := connect(t, newServer(t, returning(value)), nil)
			wantFailure(t, call(t, session, "execute", arguments["execute"]), "internal failure")
		})
	}
}

type marshaler struct{ f func() ([]byte, error) }

func (m marshaler) MarshalJSON() ([]byte, error) { return m.f() }
