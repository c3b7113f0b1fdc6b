# Nor to a file of the host.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: new file reference loading disabled

package p

# METADATA
# schemas:
#   - input: {"properties": {"key": {"$ref": "file:///etc/hosts"}}}
allow := true
