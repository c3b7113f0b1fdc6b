# Null is a value.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: error rego: decision must be boolean

package p

allow := null
