# A string and a number are never compared by value: strings sort after numbers.
# decision: data.p.allow
# arguments: {"key":"2"}
# want: deny

package p

default allow := false

allow if input.arguments.key < 10
