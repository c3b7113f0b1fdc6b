# A schema that stays within itself is applied by the type checker.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: allow

package p

# METADATA
# schemas:
#   - input.arguments: {"properties": {"key": {"$ref": "#/definitions/key"}}, "definitions": {"key": {"type": "string"}}}
allow if input.arguments.key == "a"
