package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
)

const (
	endpoint       = "/mcp"
	maxRequestBody = 1 << 20
	sessionTimeout = time.Hour
	shutdownTime   = 5 * time.Second
)

// httpFlags configure the server over HTTP.
type httpFlags struct {
	address   string
	tokens    string
	jwt       jwtFlags
	cert, key string
	stateless bool
}

func (f *httpFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.address, "http", "", "serve streamable HTTP at this `address` ("+endpoint+"); without a host, on loopback")
	flags.StringVar(&f.tokens, "tokens", "", "with --http, let in only bearers of a token in this `file`")
	flags.StringVar(&f.jwt.keys, "jwt-keys", "", "with --http, let in only bearers of a JWT signed by a public key in this PEM `file`")
	flags.StringVar(&f.jwt.issuer, "jwt-issuer", "", "with --jwt-keys, the `issuer` that every JWT must name")
	flags.StringVar(&f.jwt.audience, "jwt-audience", "", "with --jwt-keys, the `audience` that every JWT must name")
	flags.StringVar(&f.cert, "tls-cert", "", "with --http, serve TLS with this certificate `file`")
	flags.StringVar(&f.key, "tls-key", "", "with --tls-cert, the `file` with its private key")
	flags.BoolVar(&f.stateless, "stateless", false, "with --http, keep no sessions, so that requests may go to any replica")
	cmd.MarkFlagsRequiredTogether("tls-cert", "tls-key")
	cmd.MarkFlagsRequiredTogether("jwt-keys", "jwt-issuer", "jwt-audience")
	cmd.MarkFlagsMutuallyExclusive("tokens", "jwt-keys")
}

// check refuses what would be unsafe or has no effect.
func (f *httpFlags) check() error {
	if f.address == "" {
		if f.authenticates() || f.cert != "" || f.stateless {
			return usagef("--tokens, --jwt-keys, --tls-cert and --stateless need --http")
		}
		return nil
	}
	host, port, err := net.SplitHostPort(f.address)
	if err != nil {
		return usagef("--http: got %q, want HOST:PORT or :PORT", f.address)
	}
	if host == "" {
		host = "127.0.0.1"
		f.address = net.JoinHostPort(host, port)
	}
	if !isLoopback(host) && !f.authenticates() {
		return usagef("--http: %s is not a loopback address: everyone who reaches it could use the server; give --tokens or --jwt-keys", host)
	}
	return nil
}

// authenticates reports whether the flags say who may come in.
func (f *httpFlags) authenticates() bool { return f.tokens != "" || f.jwt.keys != "" }

// verifier returns what decides on a bearer token.
func (f *httpFlags) verifier() (auth.TokenVerifier, error) {
	if f.jwt.keys != "" {
		return f.jwt.verifier()
	}
	t, err := readTokens(f.tokens)
	return t.verify, err
}

func isLoopback(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return ip.IsLoopback()
	}
	return host == "localhost"
}

// serve serves until ctx ends, then lets running requests finish for a moment.
func (f *httpFlags) serve(ctx context.Context, b *builtin) error {
	handler, err := f.handler(ctx, b)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", f.address)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	context.AfterFunc(ctx, func() {
		grace, cancel := context.WithTimeout(context.Background(), shutdownTime)
		defer cancel()
		_ = b.service.Close()
		if server.Shutdown(grace) != nil {
			_ = server.Close() // streams that clients keep open
		}
	})
	scheme, run := "http", server.Serve
	if f.cert != "" {
		scheme = "https"
		run = func(l net.Listener) error { return server.ServeTLS(l, f.cert, f.key) }
	}
	b.logger.Info("serving", "url", fmt.Sprintf("%s://%s%s", scheme, listener.Addr(), endpoint), "repository", b.host.Dir())
	if err := run(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// handler is, beside health and readiness (until ctx ends), the MCP endpoint behind the checks that every request passes:
// cross-origin requests of browsers are refused, host names that are not
// loopback's are by the SDK, and then the token decides.
func (f *httpFlags) handler(ctx context.Context, b *builtin) (http.Handler, error) {
	protect := func(h http.Handler) http.Handler { return h }
	var middleware []mcp.Middleware
	if f.authenticates() {
		verify, err := f.verifier()
		if err != nil {
			return nil, err
		}
		b.resolver = mcpserver.ContextSubject()
		protect = auth.RequireBearerToken(verify, nil)
		middleware = append(middleware, subjectOfToken)
	}
	server, err := b.mcp()
	if err != nil {
		return nil, err
	}
	server.AddReceivingMiddleware(middleware...)
	streamable := mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{
			Stateless:                    f.stateless,
			Logger:                       b.logger,
			SessionTimeout:               sessionTimeout,
			MaxRequestBodyBytes:          maxRequestBody,
			PropagateRequestCancellation: true,
		})
	mux := http.NewServeMux()
	tools := mcpserver.CancelWithRequest(streamable) // who goes away takes the program along
	mux.Handle(endpoint, http.NewCrossOriginProtection().Handler(protect(tools)))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if ctx.Err() != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return mux, nil
}
