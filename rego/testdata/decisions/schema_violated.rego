# … which finds what the schema rules out.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: new rego_type_error

package p

# METADATA
# schemas:
#   - input.arguments: {"type": "object", "properties": {"key": {"type": "string"}}, "additionalProperties": false}
allow if input.arguments.kye == "a"
