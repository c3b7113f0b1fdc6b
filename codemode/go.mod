module github.com/codemode-go/codemode/codemode

go 1.26.0

require (
	github.com/codemode-go/codemode/authz v0.1.0
	github.com/codemode-go/codemode/binding v0.1.0
	github.com/codemode-go/codemode/sandbox v0.1.0
	github.com/codemode-go/codemode/search v0.1.0
	github.com/codemode-go/codemode/wire v0.1.0
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
)

require (
	github.com/blevesearch/segment v0.9.1 // indirect
	github.com/landlock-lsm/go-landlock v0.11.2 // indirect
	golang.org/x/sys v0.50.0 // indirect
	kernel.org/pub/linux/libs/security/libcap/psx v1.2.78 // indirect
)
