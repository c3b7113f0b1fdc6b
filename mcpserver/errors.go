package mcpserver

import (
	"context"
	"errors"

	"github.com/codemode-go/codemode/codemode"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// failures is the whole vocabulary of failed calls. An error has the text of
// the first class that it matches: the classes of codemode come before the
// bare ends of a context, because a class that timed out wraps one.
var failures = []struct {
	class  error
	text   string
	detail bool // the class may be followed by what the engine said
}{
	{codemode.ErrUnauthenticated, "unauthenticated", false},
	{codemode.ErrNotFound, "capability not found", false},
	{codemode.ErrResourceLimit, "resource limit exceeded", false},
	{codemode.ErrPermissionDenied, "permission denied", false},
	{codemode.ErrPolicyFailure, "authorization policy failure", false},
	{codemode.ErrInvalidArguments, "invalid capability arguments", true},
	{codemode.ErrInvalidProgram, "invalid program", true},
	{codemode.ErrCapabilityFailure, "capability failed", false},
	{context.Canceled, "context canceled", false},
	{context.DeadlineExceeded, "context deadline exceeded", false},
}

// internalFailure is the text of everything that is in no class.
const internalFailure = "internal failure"

// failureText returns what a client may know of err, and whether err is in a
// class that has a text of its own.
func failureText(err error) (text string, known bool) {
	for _, f := range failures {
		if !errors.Is(err, f.class) {
			continue
		}
		if f.detail {
			return f.text + detail(err, f.class), true
		}
		return f.text, true
	}
	return internalFailure, false
}

// detail returns the suffix of a class, or nothing. Only codemode can make a
// ProgramError with detail, so no words of a custom service get through.
func detail(err, class error) string {
	program, ok := errors.AsType[*codemode.ProgramError](err)
	if !ok || !errors.Is(program, class) || program.Detail() == "" {
		return ""
	}
	return ": " + program.Detail()
}

func failure(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
