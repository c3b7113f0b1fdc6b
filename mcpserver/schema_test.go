package mcpserver_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// contractSchemas are the schemas that clients were promised.
var contractSchemas = map[string]struct{ input, output string }{
	"search_api": {
		`{"type":"object","required":["query"],"additionalProperties":false,"properties":{"query":{"type":"string"}}}`,
		`{"type":"object","required":["results","truncated"],"additionalProperties":false,"properties":{
			"results":{"type":"array","items":{"type":"object","required":["name","signature","summary"],"additionalProperties":false,
				"properties":{"name":{"type":"string"},"signature":{"type":"string"},"summary":{"type":"string"}}}},
			"truncated":{"type":"boolean"}}}`,
	},
	"describe_api": {
		`{"type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string"}}}`,
		`{"type":"object","required":["name","signature","summary","description","input","output"],"additionalProperties":false,"properties":{
			"name":{"type":"string"},"signature":{"type":"string"},"summary":{"type":"string"},"description":{"type":"string"},
			"input":{"type":"array","items":{"type":"object","required":["name","type","required"],"additionalProperties":false,
				"properties":{"name":{"type":"string"},"type":{"type":"string"},"required":{"type":"boolean"}}}},
			"output":{"type":"array","items":{"type":"object","required":["name","type","required"],"additionalProperties":false,
				"properties":{"name":{"type":"string"},"type":{"type":"string"},"required":{"type":"boolean"}}}}}}`,
	},
	"execute": {
		`{"type":"object","required":["source"],"additionalProperties":false,"properties":{"source":{"type":"string"}}}`,
		`{"type":"object","required":["result"],"additionalProperties":false,"properties":{"result":true}}`,
	},
}

func TestListedSchemasAreTheContract(t *testing.T) {
	for _, tool := range listTools(t, newServer(t, &fakeService{})) {
		want, ok := contractSchemas[tool.Name]
		if !ok {
			t.Errorf("tool %s has no schema in the contract", tool.Name)
			continue
		}
		if got := plain(t, tool.InputSchema); !reflect.DeepEqual(got, plain(t, json.RawMessage(want.input))) {
			t.Errorf("%s: got input schema %v, want %s", tool.Name, got, want.input)
		}
		if got := plain(t, tool.OutputSchema); !reflect.DeepEqual(got, plain(t, json.RawMessage(want.output))) {
			t.Errorf("%s: got output schema %v, want %s", tool.Name, got, want.output)
		}
	}
}

// The portable form differs in one place, where it means the same.
func TestPortableSchemas(t *testing.T) {
	for _, tool := range listTools(t, newServer(t, &fakeService{}, mcpserver.Options{PortableSchemas: true})) {
		want := strings.Replace(contractSchemas[tool.Name].output, `"result":true`, `"result":{}`, 1)
		if got := plain(t, tool.OutputSchema); !reflect.DeepEqual(got, plain(t, json.RawMessage(want))) {
			t.Errorf("%s: got output schema %v, want %s", tool.Name, got, want)
		}
	}
}

// The output schemas are written by hand; here the SDK derives them from the
// types of the results. A field added to one side only fails.
func TestOutputSchemasFollowFromTheResultTypes(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "derived"}, nil)
	derive[codemode.SearchResponse](server, "search_api")
	derive[codemode.Description](server, "describe_api")
	derive[struct {
		Result any `json:"result"`
	}](server, "execute")
	derived := make(map[string]any)
	for _, tool := range listTools(t, server) {
		derived[tool.Name] = notNullable(plain(t, tool.OutputSchema))
	}
	for _, tool := range listTools(t, newServer(t, &fakeService{})) {
		if got := plain(t, tool.OutputSchema); !reflect.DeepEqual(got, derived[tool.Name]) {
			t.Errorf("%s: got output schema %v, derived %v", tool.Name, got, derived[tool.Name])
		}
	}
}

func derive[Out any](server *mcp.Server, name string) {
	mcp.AddTool(server, &mcp.Tool{Name: name}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, Out, error) {
		var out Out
		return nil, out, nil
	})
}

// notNullable turns the types ["null", T] that are inferred for slices into T,
// and the order of required names, which has no meaning, into the contract's.
func notNullable(schema any) any {
	switch schema := schema.(type) {
	case map[string]any:
		for key, value := range schema {
			if types, ok := value.([]any); ok && key == "type" && len(types) == 2 && types[0] == "null" {
				schema[key] = types[1]
				continue
			}
			schema[key] = notNullable(value)
		}
	case []any:
		for i := range schema {
			schema[i] = notNullable(schema[i])
		}
	}
	return schema
}

// plain returns schema as maps and slices.
func plain(t testing.TB, schema any) any {
	t.Helper()
	data, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// sample answers every tool with a populated value.
func sample() *fakeService {
	shapes := []codemode.FieldShape{{Name: "key", Type: "str", Required: true}, {Name: "limit", Type: "int | None"}}
	return &fakeService{
		onSearch: func(string) (codemode.SearchResponse, error) {
			return codemode.SearchResponse{Results: []codemode.SearchResult{{Name: "records.lookup", Signature: "records.lookup(*, key: str)", Summary: "Look up."}}}, nil
		},
		onDescribe: func(codemode.CapabilityName) (codemode.Description, error) {
			return codemode.Description{Name: "records.lookup", Signature: "records.lookup(*, key: str)", Summary: "s", Description: "d", Input: shapes, Output: shapes}, nil
		},
		onExecute: func(context.Context, authz.Subject, codemode.Program) (any, error) {
			return map[string]any{"n": int64(9007199254740993), "list": []any{nil, true, 1.5, "<&>\u2028é"}}, nil
		},
	}
}

// Every tool is called as listed, and the SDK validates what came back against
// the schema that the same list shows.
func TestResultsMatchTheListedSchemas(t *testing.T) {
	for name, service := range map[string]*fakeService{"populated": sample(), "empty": {}} {
		server := newServer(t, service)
		session := connect(t, server, nil)
		for _, tool := range listTools(t, server) {
			t.Run(name+"/"+tool.Name, func(t *testing.T) {
				args, ok := arguments[tool.Name]
				if !ok {
					t.Fatalf("tool %s has no arguments in the table", tool.Name)
				}
				result := call(t, session, tool.Name, args)
				if result.IsError {
					t.Fatal(text(t, result))
				}
				if got := validate(t, tool.OutputSchema, json.RawMessage(text(t, result))); got != "" {
					t.Error(got)
				}
			})
		}
	}
}

// validate returns what the SDK's validator says against value.
func validate(t testing.TB, schema any, value json.RawMessage) string {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "validator"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "validate", OutputSchema: schema},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return nil, value, nil
		})
	_, err := connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "validate"})
	if err != nil {
		return err.Error()
	}
	return ""
}

func TestTheValidatorCanFail(t *testing.T) {
	for tool, value := range map[string]string{
		"search_api":   `{"results":null,"truncated":false}`,
		"describe_api": `{"name":"a.b"}`,
		"execute":      `{"result":1,"more":2}`,
	} {
		if got := validate(t, json.RawMessage(contractSchemas[tool].output), json.RawMessage(value)); !strings.Contains(got, "validating tool output") {
			t.Errorf("%s: got %q for %s, want a validation failure", tool, got, value)
		}
	}
}
