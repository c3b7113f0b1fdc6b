# The stable ID is not the dotted name; both are there.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: allow

package p

default allow := false

allow if {
	input.capability.id == "records.entry.lookup"
	input.capability.name == "records.lookup"
	object.keys(input.capability) == {"id", "name"}
}
