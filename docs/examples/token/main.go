// Token signs a bearer token for a trial of httphost, in the place of an
// identity provider:
//
//	openssl genpkey -algorithm ed25519 -out key.pem
//	openssl pkey -in key.pem -pubout -out keys.pem
//	token -key key.pem -issuer https://id.example.com -audience https://orders.example.com -subject analyst@example.com
package main

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"flag"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func main() {
	log.SetFlags(0)
	file := flag.String("key", "", "`file` of a PEM private key (PKCS #8, Ed25519)")
	issuer := flag.String("issuer", "", "issuer")
	audience := flag.String("audience", "", "audience")
	subject := flag.String("subject", "", "subject")
	life := flag.Duration("life", time.Hour, "how long the token is valid")
	flag.Parse()
	token, err := sign(*file, jwt.RegisteredClaims{
		Issuer:    *issuer,
		Audience:  jwt.ClaimStrings{*audience},
		Subject:   *subject,
		ExpiresAt: jwt.NewNumericDate(time.Now().Add(*life)),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token)
}

func sign(file string, claims jwt.RegisteredClaims) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return "", fmt.Errorf("%s: got no PEM block, want a private key", file)
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return "", fmt.Errorf("%s: got a %T, want an Ed25519 key", file, key)
	}
	return jwt.NewWithClaims(jwt.SigningMethodEdDSA, claims).SignedString(private)
}
