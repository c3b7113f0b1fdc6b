# The input has exactly three fields, and the subject only its ID.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: allow

package p

default allow := false

allow if {
	object.keys(input) == {"subject", "capability", "arguments"}
	input.subject == {"id": "alice"}
	input.arguments == {"key": "a"}
}
