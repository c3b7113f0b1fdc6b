# Truthy text must not allow.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: error rego: decision must be boolean

package p

default allow := "no"

allow := "yes" if input.arguments.key == "a"
