package engine_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

type expectation struct {
	OK         bool
	IsError    bool
	Structured *struct{ Result any }
	Text       string
	TextPrefix string        `json:"text_prefix"`
	Suffix     string        `json:"suffix_if_any_contains"`
	AnyOf      []expectation `json:"any_of"`
}

type sharedCase struct {
	ID, Kind string
	Setup    any
	Input    json.RawMessage
	Expected expectation
}

// TestSharedCases runs the programs of the cases that people have reported.
func TestSharedCases(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "cases", "cases.jsonl"))
	if err != nil {
		t.Skip("the shared cases are not here")
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c sharedCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%v: %.60s", err, lines.Bytes())
		}
		if c.Kind != "starlark" || strings.Contains(fmt.Sprint(c.Setup), "memory cap") || beyondEngine[c.ID] {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			var input struct{ Arguments struct{ Source string } }
			if err := json.Unmarshal(c.Input, &input); err != nil {
				t.Fatal(err)
			}
			h := newHost(t)
			r := h.run(t, input.Arguments.Source)
			got := outcome(t, r)
			if problems := h.engine(t).Check([]byte(input.Arguments.Source)); r.Fault == nil && len(problems) > 0 {
				t.Errorf("check: got %v, want no problem", problems)
			}
			for _, want := range append(c.Expected.AnyOf, c.Expected) {
				if want.fits(r.Fault == nil, got) {
					return
				}
			}
			t.Errorf("got %s, want %+v", got, c.Expected)
		})
	}
}

var beyondEngine = map[string]bool{
	// Source size and aggregate bytes are counted by the parent.
	"st-src-65537": true, "st-src-multibyte": true, "st-agg-unreturned": true,
	// This one takes a worker with a memory cap.
	"st-json-decode-3m": true,
}

func (e expectation) fits(ok bool, got string) bool {
	if e.OK != ok {
		return false
	}
	if ok {
		var value any
		_ = json.Unmarshal([]byte(got), &value)
		return e.Structured == nil || reflect.DeepEqual(value, e.Structured.Result)
	}
	if e.Text != "" {
		return got == e.Text
	}
	return e.TextPrefix != "" && strings.HasPrefix(got, e.TextPrefix) && (!strings.Contains(got, ":") || strings.Contains(got, e.Suffix))
}
