# Two rules that give different values decide nothing.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: error eval_conflict_error

package p

allow := true if input.arguments.key == "a"

allow := false if input.subject.id == "alice"
