package regotest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/rego/regotest"
)

const (
	decision = "data.codemode.authz.allow"
	lookup   = "records.entry.lookup"
)

func load(t *testing.T) *regotest.Policy {
	t.Helper()
	return regotest.New(t, decision, regotest.Files(t, "testdata/policy/*.rego"))
}

func TestRun(t *testing.T) {
	load(t).Run(t, []regotest.Case{
		{Name: "by title", Subject: "alice", Capability: lookup, Want: regotest.Allow, Rule: "readers may look up"},
		{Name: "by place", Subject: "alice", Capability: lookup, Want: regotest.Allow, Rule: "testdata/policy/authz.rego:9"},
		{Name: "by default", Subject: "bob", Capability: lookup, Want: regotest.Deny, Rule: "testdata/policy/authz.rego:5"},
		{Name: "by an else", Subject: "toor", Capability: lookup, Want: regotest.Deny, Rule: "testdata/policy/authz.rego:16"},
		{Name: "by an argument", Arguments: map[string]any{"limit": 3}, Want: regotest.Allow, Rule: "testdata/policy/authz.rego:20"},
		{Name: "fails in a builtin", Arguments: map[string]any{"divisor": 0}, Want: regotest.Fail},
		{Name: "rules contradict each other", Subject: "toor", Arguments: map[string]any{"limit": 3}, Want: regotest.Fail},
		{Subject: "root", Capability: "without a name", Want: regotest.Allow},
	})
}

func TestOutcomesThatAreNoDecisions(t *testing.T) {
	for module, want := range map[string]regotest.Outcome{
		"package codemode.authz":                          regotest.Undefined,
		"package codemode.authz\n\nallow := \"yes\"":      regotest.NotBoolean,
		"package codemode.authz\n\nallow contains true":   regotest.NotBoolean,
		"package codemode.authz\n\nallow if 1 / 0 > 0":    regotest.Fail,
		"package codemode.authz\n\nallow := input.absent": regotest.Undefined,
	} {
		policy := regotest.New(t, decision, map[string]string{"policy.rego": module})
		if got := policy.Explain(t.Context(), regotest.Case{}.Input()); got.Outcome != want {
			t.Errorf("%q: got %v, want %v", module, got, want)
		}
	}
}

func TestExplain(t *testing.T) {
	explanation := load(t).Explain(t.Context(), regotest.Case{Subject: "alice", Capability: lookup}.Input())
	want := `allow
  by   testdata/policy/authz.rego:9: readers may look up
  with testdata/policy/roles.rego:3: is_reader if input.subject.id in {"alice"}`
	if got := explanation.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if rule := explanation.Deciding[0]; rule.Path != decision || rule.Default || !strings.HasPrefix(rule.Text, "allow if { roles.is_reader") {
		t.Errorf("got %+v, want the rule allow", rule)
	}
	byDefault := load(t).Explain(t.Context(), regotest.Case{Subject: "bob"}.Input())
	if len(byDefault.Deciding) != 1 || !byDefault.Deciding[0].Default || byDefault.Deciding[0].Text != "default allow := false" {
		t.Errorf("got %v, want the default alone", byDefault)
	}
}

func TestExplainFailure(t *testing.T) {
	explanation := load(t).Explain(t.Context(), regotest.Case{Arguments: map[string]any{"divisor": 0}}.Input())
	if explanation.Outcome != regotest.Fail || explanation.Err == nil || !strings.Contains(explanation.String(), "divide by zero") {
		t.Errorf("got %v, want the failure of a division", explanation)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if got := load(t).Explain(canceled, regotest.Case{}.Input()); got.Outcome != regotest.Fail || !errors.Is(got.Err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", got)
	}
}

func TestConflictNamesBothRules(t *testing.T) {
	input := regotest.Case{Subject: "toor", Arguments: map[string]any{"limit": 3}}.Input()
	if got := load(t).Explain(t.Context(), input); len(got.Deciding) != 2 {
		t.Errorf("got %v, want two deciding rules", got)
	}
}

func TestPartsOfADecisionDecide(t *testing.T) {
	module := map[string]string{"policy.rego": "package p\n\nresult.allow := true\n\nresult.why := \"because\"\n"}
	for decision, want := range map[string]int{"data.p.result.allow": 1, "data.p.result": 2, "data.p": 2} {
		explanation := regotest.New(t, decision, module).Explain(t.Context(), regotest.Case{}.Input())
		if len(explanation.Deciding) != want || len(explanation.Helping) != 0 {
			t.Errorf("%s: got %v, want %d deciding rules", decision, explanation, want)
		}
	}
}

func TestIdle(t *testing.T) {
	policy := load(t)
	all := policy.Idle()
	if len(all) != 9 || !slices.IsSortedFunc(all, func(a, b regotest.Rule) int { return strings.Compare(a.File, b.File) }) {
		t.Errorf("got %d rules %v, want all nine by file", len(all), all)
	}
	policy.Explain(t.Context(), regotest.Case{Subject: "alice", Capability: lookup}.Input())
	idle := fmt.Sprint(policy.Idle())
	for rule, want := range map[string]bool{"is_writer": true, "default allow": true, "else := false": true, "is_reader": false, "readers may look up": false} {
		if strings.Contains(idle, rule) != want {
			t.Errorf("%q idle: got %v, want %v", rule, !want, want)
		}
	}
}

func TestCheck(t *testing.T) {
	allowed := load(t).Explain(t.Context(), regotest.Case{Subject: "alice", Capability: lookup}.Input())
	for name, test := range map[string]struct {
		c    regotest.Case
		want string
	}{
		"as wanted":                  {regotest.Case{Want: regotest.Allow}, ""},
		"another outcome":            {regotest.Case{Want: regotest.Deny}, "got allow, want deny"},
		"another rule":               {regotest.Case{Want: regotest.Allow, Rule: "testdata/policy/authz.rego:5"}, "but not by"},
		"a helping rule is not it":   {regotest.Case{Want: regotest.Allow, Rule: "testdata/policy/roles.rego:3"}, "but not by"},
		"a case that wants nothing":  {regotest.Case{}, "does not say"},
		"outcome comes before rule":  {regotest.Case{Want: regotest.Deny, Rule: "readers may look up"}, "want deny"},
		"an unknown outcome is none": {regotest.Case{Want: "allowed"}, "want allowed"},
	} {
		if got := regotest.Check(test.c, allowed); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: got %q, want %q in it", name, got, test.want)
		}
	}
}

func TestCaseInput(t *testing.T) {
	input := regotest.Case{Subject: "alice", Capability: lookup}.Input()
	if input.CapabilityName != lookup || input.CapabilityID != lookup || input.Subject.ID != "alice" {
		t.Errorf("got %+v, want the ID as the name", input)
	}
	if input := (regotest.Case{Capability: lookup, CapabilityName: "records.lookup"}).Input(); input.CapabilityName != "records.lookup" {
		t.Errorf("got %+v, want the name that was given", input)
	}
}

func TestLongRulesAreCut(t *testing.T) {
	module := "package codemode.authz\n\nallow if {\n\tinput.subject.id in {\n" + strings.Repeat("\t\t\"ä\",\n", 100) + "\t}\n}\n"
	policy := regotest.New(t, decision, map[string]string{"policy.rego": module})
	explanation := policy.Explain(t.Context(), regotest.Case{Subject: "ä"}.Input())
	if len(explanation.Deciding) != 1 {
		t.Fatalf("got %v, want one rule", explanation)
	}
	if text := explanation.Deciding[0].Text; strings.ContainsAny(text, "\n\t") || len([]rune(text)) != 101 || !strings.HasSuffix(text, "…") {
		t.Errorf("got %q, want 100 characters on one line", text)
	}
}

func TestExplainConcurrently(t *testing.T) {
	policy := load(t)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 50 {
				if got := policy.Explain(t.Context(), regotest.Case{Subject: "root"}.Input()); got.Outcome != regotest.Allow {
					t.Errorf("got %v, want allow", got)
				}
				policy.Idle()
			}
		})
	}
	group.Wait()
}

// failing is a test whose end can be watched.
type failing struct {
	testing.TB
}

func (f *failing) Helper() {}

func (f *failing) Fatal(arguments ...any) { panic(fmt.Sprint(arguments...)) }

func (f *failing) Fatalf(format string, arguments ...any) { panic(fmt.Sprintf(format, arguments...)) }

// fatal returns the text with which f ended its test, or "".
func fatal(t *testing.T, f func(testing.TB)) (text string) {
	defer func() {
		if end := recover(); end != nil {
			text = fmt.Sprint(end)
		}
	}()
	f(&failing{TB: t})
	return ""
}

func TestMistakesEndTheTest(t *testing.T) {
	for name, test := range map[string]struct {
		f    func(testing.TB)
		want string
	}{
		"no such file":   {func(tb testing.TB) { regotest.Files(tb, "testdata/nothing/*.rego") }, "matches no file"},
		"one of two":     {func(tb testing.TB) { regotest.Files(tb, "testdata/policy/*.rego", "authz.rego") }, `"authz.rego" matches no file`},
		"bad pattern":    {func(tb testing.TB) { regotest.Files(tb, "[") }, "syntax error in pattern"},
		"directory":      {func(tb testing.TB) { regotest.Files(tb, "testdata") }, "testdata"},
		"bad decision":   {func(tb testing.TB) { regotest.New(tb, "data", map[string]string{"a": "package a"}) }, "rego: decision"},
		"does not parse": {func(tb testing.TB) { regotest.New(tb, decision, map[string]string{"a.rego": "allow"}) }, "a.rego"},
	} {
		if got := fatal(t, test.f); !strings.Contains(got, test.want) {
			t.Errorf("%s: got %q, want %q in it", name, got, test.want)
		}
	}
}
