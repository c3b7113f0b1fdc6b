package main

import (
	"context"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
)

func newServe() *cobra.Command {
	var host hostFlags
	var web httpFlags
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Serve a git repository over MCP",
		GroupID: "host",
		Long: `Serve the history of a git repository as an MCP server with the three tools: over
standard input and output, or with --http over streamable HTTP.

Over stdio, and over HTTP on a loopback address, whoever can start or reach the
server may use it, as --subject. Any other address needs --tokens, a file with a
line "SUBJECT TOKEN" for each client, or --jwt-keys; it is refused without,
because everyone who reaches the address could read the repository.`,
		Example: `  codemode serve --git ~/src/project
  codemode serve --http 127.0.0.1:8080
  codemode serve --http 0.0.0.0:8443 --tokens clients.txt --tls-cert cert.pem --tls-key key.pem
  codemode serve --http :8080 --jwt-keys issuer.pem --jwt-issuer https://id.example.com --jwt-audience git`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := web.check(); err != nil {
				return err
			}
			b, err := host.open(cmd)
			if err != nil {
				return err
			}
			defer b.Close()
			if web.address != "" {
				return fail(web.serve(cmd.Context(), b))
			}
			return fail(b.serveStdio(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout()))
		},
	}
	host.add(cmd)
	web.add(cmd)
	return cmd
}

// serveStdio serves until the client closes its end or ctx ends.
func (b *builtin) serveStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	server, err := b.mcp()
	if err != nil {
		return err
	}
	// The SDK waits for running calls when it is told to stop.
	stop := context.AfterFunc(ctx, func() { _ = b.service.Close() })
	defer stop()
	b.logger.Info("serving over standard input and output", "repository", b.host.Dir())
	err = server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: nopCloser{out}})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil // told to stop, by a signal or by the client
	}
	return err
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
