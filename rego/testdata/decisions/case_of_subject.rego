# Subjects are compared exactly.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: deny

package p

default allow := false

allow if input.subject.id == "Alice"
