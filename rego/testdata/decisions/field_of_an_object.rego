# … unless the decision names the field.
# decision: data.p.decision.allow
# arguments: {"key":"a"}
# want: allow

package p

decision := {"allow": true}
