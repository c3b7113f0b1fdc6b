package mcpserver

import (
	"log/slog"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options says how the server presents itself. The zero value is complete.
type Options struct {
	// Name identifies the server to clients. Empty means "codemode".
	Name string
	// Title is the name that clients show to people. Empty means none.
	Title string
	// Version is the version of the host. Empty means the one that the Go
	// tool chain recorded for the main module of the binary.
	Version string
	// Instructions tell a model what this server is for. They come before the
	// built-in text on how to use the three tools, which is always sent and
	// takes at most 2,048 bytes; some clients cut what goes beyond that in all.
	Instructions string
	// PortableSchemas lists the schema of execute's result as {} instead of
	// true. Both admit every JSON value, but clients that are built on the
	// official TypeScript SDK refuse the whole list of tools when a property
	// has a Boolean schema. Set it in every host that others connect to.
	PortableSchemas bool
	// Logger receives what clients must not see: the causes behind
	// "unauthenticated" and "internal failure", with the stack of a recovered
	// panic, and the SDK's own log. A codemode.Server tells its causes to its
	// Observer instead. Nil discards it.
	Logger *slog.Logger
}

func (o Options) implementation() *mcp.Implementation {
	implementation := &mcp.Implementation{Name: o.Name, Title: o.Title, Version: o.Version}
	if implementation.Name == "" {
		implementation.Name = "codemode"
	}
	if implementation.Version == "" {
		implementation.Version = buildVersion()
	}
	return implementation
}

func (o Options) logger() *slog.Logger {
	if o.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Logger
}

// buildVersion returns the version of the running binary. MCP requires one, so
// a binary without module information still gets a text.
func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
