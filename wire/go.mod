module github.com/codemode-go/codemode/wire

go 1.26.0
