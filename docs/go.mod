module github.com/codemode-go/codemode/docs

go 1.26.0

require (
	github.com/codemode-go/codemode/authz v0.1.0
	github.com/codemode-go/codemode/binding v0.1.0
	github.com/codemode-go/codemode/codemode v0.1.0
	github.com/codemode-go/codemode/mcpserver v0.1.0
	github.com/codemode-go/codemode/rego v0.1.0
	github.com/codemode-go/codemode/search v0.1.0
	github.com/golang-jwt/jwt/v5 v5.3.1
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/ncruces/go-sqlite3 v0.37.0
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
	k8s.io/api v0.37.2
	k8s.io/apimachinery v0.37.2
	sigs.k8s.io/yaml v1.6.0
)
