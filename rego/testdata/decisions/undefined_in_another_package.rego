# New cannot know that nothing will ever be there.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: error rego: decision is undefined

package q

allow := true
