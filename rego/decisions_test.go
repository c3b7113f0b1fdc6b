package rego_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/rego"
)

// lookup is a call of records.lookup by alice with arguments.
func lookup(arguments map[string]any) authz.AuthorizationInput {
	return authz.AuthorizationInput{
		Subject:        authz.Subject{ID: "alice"},
		CapabilityID:   "records.entry.lookup",
		CapabilityName: "records.lookup",
		Arguments:      arguments,
	}
}

// TestDecisions runs testdata/decisions: a policy a file, whose first comments give the
// decision, the arguments of the call and the end that it has to come to:
// allow, deny, error or new (an error of New), the latter two with a part of the text.
func TestDecisions(t *testing.T) {
	files, err := filepath.Glob("testdata/decisions/*.rego")
	if err != nil || len(files) == 0 {
		t.Fatalf("no policies: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".rego"), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			module := strings.ReplaceAll(string(source), "\r\n", "\n")
			arguments := decodeArguments(t, []byte(directive(t, module, "arguments")))
			want, text, _ := strings.Cut(directive(t, module, "want"), " ")
			got, err := decide(t, directive(t, module, "decision"), module, arguments)
			if got != want {
				t.Fatalf("got %s (%v), want %s", got, err, want)
			}
			if text != "" && !strings.Contains(err.Error(), text) {
				t.Errorf("got %q, want it to contain %q", err, text)
			}
		})
	}
}

func directive(t *testing.T, module, name string) string {
	t.Helper()
	_, rest, found := strings.Cut(module, "# "+name+": ")
	if !found {
		t.Fatalf("no %s in the first comments", name)
	}
	value, _, _ := strings.Cut(rest, "\n")
	return value
}

func decide(t *testing.T, decision, module string, arguments map[string]any) (string, error) {
	t.Helper()
	authorizer, err := rego.New(t.Context(), decision, map[string]string{"p.rego": module})
	if err != nil {
		return "new", err
	}
	switch err := authorizer.Authorize(t.Context(), lookup(arguments)); {
	case err == nil:
		return "allow", nil
	case errors.Is(err, authz.ErrDenied):
		return "deny", err
	default:
		return "error", err
	}
}

// decodeArguments gives JSON numbers the kinds that canonical arguments have.
func decodeArguments(t *testing.T, data []byte) map[string]any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	var arguments map[string]any
	if err := decoder.Decode(&arguments); err != nil {
		t.Fatal(err)
	}
	for name, argument := range arguments {
		number, ok := argument.(json.Number)
		if !ok {
			continue
		}
		if integer, err := number.Int64(); err == nil {
			arguments[name] = integer
		} else if arguments[name], err = number.Float64(); err != nil {
			t.Fatal(err)
		}
	}
	return arguments
}

// TestSharedCases runs the Rego cases that are kept outside of the repository.
func TestSharedCases(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "shared", "cases", "cases.jsonl"))
	if err != nil {
		t.Skipf("the shared cases are not here: %v", err)
	}
	ran := 0
	for line := range strings.Lines(string(data)) {
		var c sharedCase
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c.Kind != "rego" {
			continue
		}
		ran++
		t.Run(c.ID, c.run)
	}
	if ran == 0 {
		t.Error("no case of kind rego")
	}
}

type sharedCase struct {
	ID, Kind string
	Input    json.RawMessage
	Expected struct {
		NewError      bool   `json:"new_error"`
		Authorize     string `json:"authorize"`
		AuthorizeText string `json:"authorize_text"`
	}
}

func (c sharedCase) run(t *testing.T) {
	var input struct {
		Decision, Module string
		Arguments        json.RawMessage
	}
	if err := json.Unmarshal(c.Input, &input); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"nil": "allow", "authz.ErrDenied": "deny", "ordinary error": "error", "": "new"}[c.Expected.Authorize]
	if want == "" || (want == "new") != c.Expected.NewError {
		t.Fatalf("cannot tell what %+v expects", c.Expected)
	}
	got, err := decide(t, input.Decision, input.Module, decodeArguments(t, input.Arguments))
	if got != want {
		t.Fatalf("got %s (%v), want %s", got, err, want)
	}
	if c.Expected.AuthorizeText != "" && err.Error() != c.Expected.AuthorizeText {
		t.Errorf("got %q, want %q", err, c.Expected.AuthorizeText)
	}
}
