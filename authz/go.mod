module github.com/codemode-go/codemode/authz

go 1.26.0
