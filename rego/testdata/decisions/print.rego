# Print statements are erased; standard output belongs to the host.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: allow

package p

default allow := false

allow if {
	print("x", input.subject.id)
	true
}
