// Sqlite is a host over a database: countries and their time zones, from the tz
// database. The file is made and filled when it does not exist.
//
//	sqlite -db zones.db
package main

import (
	"context"
	"flag"
	"log"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	codemode.ServeWorkerAndExit()
	path := flag.String("db", "zones.db", "`file` of the database")
	flag.Parse()
	if err := run(context.Background(), *path); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, path string) error {
	db, err := openDatabase(ctx, path)
	if err != nil {
		return err
	}
	defer db.Close()
	builder := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
	store{db}.register(builder)
	service, err := builder.Build()
	if err != nil {
		return err
	}
	defer service.Close()
	server, err := mcpserver.New(service, mcpserver.StaticSubject(authz.Subject{ID: "me"}), mcpserver.Options{
		Name: "zones", Instructions: "Countries and their time zones.", PortableSchemas: true,
	})
	if err != nil {
		return err
	}
	return server.Run(ctx, &mcp.StdioTransport{})
}
