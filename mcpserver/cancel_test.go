package mcpserver_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// blocking returns a service whose programs run until their context ends (or
// the test has failed), and channels that tell when one started and how it ended.
func blocking(t *testing.T) (service *fakeService, started chan struct{}, ended chan error) {
	started, ended = make(chan struct{}), make(chan error, 1)
	return &fakeService{onExecute: func(ctx context.Context, _ authz.Subject, _ codemode.Program) (any, error) {
		started <- struct{}{}
		select {
		case <-ctx.Done():
		case <-t.Context().Done():
		}
		ended <- ctx.Err()
		return nil, ctx.Err()
	}}, started, ended
}

// await returns what comes from an event channel.
func await[T any](t testing.TB, event <-chan T, what string) T {
	t.Helper()
	select {
	case value := <-event:
		return value
	case <-time.After(patience):
		t.Fatalf("no %s", what)
		panic("unreachable")
	}
}

// newMeta is what a request of the newest revision carries instead of a handshake.
const newMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

const newExecuteRequest = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","arguments":{"source":"x"},` + newMeta + `}}`

func TestCancelNotificationStopsTheCall(t *testing.T) {
	for name, request := range map[string]string{"with a handshake": executeRequest, "without": newExecuteRequest} {
		t.Run(name, func(t *testing.T) {
			service, started, ended := blocking(t)
			w := dial(t, newServer(t, service))
			if request == executeRequest {
				w.initialize("2025-11-25")
			}
			w.send(request)
			await(t, started, "call")
			w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"user"}}`)
			if err := await(t, ended, "end of the call"); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want context.Canceled", err)
			}
			got := parse(t, w.next())
			if !got.Result.IsError || got.Result.Content[0].Text != "context canceled" {
				t.Errorf("got %+v, want context canceled", got)
			}
		})
	}
}

func TestClosedConnectionStopsTheCall(t *testing.T) {
	service, started, ended := blocking(t)
	w := dial(t, newServer(t, service))
	w.initialize("2025-11-25")
	w.send(executeRequest)
	await(t, started, "call")
	w.close()
	if err := await(t, ended, "end of the call"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	await(t, w.ended, "end of the server")
}

// A client that goes away in the middle of a POST takes its program along.
func TestClosedRequestStopsTheCall(t *testing.T) {
	for revision, request := range map[string]string{newest: newExecuteRequest, "2025-11-25": executeRequest, "2025-03-26": executeRequest} {
		t.Run(revision, func(t *testing.T) {
			service, started, ended := blocking(t)
			host := httptest.NewServer(overHTTPHandler(newServer(t, service), mcp.StreamableHTTPOptions{Stateless: true}))
			t.Cleanup(host.Close)
			ctx, leave := context.WithCancel(t.Context())
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, host.URL, strings.NewReader(request))
			if err != nil {
				t.Fatal(err)
			}
			for key, value := range map[string]string{
				"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
				"Mcp-Protocol-Version": revision, "Mcp-Method": "tools/call", "Mcp-Name": "execute",
			} {
				r.Header.Set(key, value)
			}
			go func() {
				if response, err := http.DefaultClient.Do(r); err == nil {
					response.Body.Close()
				}
			}()
			await(t, started, "call")
			leave()
			if err := await(t, ended, "end of the call"); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want context.Canceled", err)
			}
		})
	}
}

// The request that opened a session has ended; the calls of the session have not.
func TestSessionOutlivesItsFirstRequest(t *testing.T) {
	server := newServer(t, &fakeService{onExecute: func(ctx context.Context, _ authz.Subject, _ codemode.Program) (any, error) {
		for range 1000 {
			runtime.Gosched()
		}
		return nil, ctx.Err()
	}})
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
	session, err := client.Connect(t.Context(), overHTTP(t, server, mcp.StreamableHTTPOptions{}), &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if session.ID() == "" {
		t.Fatal("there is no session")
	}
	if result := call(t, session, "execute", arguments["execute"]); result.IsError {
		t.Errorf("got %s, want success", text(t, result))
	}
}

// A server that was told to stop outlives its calls, and every call of its
// clients comes to an end. (The SDK writes no result after the stop.)
func TestShutdownWaitsForCalls(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	server := newServer(t, &fakeService{onExecute: func(context.Context, authz.Subject, codemode.Program) (any, error) {
		started <- struct{}{}
		<-release
		return "done", nil
	}})
	near, far := mcp.NewInMemoryTransports()
	ctx, shutDown := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Run(ctx, far) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil).Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	answered := make(chan error, 1)
	go func() {
		_, err := session.CallTool(context.WithoutCancel(t.Context()), &mcp.CallToolParams{Name: "execute", Arguments: arguments["execute"]})
		answered <- err
	}()
	await(t, started, "call")
	shutDown()
	select {
	case err := <-ended:
		t.Errorf("the server ended with %v while a call was running", err)
	default:
	}
	close(release)
	if err := await(t, ended, "end of the server"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	await(t, answered, "end of the client's call")
}

func TestRunningProgramDoesNotBlockTheSession(t *testing.T) {
	service, started, _ := blocking(t)
	w := dial(t, newServer(t, service))
	w.initialize("2025-11-25")
	w.send(executeRequest)
	await(t, started, "call")
	for id, request := range map[string]string{
		"2": `{"jsonrpc":"2.0","id":2,"method":"ping"}`,
		"3": `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search_api","arguments":{"query":"x"}}}`,
	} {
		if got := idOf(t, w.answer(request)); got != id {
			t.Errorf("got an answer to %s, want to %s", got, id)
		}
	}
}
