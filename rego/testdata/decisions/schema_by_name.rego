# A schema named in metadata is neither fetched nor applied.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: allow

package p

default allow := false

# METADATA
# schemas:
#   - input: schema["https://example.invalid/schema.json"]
allow if input.arguments.key == "a"
