module github.com/codemode-go/codemode/search

go 1.26.0

require github.com/blevesearch/segment v0.9.1
