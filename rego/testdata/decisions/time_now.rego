# The same call gets the same answer tomorrow.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: new undefined function time.now_ns

package p

default allow := false

allow if time.now_ns() > 0
