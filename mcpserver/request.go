package mcpserver

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type requestKey struct{}

// CancelWithRequest wraps the SDK's streamable HTTP handler, so that a call
// whose HTTP request ends, because its client went away, is canceled.
//
// The SDK does that itself only for the newest protocol revision, and only if
// asked ([mcp.StreamableHTTPOptions.PropagateRequestCancellation]); a client of
// an older one that leaves a server without sessions could not stop its
// program at all. Calls in sessions are left alone: their clients may come
// back for the result, and cancel by notification.
func CancelWithRequest(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, requestKey{}, ctx)))
	})
}

// withRequest returns ctx, made to end with the HTTP request that it came with.
// The SDK passes on the values of a request's context, but not its end. In a
// session they would be those of the request that opened it.
func withRequest(ctx context.Context, session *mcp.ServerSession) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	request, ok := ctx.Value(requestKey{}).(context.Context)
	if !ok || session.ID() != "" {
		return ctx, cancel
	}
	stop := context.AfterFunc(request, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}
