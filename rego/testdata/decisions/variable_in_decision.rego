# OPA would answer with whatever the package holds.
# decision: data.p[x]
# arguments: {"key":"a"}
# want: new is not a constant

package p

default allow := true
