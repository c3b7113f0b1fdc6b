# Nobody looks into an object for its allow field.
# decision: data.p.decision
# arguments: {"key":"a"}
# want: error rego: decision must be boolean

package p

decision := {"allow": true}
