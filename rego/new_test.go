package rego_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/codemode-go/codemode/rego"
)

const allowEverything = "package codemode.authz\n\nallow := true\n"

const decision = "data.codemode.authz.allow"

func newAuthorizer(tb testing.TB, module string) *rego.Authorizer {
	tb.Helper()
	authorizer, err := rego.New(tb.Context(), decision, map[string]string{"policy.rego": module})
	if err != nil {
		tb.Fatal(err)
	}
	return authorizer
}

// everyKind has a document of every kind that a decision could try to reach into.
const everyKind = `package p

allow := true

name := "allow"

f(x) := true

set contains true

by_list[[1, 2]] := true

by_name.allow := true

by_number := {1: true, null: true}
`

// rejectedDecisions are not one ground reference into data.
var rejectedDecisions = map[string]string{
	"empty":                      "",
	"blank":                      " \t\n",
	"comment":                    "# data.p.allow",
	"not Rego":                   "data.p.allow,",
	"NUL":                        "data.p.allow\x00",
	"the whole of data":          "data",
	"the whole of input":         "input",
	"input":                      "input.arguments.allow",
	"another root":               "p.allow",
	"variable":                   "data.p[x]",
	"wildcard":                   "data.p[_]",
	"variable inside a key":      "data.p.by_list[[1, x]]",
	"input inside":               "data.p[input.arguments.rule]",
	"data inside":                "data.p[data.p.name]",
	"call inside":                `data.p[lower("ALLOW")]`,
	"comprehension inside":       "data.p[[x | x := 1]]",
	"template inside":            `data.p[$"{input.arguments.rule}"]`,
	"not":                        "not data.p.allow",
	"with":                       "data.p.allow with input as {}",
	"call":                       "data.p.f(1)",
	"function":                   "data.p.f",
	"comparison":                 "data.p.allow == true",
	"assignment":                 "x := data.p.allow",
	"two on a line":              "data.p.allow; data.p.allow",
	"two lines":                  "data.p.allow\ndata.p.allow",
	"set":                        "{data.p.allow}",
	"element of a list":          "[data.p.allow][0]",
	"scalar":                     "true",
	"some":                       "some x in data.p.set",
	"every":                      "every x in data.p.set { x }",
	"rule":                       "allow := data.p.allow",
	"module":                     "package p",
	"import":                     "import data.p",
	"something of no such shape": "data.p.allow.further",
}

func TestNewRejectsDecision(t *testing.T) {
	for name, decision := range rejectedDecisions {
		t.Run(name, func(t *testing.T) {
			authorizer, err := rego.New(t.Context(), decision, map[string]string{"p.rego": everyKind})
			if err == nil || authorizer != nil {
				t.Fatalf("got %v, %v, want an error", authorizer, err)
			}
			if !strings.HasPrefix(err.Error(), "rego: ") {
				t.Errorf("got %q, want it to begin with the package", err)
			}
		})
	}
}

var acceptedDecisions = map[string]string{
	"reference":           "data.p.allow",
	"string key":          `data.p["allow"]`,
	"white space around":  " \n\tdata.p.allow\r\n ",
	"deeper":              "data.p.by_name.allow",
	"number as a key":     "data.p.by_number[1]",
	"null as a key":       "data.p.by_number[null]",
	"composite key":       "data.p.by_list[[1, 2]]",
	"element of a set":    "data.p.set[true]",
	"keyword in its path": "data.p.by_name[\"allow\"]",
}

func TestNewAcceptsDecision(t *testing.T) {
	for name, decision := range acceptedDecisions {
		t.Run(name, func(t *testing.T) {
			authorizer, err := rego.New(t.Context(), decision, map[string]string{"p.rego": everyKind})
			if err != nil {
				t.Fatal(err)
			}
			if err := authorizer.Authorize(t.Context(), lookup(nil)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestNewRejectsModules(t *testing.T) {
	tests := map[string]struct {
		modules map[string]string
		want    string
	}{
		"none":                    {nil, "no modules"},
		"an empty map":            {map[string]string{}, "no modules"},
		"empty filename":          {map[string]string{"": allowEverything}, "blank"},
		"blank filename":          {map[string]string{" \t": allowEverything, "a.rego": allowEverything}, "blank"},
		"empty module":            {map[string]string{"a.rego": ""}, "a.rego"},
		"no package":              {map[string]string{"a.rego": "allow := true"}, "package expected"},
		"first file by name":      {map[string]string{"b.rego": "!", "a.rego": "!", "c.rego": "!"}, "a.rego"},
		"recursive rules":         {map[string]string{"a.rego": "package p\na if b\nb if a"}, "recursive"},
		"unsafe variable":         {map[string]string{"a.rego": "package p\na if x > 1"}, "unsafe"},
		"unknown function":        {map[string]string{"a.rego": "package p\na if authenticate(1)"}, "undefined function"},
		"removed as replacement":  {map[string]string{"a.rego": "package p\na if count([]) == 0 with count as http.send"}, "http"},
		"removed in a template":   {map[string]string{"a.rego": `package p` + "\n" + `a := $"{http.send({})}"`}, "undefined function http.send"},
		"conflict between files":  {map[string]string{"a.rego": "package p\na := 1", "b.rego": "package p\na(x) := x"}, "conflict"},
		"metadata that is broken": {map[string]string{"a.rego": "package p\n# METADATA\n# title: [\na := 1"}, "yaml"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			authorizer, err := rego.New(t.Context(), decision, test.modules)
			if err == nil || authorizer != nil {
				t.Fatalf("got %v, %v, want an error", authorizer, err)
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %q, want it to contain %q", err, test.want)
			}
		})
	}
}

func TestNewTakesSeveralModules(t *testing.T) {
	authorizer, err := rego.New(t.Context(), decision, map[string]string{
		"roles.rego":         "package roles\n\nreaders := {\"alice\"}\n",
		"policy/lookup.rego": "package codemode.authz\n\nimport data.roles\n\ndefault allow := false\n\nallow if input.subject.id in roles.readers\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := authorizer.Authorize(t.Context(), lookup(nil)); err != nil {
		t.Error(err)
	}
}

func TestNewRefusesNilContext(t *testing.T) {
	var none context.Context
	authorizer, err := rego.New(none, decision, map[string]string{"p.rego": allowEverything})
	if err == nil || authorizer != nil {
		t.Errorf("got %v, %v, want an error", authorizer, err)
	}
}

// endingContext has ended from the given poll of its error on.
type endingContext struct {
	context.Context
	polls, endsAt int64
}

func (c *endingContext) Err() error {
	if atomic.AddInt64(&c.polls, 1) >= atomic.LoadInt64(&c.endsAt) {
		return context.Canceled
	}
	return nil
}

func TestNewPutsCancellationFirst(t *testing.T) {
	modules := map[string]map[string]string{
		"valid":   {"p.rego": allowEverything},
		"invalid": {"p.rego": "package p\nallow if undefined_function(1)"},
		"absent":  nil,
	}
	for name, modules := range modules {
		t.Run(name, func(t *testing.T) {
			// Learn how often New asks, then end before the first and the last time.
			counting := &endingContext{Context: t.Context(), endsAt: 1 << 60}
			_, _ = rego.New(counting, decision, modules)
			for endsAt := int64(1); endsAt <= counting.polls; endsAt++ {
				ctx := &endingContext{Context: t.Context(), endsAt: endsAt}
				authorizer, err := rego.New(ctx, decision, modules)
				if !errors.Is(err, context.Canceled) || authorizer != nil {
					t.Errorf("ended at poll %d of %d: got %v, %v, want context.Canceled", endsAt, counting.polls, authorizer, err)
				}
			}
		})
	}
}

func TestNewFetchesNothing(t *testing.T) {
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		_, _ = w.Write([]byte(`{"type": "object"}`))
	}))
	defer server.Close()
	for name, schema := range map[string]string{
		"reference":        `{"$ref": "` + server.URL + `/schema.json"}`,
		"nested reference": `{"properties": {"arguments": {"$ref": "` + server.URL + `/schema.json#/x"}}}`,
		"under a base":     `{"$id": "` + server.URL + `/", "properties": {"arguments": {"$ref": "schema.json"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			module := "package codemode.authz\n\n# METADATA\n# schemas:\n#   - input: " + schema + "\nallow := true\n"
			if _, err := rego.New(t.Context(), decision, map[string]string{"p.rego": module}); err == nil {
				t.Error("got nil, want an error")
			}
		})
	}
	if n := requests.Load(); n != 0 {
		t.Errorf("got %d requests, want none", n)
	}
}
