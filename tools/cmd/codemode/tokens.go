package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// minToken is the shortest token accepted: one that is not random enough can be
// guessed, and length is all that can be checked.
const minToken = 16

// tokens are the subjects by the hash of their token. The hash is looked up, so
// the time that it takes tells nothing about a token.
type tokens map[[sha256.Size]byte]authz.SubjectID

// readTokens reads lines "SUBJECT TOKEN". Blank lines and those that begin with
// a # are skipped.
func readTokens(file string) (tokens, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	t := tokens{}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 2 || len(fields[1]) < minToken {
			return nil, fmt.Errorf("%s:%d: want a line \"SUBJECT TOKEN\" with a token of at least %d characters", file, n, minToken)
		}
		hash := sha256.Sum256([]byte(fields[1]))
		if _, ok := t[hash]; ok {
			return nil, fmt.Errorf("%s:%d: the token is in the file twice", file, n)
		}
		t[hash] = authz.SubjectID(fields[0])
	}
	if len(t) == 0 {
		return nil, fmt.Errorf("%s: no tokens", file)
	}
	return t, nil
}

func (t tokens) verify(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	subject, ok := t[sha256.Sum256([]byte(token))]
	if !ok {
		return nil, auth.ErrInvalidToken
	}
	// These tokens end with the server. The SDK wants a time.
	return &auth.TokenInfo{UserID: string(subject), Expiration: time.Now().Add(time.Hour)}, nil
}

// subjectOfToken puts the subject of each request's token into its context. HTTP
// middleware could not: within a session the SDK uses the context of the request
// that opened it.
func subjectOfToken(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if extra := r.GetExtra(); extra != nil && extra.TokenInfo != nil {
			ctx = authz.WithSubject(ctx, authz.Subject{ID: authz.SubjectID(extra.TokenInfo.UserID)})
		}
		return next(ctx, method, r)
	}
}
