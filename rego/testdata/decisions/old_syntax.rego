# Rego v1 wants if before a body.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: new rego_parse_error

package p

default allow = false

allow { input.arguments.key == "a" }
