package mcpserver

import "encoding/json"

// The SDK derives the input schemas from these: one required string each, and
// nothing else. No field has a description, as the contract's schemas have none.
type (
	searchInput struct {
		Query string `json:"query"`
	}
	describeInput struct {
		Name string `json:"name"`
	}
	executeInput struct {
		Source string `json:"source"`
	}
)

// The output schemas are written out because the SDK would infer a nullable
// array from a Go slice, and would pass a result of a typed tool through
// float64. A test holds them against the types of codemode.
var (
	searchOutput = json.RawMessage(`{
	"type": "object",
	"required": ["results", "truncated"],
	"additionalProperties": false,
	"properties": {
		"results": {
			"type": "array",
			"items": {
				"type": "object",
				"required": ["name", "signature", "summary"],
				"additionalProperties": false,
				"properties": {
					"name": {"type": "string"},
					"signature": {"type": "string"},
					"summary": {"type": "string"}
				}
			}
		},
		"truncated": {"type": "boolean"}
	}
}`)

	describeOutput = json.RawMessage(`{
	"type": "object",
	"required": ["name", "signature", "summary", "description", "input", "output"],
	"additionalProperties": false,
	"properties": {
		"name": {"type": "string"},
		"signature": {"type": "string"},
		"summary": {"type": "string"},
		"description": {"type": "string"},
		"input": {"type": "array", "items": ` + fieldShape + `},
		"output": {"type": "array", "items": ` + fieldShape + `}
	}
}`)

	executeOutput         = json.RawMessage(`{` + executeObject + `, "properties": {"result": true}}`)
	portableExecuteOutput = json.RawMessage(`{` + executeObject + `, "properties": {"result": {}}}`)
)

const executeObject = `"type": "object", "required": ["result"], "additionalProperties": false`

const fieldShape = `{
	"type": "object",
	"required": ["name", "type", "required"],
	"additionalProperties": false,
	"properties": {
		"name": {"type": "string"},
		"type": {"type": "string"},
		"required": {"type": "boolean"}
	}
}`
