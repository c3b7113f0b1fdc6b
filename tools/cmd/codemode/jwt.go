package main

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"os"

	"github.com/golang-jwt/jwt/v5"
	"github.com/modelcontextprotocol/go-sdk/auth"
)

// jwtFlags say which JSON Web Tokens are accepted: signed by a key of the file,
// made by the issuer for this audience, with an end. Their subject is who calls.
type jwtFlags struct{ keys, issuer, audience string }

func (f jwtFlags) verifier() (auth.TokenVerifier, error) {
	keys, err := readPublicKeys(f.keys)
	if err != nil {
		return nil, err
	}
	parser := jwt.NewParser(
		// Of the asymmetric ones: with a shared secret, whoever can check a token
		// could make one.
		jwt.WithValidMethods([]string{"EdDSA", "ES256", "ES384", "RS256", "PS256"}),
		jwt.WithIssuer(f.issuer),
		jwt.WithAudience(f.audience),
		jwt.WithExpirationRequired(),
	)
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		var claims jwt.RegisteredClaims
		_, err := parser.ParseWithClaims(token, &claims, func(t *jwt.Token) (any, error) {
			return jwt.VerificationKeySet{Keys: suitable(keys, t.Method)}, nil
		})
		if err != nil || claims.Subject == "" {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: claims.Subject, Expiration: claims.ExpiresAt.Time}, nil
	}, nil
}

// suitable selects the keys that a signing method works with; the library takes
// the wrong kind of key for an error of the token.
func suitable(keys []crypto.PublicKey, method jwt.SigningMethod) (list []jwt.VerificationKey) {
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
			list = append(list, key)
		}
	}
	return list
}

// readPublicKeys reads all keys of a PEM file: two while an issuer changes its own.
func readPublicKeys(file string) (keys []crypto.PublicKey, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
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
		return nil, fmt.Errorf("%s: no PUBLIC KEY in PEM form", file)
	}
	return keys, nil
}
