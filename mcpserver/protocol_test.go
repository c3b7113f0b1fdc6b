package mcpserver_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newest is the first revision without a handshake and without sessions.
const newest = "2026-07-28"

func TestEveryRevisionOverEveryTransport(t *testing.T) {
	server := newServer(t, sample())
	http := func(options mcp.StreamableHTTPOptions) func(testing.TB) mcp.Transport {
		return func(t testing.TB) mcp.Transport { return overHTTP(t, server, options) }
	}
	transports := map[string]func(testing.TB) mcp.Transport{
		"standard streams":     func(t testing.TB) mcp.Transport { return overStreams(t, server) },
		"HTTP with sessions":   http(mcp.StreamableHTTPOptions{}),
		"HTTP stateless":       http(mcp.StreamableHTTPOptions{Stateless: true}),
		"HTTP stateless, JSON": http(mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}),
	}
	for name, transport := range transports {
		for _, revision := range mcp.SupportedProtocolVersions() {
			t.Run(name+"/"+revision, func(t *testing.T) {
				client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
				session, err := client.Connect(t.Context(), transport(t), &mcp.ClientSessionOptions{ProtocolVersion: revision})
				if err != nil {
					t.Fatal(err)
				}
				defer session.Close()
				want := revision
				if revision == newest && name == "HTTP with sessions" {
					want = "2025-11-25" // The newest that has sessions.
				}
				if got := session.InitializeResult().ProtocolVersion; got != want {
					t.Errorf("got revision %s, want %s", got, want)
				}
				useEveryTool(t, session)
			})
		}
	}
}

func useEveryTool(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != len(arguments) {
		t.Errorf("got %d tools, want %d", len(list.Tools), len(arguments))
	}
	for _, tool := range list.Tools {
		if result := call(t, session, tool.Name, arguments[tool.Name]); result.IsError || result.StructuredContent == nil {
			t.Errorf("%s: got %s, want a structured result", tool.Name, text(t, result))
		}
	}
}

func overHTTP(t testing.TB, server *mcp.Server, options mcp.StreamableHTTPOptions) mcp.Transport {
	host := httptest.NewServer(overHTTPHandler(server, options))
	t.Cleanup(host.Close)
	return &mcp.StreamableClientTransport{Endpoint: host.URL}
}

// overHTTPHandler is what a host serves. In sessions CancelWithRequest must
// leave calls alone, though the request that opened the session has ended.
func overHTTPHandler(server *mcp.Server, options mcp.StreamableHTTPOptions) http.Handler {
	return mcpserver.CancelWithRequest(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &options))
}

func overStreams(t testing.TB, server *mcp.Server) mcp.Transport {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	if _, err := server.Connect(t.Context(), &mcp.IOTransport{Reader: in, Writer: out}, nil); err != nil {
		t.Fatal(err)
	}
	return &mcp.IOTransport{Reader: fromServer, Writer: toServer}
}

func TestDiscoverTellsWhatTheHandshakeTells(t *testing.T) {
	server := newServer(t, sample())
	var handshake, discovered struct {
		Result struct {
			Capabilities      json.RawMessage
			Instructions      string
			SupportedVersions []string
		}
	}
	if err := json.Unmarshal(dial(t, server).initialize("2025-11-25"), &handshake); err != nil {
		t.Fatal(err)
	}
	answer := dial(t, server).answer(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + newMeta + `}}`)
	if err := json.Unmarshal(answer, &discovered); err != nil {
		t.Fatal(err)
	}
	if string(discovered.Result.Capabilities) != string(handshake.Result.Capabilities) {
		t.Errorf("got capabilities %s, want %s", discovered.Result.Capabilities, handshake.Result.Capabilities)
	}
	if got := discovered.Result.Instructions; got == "" || got != handshake.Result.Instructions {
		t.Errorf("got instructions %q, want %q", got, handshake.Result.Instructions)
	}
	if got, want := len(discovered.Result.SupportedVersions), len(mcp.SupportedProtocolVersions()); got != want {
		t.Errorf("got %d revisions, want %d", got, want)
	}
}

// Windows clients end lines with CRLF.
func TestLinesMayEndWithCRLF(t *testing.T) {
	w := dial(t, newServer(t, sample()))
	w.initialize("2025-11-25")
	if got := parse(t, w.answer(executeRequest+"\r")); got.Result.IsError || got.Error != nil {
		t.Errorf("got %+v, want success", got)
	}
}
