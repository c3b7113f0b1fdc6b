package mcpserver_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"

	"github.com/codemode-go/codemode/authz"
)

// Whatever arguments a client sends, it gets one answer, and nobody is asked
// unless they are exactly one string under the right key.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		`{"query":"records"}`, `{"query":5}`, `{"query":null}`, `{"Query":"x"}`, `{"query":"a","Query":"b"}`, `{"query":"a","query":"b"}`,
		`{}`, `[]`, `null`, `"{\"query\":\"x\"}"`, `{"query":"\ud800"}`, `{"query":"x","":{}}`, `{"qu\u0065ry":"x"}`, `1e999`, `{"query":"\u0000"}`,
	} {
		f.Add([]byte(seed))
	}
	var resolved atomic.Int64
	resolver := resolverFunc(func(context.Context) (authz.Subject, error) {
		resolved.Add(1)
		return authz.Subject{ID: "alice"}, nil
	})
	server := newServerAs(f, &fakeService{}, resolver)
	f.Fuzz(func(t *testing.T, arguments []byte) {
		if !json.Valid(arguments) {
			t.Skip("not JSON: a matter of the transport")
		}
		w := dial(t, server)
		w.initialize("2025-11-25")
		before := resolved.Load()
		line := messagesIn(t, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_api","arguments":`+string(arguments)+`}}`))
		got := parse(t, w.answer(string(line[0])))
		var in map[string]any
		valid := json.Unmarshal(arguments, &in) == nil && len(in) == 1
		if valid {
			_, valid = in["query"].(string)
		}
		if asked := resolved.Load() != before; asked && !valid {
			t.Errorf("somebody was asked with arguments %s", arguments)
		}
		if failed := got.Result.IsError || got.Error != nil; !failed && !valid {
			t.Errorf("got success for arguments %s", arguments)
		}
	})
}
