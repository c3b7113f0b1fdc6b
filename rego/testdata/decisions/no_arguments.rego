# A call without arguments has an empty object.
# decision: data.p.allow
# arguments: {}
# want: allow

package p

default allow := false

allow if input.arguments == {}
