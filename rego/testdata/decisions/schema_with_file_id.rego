# Nor to one beside a file of the host.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: new file reference loading disabled

package p

# METADATA
# schemas:
#   - input: {"allOf": [{"$id": "FILE:///etc/", "$ref": "hosts"}]}
allow := true
