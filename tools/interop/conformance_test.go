package interop_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"testing"
)

// applies are the scenarios of the official conformance suite that a server
// with nothing but tools of its own can meet.
var applies = map[string]bool{
	"server-initialize":           true,
	"ping":                        true,
	"tools-list":                  true,
	"dns-rebinding-protection":    true,
	"server-sse-multiple-streams": true,
}

// doesNotApply tells why each other scenario cannot be met. The suite calls
// fixed tools, prompts and resources of a server made for it; a CodeMode server
// has exactly three tools and offers nothing else.
var doesNotApply = map[string]string{
	"logging-set-level":             "logging is not offered",
	"completion-complete":           "completion is not offered",
	"tools-call-simple-text":        "calls a tool test_simple_text",
	"tools-call-image":              "calls a tool test_image_content",
	"tools-call-audio":              "calls a tool test_audio_content",
	"tools-call-embedded-resource":  "calls a tool test_embedded_resource",
	"tools-call-mixed-content":      "calls a tool test_multiple_content_types",
	"tools-call-with-logging":       "calls a tool test_tool_with_logging, and logging is not offered",
	"tools-call-error":              "calls a tool test_error_handling",
	"tools-call-with-progress":      "calls a tool test_tool_with_progress",
	"tools-call-sampling":           "calls a tool test_sampling, and no request goes to the client",
	"tools-call-elicitation":        "calls a tool test_elicitation, and no request goes to the client",
	"json-schema-2020-12":           "lists a tool json_schema_2020_12_tool",
	"elicitation-sep1034-defaults":  "calls a tool, and no request goes to the client",
	"elicitation-sep1330-enums":     "calls a tool, and no request goes to the client",
	"server-sse-polling":            "calls a tool test_reconnection",
	"resources-list":                "resources are not offered",
	"resources-read-text":           "resources are not offered",
	"resources-read-binary":         "resources are not offered",
	"resources-templates-read":      "resources are not offered",
	"resources-subscribe":           "resources are not offered",
	"resources-unsubscribe":         "resources are not offered",
	"prompts-list":                  "prompts are not offered",
	"prompts-get-simple":            "prompts are not offered",
	"prompts-get-with-args":         "prompts are not offered",
	"prompts-get-embedded-resource": "prompts are not offered",
	"prompts-get-with-image":        "prompts are not offered",
}

func suite(t *testing.T, arguments ...string) ([]byte, error) {
	t.Helper()
	return node(t, nil, filepath.Join("node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js"), arguments...)
}

func TestConformanceSuite(t *testing.T) {
	needModules(t)
	list, err := suite(t, "list")
	if err != nil {
		t.Fatal(err)
	}
	ofServers, _, _ := bytes.Cut(list, []byte("Client scenarios"))
	found := regexp.MustCompile(`(?m)^  - (\S+)`).FindAllSubmatch(ofServers, -1)
	if len(found) != len(applies)+len(doesNotApply) {
		t.Errorf("got %d scenarios for servers, want the %d that are judged here", len(found), len(applies)+len(doesNotApply))
	}
	url := serveHTTP(t, command(t, "host"), "-http", "127.0.0.1:0")
	for _, match := range found {
		scenario := string(match[1])
		t.Run(scenario, func(t *testing.T) {
			if reason := doesNotApply[scenario]; reason != "" {
				t.Skip("does not apply: ", reason)
			}
			if !applies[scenario] {
				t.Fatal("a new scenario: does it apply?")
			}
			if output, err := suite(t, "server", "--url", url, "--scenario", scenario, "-o", t.TempDir()); err != nil {
				t.Errorf("%v\n%s", err, output)
			}
		})
	}
}
