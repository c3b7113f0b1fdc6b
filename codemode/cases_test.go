package codemode_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/codemode"
)

type starlarkCase struct {
	ID       string
	What     string
	Setup    string
	Source   string
	Expected expectation
}

type expectation struct {
	OK         bool
	IsError    bool `json:"isError"`
	Structured struct{ Result any }
	Text       string
	TextPrefix string          `json:"text_prefix"`
	Suffix     suffix          `json:"suffix_if_any_contains"`
	AnyOf      []expectation   `json:"any_of"`
	Never      []string        `json:"must_not_contain"`
	RawJSON    []string        `json:"raw_json_contains"`
	Then       string          // a following execution works
	ErrorsIs   json.RawMessage `json:"errors_is"`

	HandlerCalls    *int64   `json:"handler_calls"`
	AuthorizerCalls *int64   `json:"authorizer_calls"`
	Order           []string // of handlers
	Repeat          int
}

// A suffix is one text or several, each of which a detail must contain.
type suffix []string

func (s *suffix) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]string)(s))
	}
	*s = make(suffix, 1)
	return json.Unmarshal(text, &(*s)[0])
}

var setupTime = regexp.MustCompile(`MaxExecutionTime=([0-9a-z]+)`)

func readCases(t *testing.T, file string) []starlarkCase {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []starlarkCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c starlarkCase
		decoder := json.NewDecoder(strings.NewReader(lines.Text()))
		decoder.UseNumber()
		if err := decoder.Decode(&c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestStarlarkCases(t *testing.T) {
	byTime := make(map[string]*world)
	for _, c := range readCases(t, "testdata/cases/starlark.jsonl") {
		var options codemode.Options
		limit := setupTime.FindStringSubmatch(c.Setup)
		key := ""
		if limit != nil {
			key = limit[1]
			d, err := time.ParseDuration(key)
			if err != nil {
				t.Fatal(err)
			}
			options.Limits.MaxExecutionTime = d
		}
		if byTime[key] == nil {
			byTime[key] = newWorld(t, options)
		}
		w := byTime[key]
		t.Run(c.ID, func(t *testing.T) { runCase(t, w, c) })
	}
}

func runCase(t *testing.T, w *world, c starlarkCase) {
	for range max(1, c.Expected.Repeat) {
		handled, authorized := w.handled.Load(), w.authorized.Load()
		w.order = nil
		value, err := w.Execute(t.Context(), alice, codemode.Program(c.Source))
		want := c.Expected
		if len(want.AnyOf) > 0 {
			want.IsError = true
			if i := slices.IndexFunc(want.AnyOf, func(e expectation) bool { return e.matches(value, err) == "" }); i >= 0 {
				want = want.AnyOf[i]
			} else {
				t.Errorf("got %v, %v, which is none of the acceptable ends", value, err)
			}
		}
		if problem := want.matches(value, err); problem != "" {
			t.Errorf("%s: %s\n%s", c.What, problem, c.Source)
		}
		checkCount(t, "handler calls", c.Expected.HandlerCalls, w.handled.Load()-handled)
		checkCount(t, "authorizer calls", c.Expected.AuthorizerCalls, w.authorized.Load()-authorized)
		if c.Expected.Order != nil && !slices.Equal(w.order, c.Expected.Order) {
			t.Errorf("got calls %q, want %q", w.order, c.Expected.Order)
		}
	}
	if c.Expected.Then != "" {
		if _, err := w.Execute(t.Context(), alice, "def main(): return 1"); err != nil {
			t.Errorf("the following execution: %v", err)
		}
	}
}

func checkCount(t *testing.T, what string, want *int64, got int64) {
	t.Helper()
	if want != nil && got != *want {
		t.Errorf("got %d %s, want %d", got, what, *want)
	}
}

// matches returns what differs, or "".
func (e expectation) matches(value any, err error) string {
	if !e.IsError {
		if err != nil {
			return "got " + err.Error()
		}
		return e.matchesValue(value)
	}
	if err == nil {
		return "got a value, want an error"
	}
	text := err.Error()
	switch {
	case e.Text != "" && text != e.Text:
		return "got " + text + ", want " + e.Text
	case !strings.HasPrefix(text, e.TextPrefix):
		return "got " + text + ", want " + e.TextPrefix + "…"
	}
	var fault *codemode.ProgramError
	for _, part := range e.Suffix {
		if errors.As(err, &fault) && fault.Detail() != "" && !strings.Contains(text, part) {
			return "got " + text + ", want it to contain " + part
		}
	}
	for _, secret := range e.Never {
		if strings.Contains(text, secret) {
			return "got " + text + ", which contains " + secret
		}
	}
	return ""
}

func (e expectation) matchesValue(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var got any
	if err := decoder.Decode(&got); err != nil {
		return err.Error()
	}
	if !reflect.DeepEqual(normal(got), normal(e.Structured.Result)) {
		want, _ := json.Marshal(e.Structured.Result)
		return "got " + string(text) + ", want " + string(want)
	}
	for _, raw := range e.RawJSON {
		if !strings.Contains(string(text), raw) {
			return "got " + string(text) + ", want it to contain " + raw
		}
	}
	return ""
}

// normal makes numbers that are written differently but mean the same equal.
func normal(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		if f == float64(int64(f)) {
			return int64(f)
		}
		return f
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = normal(v[k])
		}
	}
	return v
}
