module github.com/codemode-go/codemode/rego

go 1.26.0

require (
	github.com/codemode-go/codemode/authz v0.1.0
	github.com/open-policy-agent/opa v1.22.4
)
