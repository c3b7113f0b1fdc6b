package main

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/golang-jwt/jwt/v5"
	"github.com/modelcontextprotocol/go-sdk/auth"
)

// newVerifier returns what verifies a bearer token: a JWT, signed with one of
// the keys in the file, that names the issuer, the audience, a subject and an
// end of its life. Signatures made with a shared secret, or none, are refused.
func newVerifier(file, issuer, audience string) (auth.TokenVerifier, error) {
	if file == "" || issuer == "" || audience == "" {
		return nil, errors.New("-keys, -issuer and -audience are required: this host serves nobody whom it does not know")
	}
	keys, err := readKeys(file)
	if err != nil {
		return nil, err
	}
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{"EdDSA", "ES256", "ES384", "RS256", "PS256"}),
		jwt.WithIssuer(issuer),
		jwt.WithAudience(audience),
		jwt.WithExpirationRequired(),
	)
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		var claims struct {
			jwt.RegisteredClaims
			Scope string `json:"scope"`
		}
		_, err := parser.ParseWithClaims(token, &claims, func(t *jwt.Token) (any, error) {
			return jwt.VerificationKeySet{Keys: fitting(keys, t.Method)}, nil
		})
		if err != nil || claims.Subject == "" {
			return nil, auth.ErrInvalidToken // Why is nobody's business who has none.
		}
		return &auth.TokenInfo{
			UserID:     claims.Subject,
			Expiration: claims.ExpiresAt.Time,
			Scopes:     strings.Fields(claims.Scope),
		}, nil
	}, nil
}

// fitting returns the keys of the kind that a method verifies with.
func fitting(keys []crypto.PublicKey, method jwt.SigningMethod) (fit []jwt.VerificationKey) {
	for _, key := range keys {
		ok := false
		switch method.(type) {
		case *jwt.SigningMethodEd25519:
			_, ok = key.(ed25519.PublicKey)
		case *jwt.SigningMethodECDSA:
			_, ok = key.(*ecdsa.PublicKey)
		case *jwt.SigningMethodRSA, *jwt.SigningMethodRSAPSS:
			_, ok = key.(*rsa.PublicKey)
		}
		if ok {
			fit = append(fit, key)
		}
	}
	return fit
}

// readKeys reads PEM blocks of type PUBLIC KEY. Two keys at once let an issuer
// change its key without an interruption.
func readKeys(file string) (keys []crypto.PublicKey, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for {
		var block *pem.Block
		if block, data = pem.Decode(data); block == nil {
			break
		}
		if block.Type != "PUBLIC KEY" {
			return nil, fmt.Errorf("%s: got a PEM block %q, want PUBLIC KEY", file, block.Type)
		}
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s: got no PEM block, want at least one PUBLIC KEY", file)
	}
	return keys, nil
}
