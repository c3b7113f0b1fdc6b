# The environment of the host is not part of the input.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: new undefined function opa.runtime

package p

default allow := false

allow if opa.runtime().env.HOME
