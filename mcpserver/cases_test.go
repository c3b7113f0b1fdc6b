package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
)

// A fieldCase is one report from the field, with what the contract asks for.
type fieldCase struct {
	ID, Kind, Setup string
	Input           struct {
		Method, Raw string
		Params      json.RawMessage
		Sequence    json.RawMessage
	}
	Expected expectation
}

type expectation struct {
	OK, IsError    bool
	Text           string
	TextPrefix     string          `json:"text_prefix"`
	Structured     json.RawMessage `json:"structured"`
	Contains       []string        `json:"raw_json_contains"`
	CountMin       int             `json:"count_min"`
	MustNotContain []string        `json:"must_not_contain"`
	ResolverCalls  *int64          `json:"resolver_calls"`
	Path           string
	Equals         any
	AnyOf          []expectation `json:"any_of"`
	Then           string
	First          string
}

// elsewhere names the tests of cases that are no single request.
var elsewhere = map[string]string{
	"mcp-cancel-inflight":      "TestCancelFreesTheWorker, TestCancelNotificationStopsTheCall",
	"mcp-ping-during-execute":  "TestRunningProgramDoesNotBlockTheSession",
	"mcp-stdout-clean":         "TestStandardOutputIsTheProtocol",
	"mcp-crlf-framing":         "TestLinesMayEndWithCRLF",
	"mcp-schema-results-array": "TestListedSchemasAreTheContract",
}

func TestFieldCases(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "shared", "cases", "cases.jsonl"))
	if err != nil {
		t.Skip("the collection of cases is not beside this repository: ", err)
	}
	defer file.Close()
	service := buildRecords(t, codemode.Options{})
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var c fieldCase
		if err := json.Unmarshal(scanner.Bytes(), &c); err != nil || c.Kind != "mcp" {
			continue // Cases of other kinds have inputs of other shapes.
		}
		t.Run(c.ID, func(t *testing.T) {
			if tests := elsewhere[c.ID]; tests != "" {
				t.Skip("covered by ", tests)
			}
			c.run(t, service)
		})
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
}

func (c fieldCase) run(t *testing.T, service *records) {
	var resolved atomic.Int64
	resolve := resolverFunc(func(context.Context) (authz.Subject, error) {
		resolved.Add(1)
		if strings.Contains(c.Setup, "resolver returns error") {
			return authz.Subject{}, errors.New("token expired for user 17")
		}
		return authz.Subject{ID: "alice"}, nil
	})
	w := dial(t, newServerAs(t, serviceFor(c, service), resolve))
	w.initialize("2025-11-25")
	request := c.Input.Raw
	if request == "" {
		request = `{"jsonrpc":"2.0","id":1,"method":"` + c.Input.Method + `","params":` + string(c.Input.Params) + `}`
	}
	message := w.answer(compact(t, request))
	if problem := c.Expected.check(t, message); problem != "" {
		t.Errorf("%s\ngot %s", problem, message)
	}
	if want := c.Expected.ResolverCalls; want != nil && resolved.Load() != *want {
		t.Errorf("got %d resolver calls, want %d", resolved.Load(), *want)
	}
	if c.Expected.Then == "next call works" {
		if got := parse(t, w.answer(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_api","arguments":{"query":"records"}}}`)); got.Result.IsError || got.Error != nil {
			t.Errorf("got %+v for the next call, want success", got)
		}
	}
}

// serviceFor returns the custom service that a setup asks for, or records.
func serviceFor(c fieldCase, service *records) mcpserver.Service {
	switch {
	case strings.Contains(c.Setup, "whose Describe panics"):
		return &fakeService{onDescribe: func(codemode.CapabilityName) (codemode.Description, error) { panic("secret") }}
	case strings.Contains(c.Setup, "errors.Join(codemode.ErrResourceLimit, context.DeadlineExceeded)"):
		return failing(errors.Join(codemode.ErrResourceLimit, context.DeadlineExceeded))
	case strings.Contains(c.Setup, "stub Service"):
		return failing(context.DeadlineExceeded)
	}
	return service
}

func compact(t *testing.T, request string) string {
	t.Helper()
	var line bytes.Buffer
	if err := json.Compact(&line, []byte(request)); err != nil {
		t.Fatal(err)
	}
	return line.String()
}

// check returns what is wrong with a response, or nothing.
func (e expectation) check(t *testing.T, message []byte) string {
	t.Helper()
	if len(e.AnyOf) > 0 {
		for _, one := range e.AnyOf {
			if one.check(t, message) == "" {
				return ""
			}
		}
		return "none of the acceptable ends"
	}
	got := parse(t, message)
	body := ""
	if len(got.Result.Content) > 0 {
		body = got.Result.Content[0].Text
	}
	switch {
	case e.IsError && !got.Result.IsError && got.Error == nil:
		return "want a failure"
	case e.OK && (got.Result.IsError || got.Error != nil):
		return "want success"
	case e.Text != "" && body != e.Text:
		return "want the text " + e.Text
	case !strings.HasPrefix(body, e.TextPrefix):
		return "want the prefix " + e.TextPrefix
	case e.Structured != nil && !reflect.DeepEqual(exact(t, got.Result.StructuredContent), exact(t, e.Structured)):
		return "want " + string(e.Structured)
	case e.First != "" && !strings.Contains(body, `"results":[{"name":"records.`):
		return "want first " + e.First
	}
	for _, part := range e.Contains {
		if bytes.Count(message, []byte(part)) < max(e.CountMin, 1) {
			return "want " + part
		}
	}
	for _, part := range e.MustNotContain {
		if bytes.Contains(message, []byte(part)) {
			return "want no " + part
		}
	}
	return ""
}
