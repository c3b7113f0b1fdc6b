# Without a default, what no rule mentions is a mistake of the policy, not a denial.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: error rego: decision is undefined

package p

allow if input.arguments.key == "b"
