# A schema written in metadata may not lead to another host.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: new remote reference loading disabled

package p

# METADATA
# schemas:
#   - input: {"$ref": "https://example.invalid/schema.json"}
allow := true
