package mcpserver_test

import (
	"context"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
)

// A sink is a log that concurrent calls write to.
type sink struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

var stopNames = []string{"beyond", "every", "index"}

// An exitingError ends the goroutine that asks for its text.
type exitingError struct{}

func (exitingError) Error() string {
	runtime.Goexit()
	return ""
}

func TestPanicsAndGoexitEndInOneFailedCall(t *testing.T) {
	stops := map[string]func(){
		"panic":                    func() { panic("secret-panic-value") },
		"nil panic":                func() { panic(nil) },
		"runtime":                  func() { _ = []int{}[len(stopNames)] },
		"goexit":                   runtime.Goexit,
		"a value whose text exits": func() { panic(exitingError{}) },
	}
	for name, stop := range stops {
		t.Run(name, func(t *testing.T) {
			var log sink
			var armed sync.Map // what stops next
			maybe := func(where string) {
				if _, ok := armed.LoadAndDelete(where); ok {
					stop()
				}
			}
			service := &fakeService{
				onSearch: func(string) (codemode.SearchResponse, error) {
					maybe("search_api")
					return codemode.SearchResponse{}, nil
				},
				onDescribe: func(codemode.CapabilityName) (codemode.Description, error) {
					maybe("describe_api")
					return codemode.Description{}, nil
				},
				onExecute: func(context.Context, authz.Subject, codemode.Program) (any, error) {
					maybe("execute")
					return nil, nil
				},
			}
			resolver := resolverFunc(func(context.Context) (authz.Subject, error) {
				maybe("resolver")
				return authz.Subject{ID: "alice"}, nil
			})
			logger := slog.New(slog.NewTextHandler(&log, nil))
			session := connect(t, newServerAs(t, service, resolver, mcpserver.Options{Logger: logger}), nil)
			for tool, args := range arguments {
				for _, where := range []string{tool, "resolver"} {
					armed.Store(where, true)
					wantFailure(t, call(t, session, tool, args), "internal failure")
					if again := call(t, session, tool, args); again.IsError {
						t.Errorf("%s after a stop in %s: got %s, want success", tool, where, text(t, again))
					}
				}
			}
			if name == "panic" && !strings.Contains(log.String(), "secret-panic-value") {
				t.Error("the host's log does not have the panic value")
			}
		})
	}
}

// What clients must not see is not lost to the host.
func TestLoggerReceivesTheCauses(t *testing.T) {
	var log sink
	logger := slog.New(slog.NewTextHandler(&log, nil))
	session := connect(t, newServer(t, failing(errSecret), mcpserver.Options{Logger: logger}), nil)
	wantFailure(t, call(t, session, "execute", arguments["execute"]), "internal failure")
	if !strings.Contains(log.String(), errSecret.Error()) {
		t.Errorf("got log %q, want the cause of the internal failure", log.String())
	}
	session = connect(t, newServer(t, failing(codemode.ErrInternal), mcpserver.Options{Logger: logger}), nil)
	wantFailure(t, call(t, session, "execute", arguments["execute"]), "internal failure")
	if !strings.Contains(log.String(), "Observer") {
		t.Errorf("got log %q, want it to say where the cause is", log.String())
	}
	for words, resolver := range map[string]mcpserver.InvocationResolver{
		"authz.WithSubject": mcpserver.ContextSubject(),
		"without ID":        mcpserver.StaticSubject(authz.Subject{}),
	} {
		session = connect(t, newServerAs(t, &fakeService{}, resolver, mcpserver.Options{Logger: logger}), nil)
		wantFailure(t, call(t, session, "search_api", arguments["search_api"]), "unauthenticated")
		if !strings.Contains(log.String(), words) {
			t.Errorf("got log %q, want %q in it", log.String(), words)
		}
	}
	refuse := resolverFunc(func(context.Context) (authz.Subject, error) {
		return authz.Subject{}, errorString("token expired")
	})
	session = connect(t, newServerAs(t, &fakeService{}, refuse, mcpserver.Options{Logger: logger}), nil)
	wantFailure(t, call(t, session, "search_api", arguments["search_api"]), "unauthenticated")
	if !strings.Contains(log.String(), "token expired") {
		t.Errorf("got log %q, want the cause of the refusal", log.String())
	}
}

type errorString string

func (e errorString) Error() string { return string(e) }
