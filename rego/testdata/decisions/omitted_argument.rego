# An omitted argument is absent, not null.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: allow

package p

default allow := false

allow if not "limit" in object.keys(input.arguments)
