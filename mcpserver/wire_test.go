package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patience is how long a test waits for an event before it gives up.
const patience = 30 * time.Second

// A wire talks to a server in raw bytes, one JSON-RPC message a line, as over
// standard input and output.
type wire struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan []byte
	ended chan error
	gate  sync.Mutex // held while the client does not read
}

func dial(t testing.TB, server *mcp.Server) *wire {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	w := &wire{t: t, in: toServer, lines: make(chan []byte, 1024), ended: make(chan error, 1)}
	go func() {
		w.ended <- server.Run(context.WithoutCancel(t.Context()), &mcp.IOTransport{Reader: in, Writer: out})
		out.Close()
	}()
	go func() {
		defer close(w.lines)
		scanner := bufio.NewScanner(fromServer)
		scanner.Buffer(nil, 64<<20)
		for scanner.Scan() {
			w.gate.Lock()
			w.lines <- append([]byte(nil), scanner.Bytes()...)
			w.gate.Unlock()
		}
	}()
	t.Cleanup(w.close)
	return w
}

// hold stops reading what the server sends, until resume.
func (w *wire) hold()   { w.gate.Lock() }
func (w *wire) resume() { w.gate.Unlock() }

// close ends the connection as a client does that goes away.
func (w *wire) close() { w.in.Close() }

func (w *wire) send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

// next returns the next message of the server.
func (w *wire) next() []byte {
	w.t.Helper()
	select {
	case line, ok := <-w.lines:
		if !ok {
			w.t.Fatal("the server ended the connection")
		}
		if !json.Valid(line) {
			w.t.Fatalf("got %q, want a JSON message", line)
		}
		return line
	case <-time.After(patience):
		w.t.Fatal("no answer")
	}
	return nil
}

// roundTrip sends a request and returns all messages up to its response.
func (w *wire) roundTrip(request string) [][]byte {
	w.t.Helper()
	w.send(request)
	want := idOf(w.t, []byte(request))
	for messages := [][]byte(nil); ; {
		message := w.next()
		messages = append(messages, message)
		if idOf(w.t, message) == want || want == "" {
			return messages
		}
	}
}

// answer sends a request and returns its response.
func (w *wire) answer(request string) []byte {
	w.t.Helper()
	messages := w.roundTrip(request)
	return messages[len(messages)-1]
}

// initialize shakes hands at the given protocol revision.
func (w *wire) initialize(revision string) []byte {
	w.t.Helper()
	response := w.answer(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + revision +
		`","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`)
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return response
}

func idOf(t testing.TB, message []byte) string {
	t.Helper()
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(message, &m); err != nil {
		t.Fatalf("%v: %s", err, message)
	}
	return string(m.ID)
}

// A response is what the tests look at in a response to tools/call.
type response struct {
	Error  json.RawMessage
	Result struct {
		IsError           bool
		StructuredContent json.RawMessage
		Content           []struct{ Type, Text string }
	}
}

func parse(t testing.TB, message []byte) response {
	t.Helper()
	var r response
	if err := json.Unmarshal(message, &r); err != nil {
		t.Fatalf("%v: %s", err, message)
	}
	return r
}
