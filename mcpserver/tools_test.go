package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
)

const executeRequest = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute","arguments":{"source":"x"}}}`

// A program may return an ID past 2^53. Neither mirror may round it.
func TestIntegersStayExactOnTheWire(t *testing.T) {
	for name, test := range map[string]struct {
		value any
		want  string
	}{
		"past 2^53":     {int64(9007199254740993), `{"result":9007199254740993}`},
		"19 digits":     {int64(1915883588174806058), `{"result":1915883588174806058}`},
		"largest":       {int64(math.MaxInt64), `{"result":9223372036854775807}`},
		"smallest":      {int64(math.MinInt64), `{"result":-9223372036854775808}`},
		"in containers": {map[string]any{"ids": []any{int64(9007199254740993), 1.5}}, `{"result":{"ids":[9007199254740993,1.5]}}`},
		"none":          {nil, `{"result":null}`},
		"small float":   {5e-324, `{"result":5e-324}`},
		"large float":   {math.MaxFloat64, `{"result":1.7976931348623157e+308}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := dial(t, newServer(t, returning(test.value)))
			w.initialize("2025-11-25")
			got := parse(t, w.answer(executeRequest))
			if string(got.Result.StructuredContent) != test.want {
				t.Errorf("got structured content %s, want %s", got.Result.StructuredContent, test.want)
			}
			if len(got.Result.Content) != 1 || got.Result.Content[0].Text != test.want {
				t.Errorf("got content %v, want one text item %s", got.Result.Content, test.want)
			}
		})
	}
}

func TestTextMirrorsStructuredContent(t *testing.T) {
	server := newServer(t, sample())
	for tool, args := range arguments {
		w := dial(t, server)
		w.initialize("2025-11-25")
		request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args}})
		if err != nil {
			t.Fatal(err)
		}
		result := parse(t, w.answer(string(request))).Result
		if len(result.Content) != 1 || result.Content[0].Type != "text" {
			t.Fatalf("%s: got content %v, want one text item", tool, result.Content)
		}
		mirror := result.Content[0].Text
		if strings.Contains(mirror, `\u003c`) {
			t.Errorf("%s: got text %s, want < and > as they are", tool, mirror)
		}
		if !reflect.DeepEqual(exact(t, []byte(mirror)), exact(t, result.StructuredContent)) {
			t.Errorf("%s: got text %s, structured content %s", tool, mirror, result.StructuredContent)
		}
	}
}

// exact decodes JSON and keeps the digits of numbers.
func exact(t testing.TB, data []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return value
}

func TestNilListsBecomeEmpty(t *testing.T) {
	session := connect(t, newServer(t, &fakeService{}), nil)
	for tool, want := range map[string]string{
		"search_api":   `{"results":[],"truncated":false}`,
		"describe_api": `{"name":"","signature":"","summary":"","description":"","input":[],"output":[]}`,
	} {
		if got := text(t, call(t, session, tool, arguments[tool])); got != want {
			t.Errorf("%s: got %s, want %s", tool, got, want)
		}
	}
}

func TestArgumentsReachTheServiceUnchanged(t *testing.T) {
	const odd = " Records.Lookup\t\u00e9\U0001f600\r\n"
	got := make(map[string]string)
	service := &fakeService{
		onSearch: func(query string) (codemode.SearchResponse, error) {
			got["search_api"] = query
			return codemode.SearchResponse{}, nil
		},
		onDescribe: func(name codemode.CapabilityName) (codemode.Description, error) {
			got["describe_api"] = string(name)
			return codemode.Description{}, nil
		},
		onExecute: func(_ context.Context, subject authz.Subject, program codemode.Program) (any, error) {
			got["execute"] = string(program)
			got["subject"] = string(subject.ID)
			return nil, nil
		},
	}
	session := connect(t, newServer(t, service), nil)
	for tool, key := range map[string]string{"search_api": "query", "describe_api": "name", "execute": "source"} {
		call(t, session, tool, map[string]any{key: odd})
		if got[tool] != odd {
			t.Errorf("%s: got %q, want %q", tool, got[tool], odd)
		}
	}
	if got["subject"] != "alice" {
		t.Errorf("got subject %q, want alice", got["subject"])
	}
}

func TestResolverComesBeforeTheService(t *testing.T) {
	for name, test := range map[string]struct {
		resolve func(context.Context) (authz.Subject, error)
		want    string
	}{
		"an error":              {func(context.Context) (authz.Subject, error) { return authz.Subject{ID: "x"}, errSecret }, "unauthenticated"},
		"a class of codemode":   {func(context.Context) (authz.Subject, error) { return authz.Subject{}, codemode.ErrNotFound }, "unauthenticated"},
		"a canceled context":    {func(context.Context) (authz.Subject, error) { return authz.Subject{}, context.Canceled }, "unauthenticated"},
		"an empty subject":      {func(context.Context) (authz.Subject, error) { return authz.Subject{}, nil }, "unauthenticated"},
		"no subject in context": {mcpserver.ContextSubject().Resolve, "unauthenticated"},
		"a static nobody":       {mcpserver.StaticSubject(authz.Subject{}).Resolve, "unauthenticated"},
		"a panic":               {(*brokenResolver)(nil).Resolve, "internal failure"},
	} {
		service := &fakeService{}
		session := connect(t, newServerAs(t, service, resolverFunc(test.resolve)), nil)
		for tool, args := range arguments {
			t.Run(name+"/"+tool, func(t *testing.T) {
				wantFailure(t, call(t, session, tool, args), test.want)
			})
		}
		if n := service.calls.Load(); n != 0 {
			t.Errorf("%s: the service was called %d times, want 0", name, n)
		}
	}
}

func TestContextSubject(t *testing.T) {
	resolver := mcpserver.ContextSubject()
	want := authz.Subject{ID: "bob"}
	if got, err := resolver.Resolve(authz.WithSubject(t.Context(), want)); got != want || err != nil {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if got, err := resolver.Resolve(t.Context()); !errors.Is(err, codemode.ErrUnauthenticated) {
		t.Errorf("got %v, %v, want ErrUnauthenticated", got, err)
	}
}

// Malformed arguments are the SDK's to refuse, before anybody is resolved.
func TestMalformedArgumentsReachNobody(t *testing.T) {
	var resolved atomic.Int64
	service := &fakeService{}
	resolver := resolverFunc(func(context.Context) (authz.Subject, error) {
		resolved.Add(1)
		return authz.Subject{ID: "alice"}, nil
	})
	w := dial(t, newServerAs(t, service, resolver))
	w.initialize("2025-11-25")
	for tool, key := range map[string]string{"search_api": "query", "describe_api": "name", "execute": "source"} {
		for _, params := range []string{
			``,
			`,"arguments":null`,
			`,"arguments":{}`,
			`,"arguments":[]`,
			`,"arguments":"{\"KEY\":\"records\"}"`,
			`,"arguments":{"KEY":null}`,
			`,"arguments":{"KEY":5}`,
			`,"arguments":{"KEY":["records"]}`,
			`,"arguments":{"KEY":"records","sessionId":"s"}`,
			`,"arguments":{"KEY":"records","K":"records"}`,
			`,"arguments":{"K":"records"}`,
		} {
			params = strings.NewReplacer("KEY", key, "K", strings.ToUpper(key[:1])+key[1:]).Replace(params)
			message := w.answer(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `"` + params + `}}`)
			if got := parse(t, message); !got.Result.IsError && got.Error == nil {
				t.Errorf("%s%s: got %s, want a failure", tool, params, message)
			}
		}
	}
	if resolved.Load() != 0 || service.calls.Load() != 0 {
		t.Errorf("got %d resolutions and %d service calls, want none", resolved.Load(), service.calls.Load())
	}
}
