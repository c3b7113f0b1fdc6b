# Chance does not authorize.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: new undefined function rand.intn

package p

default allow := false

allow if rand.intn("x", 2) == 1
