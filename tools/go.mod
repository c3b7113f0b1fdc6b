module github.com/codemode-go/codemode/tools

go 1.26.0

require (
	github.com/blevesearch/bleve/v2 v2.6.3
	github.com/codemode-go/codemode/authz v0.1.0
	github.com/codemode-go/codemode/binding v0.1.0
	github.com/codemode-go/codemode/codemode v0.1.0
	github.com/codemode-go/codemode/mcpserver v0.1.0
	github.com/codemode-go/codemode/rego v0.1.0
	github.com/codemode-go/codemode/sandbox v0.1.0
	github.com/codemode-go/codemode/search v0.1.0
	github.com/codemode-go/codemode/wire v0.1.0
	github.com/fxamacker/cbor/v2 v2.10.0
	github.com/go-git/go-billy/v5 v5.9.2
	github.com/go-git/go-git/v5 v5.19.3
	github.com/golang-jwt/jwt/v5 v5.3.1
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/rogpeppe/go-internal v1.16.0
	github.com/spf13/cobra v1.10.2
	github.com/vmihailenco/msgpack/v5 v5.4.1
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4
	golang.org/x/mod v0.43.0
	golang.org/x/term v0.48.0
	golang.org/x/text v0.43.0
)
