package main

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/codemode"
	"github.com/golang-jwt/jwt/v5"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestMain(m *testing.M) {
	codemode.ServeWorkerAndExit()
	os.Exit(m.Run())
}

const (
	issuer   = "https://id.example.com"
	audience = "https://orders.example.com"
)

// A testHost is the host on loopback, with the keys of its issuer.
type testHost struct {
	*httptest.Server
	config *config
	keys   map[string]crypto.Signer // by algorithm
}

func newHost(t *testing.T, change func(*config)) *testHost {
	t.Helper()
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	h := &testHost{keys: map[string]crypto.Signer{"EdDSA": edwards, "ES256": curve}}
	h.config = &config{
		keys: writeKeys(t, edwards.Public(), curve.Public()), issuer: issuer, audience: audience,
		log: slog.New(slog.NewTextHandler(io.Discard, nil)), maxExecutionTime: 5 * time.Second, maxExecutionCount: 4,
	}
	if change != nil {
		change(h.config)
	}
	verify, err := newVerifier(h.config.keys, issuer, audience)
	if err != nil {
		t.Fatal(err)
	}
	service, err := newService(t.Context(), h.config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { service.Close() })
	handler, err := newHandler(h.config, service, verify)
	if err != nil {
		t.Fatal(err)
	}
	h.Server = httptest.NewServer(handler)
	t.Cleanup(h.Server.Close)
	return h
}

func writeKeys(t *testing.T, keys ...crypto.PublicKey) string {
	t.Helper()
	var file bytes.Buffer
	for _, key := range keys {
		der, err := x509.MarshalPKIXPublicKey(key)
		if err != nil {
			t.Fatal(err)
		}
		if err := pem.Encode(&file, &pem.Block{Type: "PUBLIC KEY", Bytes: der}); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "keys.pem")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// claims returns what a good token says about subject.
func claims(subject string) jwt.MapClaims {
	return jwt.MapClaims{"iss": issuer, "aud": audience, "sub": subject, "exp": time.Now().Add(time.Hour).Unix()}
}

func (h *testHost) sign(t *testing.T, method jwt.SigningMethod, claims jwt.MapClaims) string {
	t.Helper()
	token, err := jwt.NewWithClaims(method, claims).SignedString(h.keys[method.Alg()])
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// A bearer adds a token to every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func (h *testHost) connect(t *testing.T, token string) *mcp.ClientSession {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil).Connect(t.Context(),
		&mcp.StreamableClientTransport{Endpoint: h.URL + mcpPath, HTTPClient: &http.Client{Transport: bearer(token)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// post sends one request without the help of a client and returns the status.
func (h *testHost) post(t *testing.T, change func(*http.Request)) int {
	t.Helper()
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+mcpPath, strings.NewReader(ping))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	change(r)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// The same program has a different end for subjects with different rights.
func TestRightsFollowTheToken(t *testing.T) {
	h := newHost(t, nil)
	const orders = "def main():\n    return [o[\"id\"] for o in orders.list(customer=\"c1\")[\"orders\"] if not o[\"paid\"]]\n"
	const contact = "def main():\n    return customers.contact(customer=\"c1\")[\"email\"]\n"
	for _, test := range []struct{ subject, program, want string }{
		{"analyst@example.com", orders, `{"result":[1004]}`},
		{"analyst@example.com", contact, `permission denied`},
		{"support@example.com", orders, `{"result":[1004]}`},
		{"support@example.com", contact, `{"result":"ada@example.com"}`},
	} {
		session := h.connect(t, h.sign(t, jwt.SigningMethodEdDSA, claims(test.subject)))
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "execute", Arguments: map[string]any{"source": test.program}})
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Content[0].(*mcp.TextContent).Text; got != test.want {
			t.Errorf("%s: got %s, want %s for\n%s", test.subject, got, test.want, test.program)
		}
	}
}

func TestWhoMayKnock(t *testing.T) {
	h := newHost(t, func(c *config) {
		c.url = "https://orders.example.com"
		c.hosts = list{"orders.internal"}
		c.origins = list{"https://app.example.com"}
	})
	token := h.sign(t, jwt.SigningMethodEdDSA, claims("analyst@example.com"))
	header := func(key, value string) func(*http.Request) { return func(r *http.Request) { r.Header.Set(key, value) } }
	for _, test := range []struct {
		name   string
		change func(*http.Request)
		want   int
	}{
		{"loopback", func(*http.Request) {}, http.StatusOK},
		{"the name in the URL", func(r *http.Request) { r.Host = "orders.example.com" }, http.StatusOK},
		{"a further name, with port", func(r *http.Request) { r.Host = "orders.internal:8080" }, http.StatusOK},
		{"a rebound name", func(r *http.Request) { r.Host = "evil.example.com" }, http.StatusForbidden},
		{"a rebound name that looks local", func(r *http.Request) { r.Host = "localhost.evil.example.com" }, http.StatusForbidden},
		{"a page of a trusted origin", header("Origin", "https://app.example.com"), http.StatusOK},
		{"a page of another origin", header("Origin", "https://evil.example.com"), http.StatusForbidden},
		{"a page without origin", header("Origin", "null"), http.StatusForbidden},
		{"a page of another site", header("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		{"a body that is too long", func(r *http.Request) {
			r.Body = io.NopCloser(io.MultiReader(r.Body, strings.NewReader(strings.Repeat(" ", maxBodyBytes))))
			r.ContentLength = -1
		}, http.StatusRequestEntityTooLarge},
		{"a session", func(r *http.Request) { r.Method = http.MethodGet }, http.StatusMethodNotAllowed},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := h.post(t, func(r *http.Request) {
				r.Header.Set("Authorization", "Bearer "+token)
				test.change(r)
			})
			if got != test.want {
				t.Errorf("got status %d, want %d", got, test.want)
			}
		})
	}
}

// A client without a token learns where to get one.
func TestMetadataOfTheResource(t *testing.T) {
	h := newHost(t, func(c *config) { c.url = "https://orders.example.com" })
	response, err := http.Post(h.URL+mcpPath, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if got, want := response.Header.Get("WWW-Authenticate"), "https://orders.example.com"+metadataPath; !strings.Contains(got, want) {
		t.Errorf("got WWW-Authenticate %q, want %s in it", got, want)
	}
	response, err = http.Get(h.URL + metadataPath)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var metadata struct {
		Resource             string
		AuthorizationServers []string `json:"authorization_servers"`
	}
	if err := json.NewDecoder(response.Body).Decode(&metadata); err != nil {
		t.Fatal(err)
	}
	if metadata.Resource != "https://orders.example.com"+mcpPath || len(metadata.AuthorizationServers) != 1 || metadata.AuthorizationServers[0] != issuer {
		t.Errorf("got %+v", metadata)
	}
}
