package main

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func TestTokens(t *testing.T) {
	h := newHost(t, nil)
	with := func(key string, value any) jwt.MapClaims {
		c := claims("analyst@example.com")
		if value == nil {
			delete(c, key)
		} else {
			c[key] = value
		}
		return c
	}
	ed := func(c jwt.MapClaims) string { return h.sign(t, jwt.SigningMethodEdDSA, c) }
	good := ed(claims("analyst@example.com"))
	unsigned, err := jwt.NewWithClaims(jwt.SigningMethodNone, claims("support@example.com")).SignedString(jwt.UnsafeAllowNoneSignatureType)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := os.ReadFile(h.config.keys)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims("support@example.com")).SignedString(keys)
	if err != nil {
		t.Fatal(err)
	}
	stranger := newHost(t, nil).sign(t, jwt.SigningMethodEdDSA, claims("support@example.com"))
	for _, test := range []struct {
		name, token string
		want        int
	}{
		{"EdDSA", good, http.StatusOK},
		{"ES256", h.sign(t, jwt.SigningMethodES256, claims("analyst@example.com")), http.StatusOK},
		{"no token", "", http.StatusUnauthorized},
		{"no JWT", "secret", http.StatusUnauthorized},
		{"expired", ed(with("exp", time.Now().Add(-time.Hour).Unix())), http.StatusUnauthorized},
		{"without end", ed(with("exp", nil)), http.StatusUnauthorized},
		{"not yet valid", ed(with("nbf", time.Now().Add(time.Hour).Unix())), http.StatusUnauthorized},
		{"other issuer", ed(with("iss", "https://evil.example.com")), http.StatusUnauthorized},
		{"other audience", ed(with("aud", "https://other.example.com")), http.StatusUnauthorized},
		{"without subject", ed(with("sub", nil)), http.StatusUnauthorized},
		{"unsigned", unsigned, http.StatusUnauthorized},
		{"signed with the public key as a secret", shared, http.StatusUnauthorized},
		{"signed by a stranger", stranger, http.StatusUnauthorized},
		{"altered", good[:len(good)-8] + "AAAAAAAA", http.StatusUnauthorized},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := h.post(t, func(r *http.Request) {
				if test.token != "" {
					r.Header.Set("Authorization", "Bearer "+test.token)
				}
			})
			if got != test.want {
				t.Errorf("got status %d, want %d", got, test.want)
			}
		})
	}
}

func TestRefusesToStartWithoutIdentity(t *testing.T) {
	good := writeKeys(t, mustKey(t))
	broken := filepath.Join(t.TempDir(), "broken.pem")
	if err := os.WriteFile(broken, []byte("no PEM"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*config{
		"no keys":       {issuer: issuer, audience: audience},
		"no issuer":     {keys: good, audience: audience},
		"no audience":   {keys: good, issuer: issuer},
		"no such file":  {keys: good + "x", issuer: issuer, audience: audience},
		"a broken file": {keys: broken, issuer: issuer, audience: audience},
		"half of TLS":   {keys: good, issuer: issuer, audience: audience, certificate: "cert.pem"},
	} {
		c.listen = "127.0.0.1:0"
		if err := run(t.Context(), c); err == nil {
			t.Errorf("%s: the host started", name)
		}
	}
}

func mustKey(t *testing.T) crypto.PublicKey {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return public
}
