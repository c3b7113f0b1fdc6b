package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
)

// serverFlags choose the server that a tool is called on.
type serverFlags struct {
	hostFlags
	command string
	url     string
	headers []string
}

func (f *serverFlags) add(cmd *cobra.Command) {
	f.hostFlags.add(cmd)
	cmd.Flags().StringVar(&f.command, "command", "", "talk to the MCP server that this `command` starts, over stdio")
	cmd.Flags().StringVar(&f.url, "url", "", "talk to the MCP server at this `URL`, over streamable HTTP")
	cmd.Flags().StringArrayVar(&f.headers, "header", nil, "with --url, send this `header`, \"Name: value\" (repeatable)")
	cmd.MarkFlagsMutuallyExclusive("command", "url")
	for _, flag := range []string{"git", "allow-writes", "relaxed-search", "max-calls", "timeout", "policy", "decision", "subject"} {
		cmd.MarkFlagsMutuallyExclusive("command", flag)
		cmd.MarkFlagsMutuallyExclusive("url", flag)
	}
}

// A client is a session with the chosen server.
type client struct {
	session *mcp.ClientSession
	close   func() error
}

// connect opens a session. The built-in server is spoken to as any other: by the
// official client, though in memory.
func (f *serverFlags) connect(cmd *cobra.Command, progress func(calls int)) (*client, error) {
	var transport mcp.Transport
	var child *exec.Cmd
	closing := func() error { return nil }
	switch {
	case f.command != "":
		words, err := splitWords(f.command)
		if err != nil {
			return nil, usagef("--command: %v", err)
		}
		child = exec.Command(words[0], words[1:]...)
		child.Stderr = cmd.ErrOrStderr()
		transport = &mcp.CommandTransport{Command: child, TerminateDuration: 2 * time.Second}
	case f.url != "":
		header, err := parseHeaders(f.headers)
		if err != nil {
			return nil, err
		}
		transport = &mcp.StreamableClientTransport{
			Endpoint:             f.url,
			HTTPClient:           &http.Client{Transport: headerTransport{header}},
			DisableStandaloneSSE: true,
		}
	case len(f.headers) > 0:
		return nil, usagef("--header needs a --url")
	default:
		b, err := f.open(cmd)
		if err != nil {
			return nil, err
		}
		if transport, closing, err = b.inMemory(cmd.Context()); err != nil {
			return nil, fail(errors.Join(err, b.Close()))
		}
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "codemode", Version: version()}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			progress(int(r.Params.Progress))
		},
	}).Connect(cmd.Context(), transport, nil)
	if child != nil && child.Process != nil && err != nil && cmd.Context().Err() == nil {
		err = fmt.Errorf("no MCP server answered on the standard output of %s: %w", child.Args[0], err)
	}
	if err != nil {
		return nil, fail(errors.Join(err, closing()))
	}
	return &client{session, closing}, nil
}

// inMemory starts the server for one client. What the client still runs when it leaves is cancelled, and closing waits for that: what the
// end of the service cuts short is a failure of the host, and logged as one.
func (b *builtin) inMemory(ctx context.Context) (client mcp.Transport, closing func() error, err error) {
	server, err := b.mcp()
	if err != nil {
		return nil, nil, err
	}
	near, far := mcp.NewInMemoryTransports()
	session, err := server.Connect(ctx, far, nil)
	if err != nil {
		return nil, nil, err
	}
	return near, func() error {
		_ = session.Wait() // the end of the connection is no news
		return b.Close()
	}, nil
}

// Close ends the session and what was started for it.
func (c *client) Close() error { return errors.Join(c.session.Close(), c.close()) }

// call calls a tool and returns the JSON of its result. The text of a tool that
// reports an error is the error.
func (c *client) call(ctx context.Context, tool string, arguments map[string]string, token any) (json.RawMessage, error) {
	params := &mcp.CallToolParams{Name: tool, Arguments: arguments}
	if token != nil {
		params.SetProgressToken(token)
	}
	result, err := c.session.CallTool(ctx, params)
	if err != nil {
		return nil, fail(err)
	}
	text := textOf(result)
	if result.IsError {
		return nil, fail(errors.New(text))
	}
	// The text keeps the digits of numbers and the order of keys, which the
	// client's decoding of the structured content does not.
	if json.Valid([]byte(text)) {
		return json.RawMessage(text), nil
	}
	data, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return nil, fail(fmt.Errorf("result of %s: %w", tool, err))
	}
	return data, nil
}

func textOf(result *mcp.CallToolResult) string {
	var texts []string
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func parseHeaders(lines []string) (http.Header, error) {
	header := http.Header{}
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, usagef("--header: got %q, want \"Name: value\"", line)
		}
		header.Add(name, strings.TrimSpace(value))
	}
	return header, nil
}

// headerTransport adds headers to every request.
type headerTransport struct{ header http.Header }

func (t headerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, values := range t.header {
		r.Header[name] = values
	}
	return http.DefaultTransport.RoundTrip(r)
}
