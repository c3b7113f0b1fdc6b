# The same, negated: a lenient evaluator would allow here.
# decision: data.p.allow
# arguments: {"limit":0}
# want: error divide by zero

package p

default allow := false

allow if not 10 / input.arguments.limit > 5
