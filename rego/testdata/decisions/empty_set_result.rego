# An empty set is defined, and not Boolean.
# decision: data.p.deny
# arguments: {"key":"a"}
# want: error rego: decision must be boolean

package p

deny contains "x" if input.arguments.key == "b"
