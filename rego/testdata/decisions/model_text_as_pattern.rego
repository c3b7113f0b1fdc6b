# A builtin that fails is no condition that does not hold.
# decision: data.p.allow
# arguments: {"key":"("}
# want: error eval_builtin_error

package p

default allow := false

allow if regex.match(input.arguments.key, "a")
