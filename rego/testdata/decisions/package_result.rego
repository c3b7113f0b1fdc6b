# A package is an object of its rules.
# decision: data.p
# arguments: {"key":"a"}
# want: error rego: decision must be boolean

package p

default allow := true
