package mcpserver_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// hostVariable makes this binary a host on its standard streams.
const hostVariable = "MCPSERVER_TEST_HOST"

func TestMain(m *testing.M) {
	codemode.ServeWorkerAndExit()
	if os.Getenv(hostVariable) != "" {
		if err := serveStandardStreams(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func serveStandardStreams() error {
	service, err := newRecords(codemode.Options{})
	if err != nil {
		return err
	}
	defer service.Close()
	server, err := mcpserver.New(service, alice())
	if err != nil {
		return err
	}
	return server.Run(context.Background(), &mcp.StdioTransport{})
}
