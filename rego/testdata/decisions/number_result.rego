# One is not true.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: error rego: decision must be boolean

package p

allow := 1
