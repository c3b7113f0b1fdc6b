# It reads the clock. Tokens are verified before there is a subject.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: new undefined function io.jwt.decode_verify

package p

default allow := false

allow if io.jwt.decode_verify("x", {"secret": "s"})[0]
