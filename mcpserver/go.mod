module github.com/codemode-go/codemode/mcpserver

go 1.26.0

require (
	github.com/codemode-go/codemode/authz v0.1.0
	github.com/codemode-go/codemode/codemode v0.1.0
	github.com/modelcontextprotocol/go-sdk v1.8.0
)

require (
	github.com/blevesearch/segment v0.9.1 // indirect
	github.com/codemode-go/codemode/binding v0.1.0 // indirect
	github.com/codemode-go/codemode/sandbox v0.1.0 // indirect
	github.com/codemode-go/codemode/search v0.1.0 // indirect
	github.com/codemode-go/codemode/wire v0.1.0 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/landlock-lsm/go-landlock v0.11.2 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	kernel.org/pub/linux/libs/security/libcap/psx v1.2.78 // indirect
)
