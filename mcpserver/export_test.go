package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// NamespaceBytes is the budget of the list of namespaces.
const NamespaceBytes = namespaceBytes

// FailureTexts returns every text of a failed call, with the class it is for;
// nil stands for everything else.
func FailureTexts() map[string]error {
	texts := map[string]error{internalFailure: nil}
	for _, f := range failures {
		texts[f.text] = f.class
	}
	return texts
}

// StartProgress starts what reports the progress of one request.
func StartProgress(ctx context.Context, session *mcp.ServerSession, token any) (report func(calls int), stop func(context.Context)) {
	p := startProgress(ctx, session, token)
	return p.report, p.stop
}
