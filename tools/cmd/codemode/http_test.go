package main

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	aliceToken = "alice-0123456789abcdef"
	bobToken   = "bob-0123456789abcdef"
)

// TestTokens: without a token nobody comes in, and what a token's subject may do
// is the policy's.
func TestTokens(t *testing.T) {
	dir := t.TempDir()
	if err := makeRepository(dir); err != nil {
		t.Fatal(err)
	}
	tokens, policy := filepath.Join(dir, "tokens"), filepath.Join(dir, "policy.rego")
	write(t, tokens, "# clients\nalice "+aliceToken+"\n\nbob "+bobToken+"\n")
	write(t, policy, "package codemode.authz\n\ndefault allow := false\n\nallow if input.subject.id == \"alice\"\n")
	for name, more := range map[string][]string{"sessions": nil, "no sessions": {"--stateless"}} {
		t.Run(name, func(t *testing.T) {
			server := overHTTP(t, append([]string{"--git", dir, "--tokens", tokens, "--policy", policy}, more...)...)
			for token, want := range map[string]int{"": 401, "wrong-0123456789abcdef": 401} {
				if got := status(t, server.url, "Authorization", "Bearer "+token); got != want {
					t.Errorf("token %q: got status %d, want %d", token, got, want)
				}
			}
			for token, want := range map[string]string{aliceToken: `{"result":3}`, bobToken: "permission denied"} {
				s := session(t, &mcp.StreamableClientTransport{
					Endpoint:   server.url,
					HTTPClient: &http.Client{Transport: headerTransport{http.Header{"Authorization": {"Bearer " + token}}}},
				})
				out, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "execute", Arguments: map[string]string{
					"source": "def main():\n    return len(repo.commits()['commits'])\n"}})
				if err != nil {
					t.Fatal(err)
				}
				if got := textOf(out); got != want {
					t.Errorf("token %q: got %s, want %s", token, got, want)
				}
			}
			// The command line is such a client too.
			out, err := exec.CommandContext(t.Context(), built(t), "search", "--json", "--url", server.url,
				"--header", "Authorization: Bearer "+bobToken, "branches").Output()
			if err != nil || !strings.Contains(string(out), "repo.branches") {
				t.Errorf("codemode search: %v: %s", err, out)
			}
		})
	}
}

// TestJWT: of the tokens that could be made, one is good.
func TestJWT(t *testing.T) {
	dir := t.TempDir()
	if err := makeRepository(dir); err != nil {
		t.Fatal(err)
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	key := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	write(t, filepath.Join(dir, "issuer.pem"), string(key))
	_, strange, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	hour := jwt.NewNumericDate(time.Now().Add(time.Hour))
	good := jwt.RegisteredClaims{Issuer: "issuer", Audience: []string{"git"}, Subject: "alice", ExpiresAt: hour}
	with := func(change func(*jwt.RegisteredClaims)) jwt.RegisteredClaims {
		c := good
		change(&c)
		return c
	}
	server := overHTTP(t, "--git", dir, "--jwt-keys", filepath.Join(dir, "issuer.pem"), "--jwt-issuer", "issuer", "--jwt-audience", "git")
	for _, tt := range []struct {
		name   string
		method jwt.SigningMethod
		key    any
		claims jwt.RegisteredClaims
		want   int
	}{
		{"good", jwt.SigningMethodEdDSA, private, good, http.StatusOK},
		{"of another key", jwt.SigningMethodEdDSA, strange, good, http.StatusUnauthorized},
		{"signed with the public key as a secret", jwt.SigningMethodHS256, key, good, http.StatusUnauthorized},
		{"not signed", jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, good, http.StatusUnauthorized},
		{"of another issuer", jwt.SigningMethodEdDSA, private, with(func(c *jwt.RegisteredClaims) { c.Issuer = "x" }), http.StatusUnauthorized},
		{"for another audience", jwt.SigningMethodEdDSA, private, with(func(c *jwt.RegisteredClaims) { c.Audience = []string{"x"} }), http.StatusUnauthorized},
		{"without a subject", jwt.SigningMethodEdDSA, private, with(func(c *jwt.RegisteredClaims) { c.Subject = "" }), http.StatusUnauthorized},
		{"without an end", jwt.SigningMethodEdDSA, private, with(func(c *jwt.RegisteredClaims) { c.ExpiresAt = nil }), http.StatusUnauthorized},
		{"expired", jwt.SigningMethodEdDSA, private, with(func(c *jwt.RegisteredClaims) { c.ExpiresAt = jwt.NewNumericDate(time.Unix(1, 0)) }), http.StatusUnauthorized},
	} {
		token, err := jwt.NewWithClaims(tt.method, tt.claims).SignedString(tt.key)
		if err != nil {
			t.Fatal(err)
		}
		if got := status(t, server.url, "Authorization", "Bearer "+token); got != tt.want {
			t.Errorf("%s: got status %d, want %d", tt.name, got, tt.want)
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		response, err := http.Get(strings.Replace(server.url, endpoint, path, 1))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: got status %d", path, response.StatusCode)
		}
	}
}

// TestBrowsers: pages of other origins, and names that were rebound to loopback,
// are refused.
func TestBrowsers(t *testing.T) {
	dir := t.TempDir()
	if err := makeRepository(dir); err != nil {
		t.Fatal(err)
	}
	server := overHTTP(t, "--git", dir)
	if got := status(t, server.url, "Origin", "https://evil.example"); got != http.StatusForbidden {
		t.Errorf("another origin: got status %d", got)
	}
	if got := status(t, server.url, "Host", "evil.example"); got != http.StatusForbidden {
		t.Errorf("another host: got status %d", got)
	}
	if got := status(t, server.url, "X-None", ""); got != http.StatusOK {
		t.Errorf("neither: got status %d", got)
	}
}

// status posts an initialize request and returns what it is answered with.
func status(t *testing.T, url, header, value string) int {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set(header, value)
	if header == "Host" {
		r.Host = value
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// TestInterruptRun: Ctrl-C ends codemode run and the program that it runs.
func TestInterruptRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted on Windows")
	}
	dir := t.TempDir()
	if err := makeRepository(dir); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "endless.star"), endless)
	cmd := exec.Command(built(t), "run", "endless.star")
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitForWorker(t, cmd.Process.Pid)
	children := workers(t, cmd.Process.Pid)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() })
	defer stop()
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != exitError {
		t.Errorf("exit code: got %d, want %d", got, exitError)
	}
	if got := stderr.String(); got != "codemode: interrupted\n" {
		t.Errorf("standard error: got %q, want no failure beside the interruption", got)
	}
	for _, child := range children {
		if _, err := os.Stat(strings.Fields(child)[0]); err == nil {
			t.Errorf("%s is left", child)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
