package main

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

const (
	mcpPath      = "/mcp"
	metadataPath = "/.well-known/oauth-protected-resource"

	// maxBodyBytes admits the largest program (64 KiB), every byte of it
	// escaped in JSON.
	maxBodyBytes = 512 << 10
)

// newHandler returns all routes of the host. Everything but health, which says
// nothing, is behind the checks of the Host header, and the tools are behind
// those of origin and token too.
func newHandler(c *config, service mcpserver.Service, verify auth.TokenVerifier) (http.Handler, error) {
	server, err := mcpserver.New(service, mcpserver.ContextSubject(), mcpserver.Options{
		Name:            "orders",
		Title:           "Orders",
		Instructions:    "Orders, their items and customers. All access is read-only.",
		PortableSchemas: true,
		Logger:          c.log,
	})
	if err != nil {
		return nil, err
	}
	origin := http.NewCrossOriginProtection()
	for _, trusted := range c.origins {
		if err := origin.AddTrustedOrigin(trusted); err != nil {
			return nil, fmt.Errorf("-origin: %w", err)
		}
	}
	tools := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless:                  true, // Any replica can answer any request.
		MaxRequestBodyBytes:        maxBodyBytes,
		DisableLocalhostProtection: true, // allowHosts is stricter.
		Logger:                     c.log,
	})
	bearer := &auth.RequireBearerTokenOptions{}
	names := slices.Clone(c.hosts)
	mux := http.NewServeMux()
	if c.url != "" {
		base, err := url.Parse(c.url)
		if err != nil || base.Host == "" {
			return nil, fmt.Errorf("-url: got %q, want an absolute URL", c.url)
		}
		names = append(names, base.Hostname())
		bearer.ResourceMetadataURL = base.JoinPath(metadataPath).String()
		mux.Handle(metadataPath, auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
			Resource:               base.JoinPath(mcpPath).String(),
			AuthorizationServers:   []string{c.issuer},
			BearerMethodsSupported: []string{"header"},
		}))
	}
	// A client that goes away takes its program along.
	mux.Handle(mcpPath, origin.Handler(auth.RequireBearerToken(verify, bearer)(withSubject(mcpserver.CancelWithRequest(tools)))))

	health := http.NewServeMux()
	health.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	health.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !c.ready.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	health.Handle("/", allowHosts(names, mux))
	return health, nil
}

// withSubject makes the verified holder of the token the subject of the
// request. Stateless transports pass the context of the request to the tools.
func withSubject(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token := auth.TokenInfoFromContext(r.Context()); token != nil {
			r = r.WithContext(authz.WithSubject(r.Context(), authz.Subject{ID: authz.SubjectID(token.UserID)}))
		}
		next.ServeHTTP(w, r)
	})
}

// allowHosts refuses requests for names that are not this host's. A web page
// whose name an attacker points at this address (DNS rebinding) gives itself
// away by the Host header.
func allowHosts(names []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Host
		if host, _, err := net.SplitHostPort(r.Host); err == nil {
			name = host
		}
		if !slices.Contains(names, name) && !isLoopback(name) {
			http.Error(w, "this host does not serve the name in the Host header", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isLoopback(name string) bool {
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}
