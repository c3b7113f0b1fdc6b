package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

type sample = codemode.Capability[keyInput, empty]

// valid returns a capability that Build accepts, changed by edit.
func valid(edit func(*sample)) sample {
	c := sample{
		Name: "x.y", Summary: "Does x.",
		Handler: func(context.Context, authz.Subject, keyInput) (empty, error) { return empty{}, nil },
	}
	if edit != nil {
		edit(&c)
	}
	return c
}

func build(options codemode.Options, capabilities ...sample) error {
	if options.Authorizer == nil {
		options.Authorizer = authz.AllowAll()
	}
	b := codemode.New(options)
	for _, c := range capabilities {
		codemode.Register(b, c)
	}
	server, err := b.Build()
	if err == nil {
		err = server.Close()
	}
	return err
}

func TestBuildRefuses(t *testing.T) {
	name := func(n string) sample { return valid(func(c *sample) { c.Name = codemode.CapabilityName(n) }) }
	for _, c := range []struct {
		rule         string
		options      codemode.Options
		capabilities []sample
		diagnostic   string
	}{
		{"a name of one segment", codemode.Options{}, []sample{name("lookup")}, "lookup"},
		{"an empty name", codemode.Options{}, []sample{name("")}, "number 1"},
		{"an empty segment", codemode.Options{}, []sample{name("a..b")}, "a..b"},
		{"a segment that is a keyword", codemode.Options{}, []sample{name("records.import")}, "records.import"},
		{"a segment that is no identifier", codemode.Options{}, []sample{name("records.look-up")}, "look-up"},
		{"a reserved root", codemode.Options{}, []sample{name("list.all")}, "list"},
		{"the reserved root set", codemode.Options{}, []sample{name("set.all")}, "set"},
		{"the reserved root sum", codemode.Options{}, []sample{name("sum.all")}, "sum"},
		{"the reserved root json", codemode.Options{}, []sample{name("json.all")}, "json"},
		{"the reserved root math", codemode.Options{}, []sample{name("math.all")}, "math"},
		{"a duplicate name", codemode.Options{}, []sample{name("a.b"), valid(func(c *sample) { c.Name = "a.b"; c.ID = "other" })}, "a.b"},
		{"a duplicate ID", codemode.Options{}, []sample{name("a.b"), valid(func(c *sample) { c.Name = "a.c"; c.ID = "a.b" })}, "a.c"},
		{"a name that is a namespace", codemode.Options{}, []sample{name("a.b"), name("a.b.c")}, "a.b.c"},
		{"an ID with white space", codemode.Options{}, []sample{valid(func(c *sample) { c.ID = " id" })}, "x.y"},
		{"an empty summary", codemode.Options{}, []sample{valid(func(c *sample) { c.Summary = "" })}, "Summary"},
		{"a summary with white space", codemode.Options{}, []sample{valid(func(c *sample) { c.Summary = "x\n" })}, "Summary"},
		{"a description with white space", codemode.Options{}, []sample{valid(func(c *sample) { c.Description = "x " })}, "Description"},
		{"an empty search term", codemode.Options{}, []sample{valid(func(c *sample) { c.SearchTerms = []string{""} })}, "SearchTerms[0]"},
		{"a search term with white space", codemode.Options{}, []sample{valid(func(c *sample) { c.SearchTerms = []string{"a", "b "} })}, "SearchTerms[1]"},
		{"17 search terms", codemode.Options{}, []sample{valid(func(c *sample) { c.SearchTerms = strings.Fields(strings.Repeat("a ", 17)) })}, "SearchTerms"},
		{"1,025 bytes of search terms", codemode.Options{}, []sample{valid(func(c *sample) { c.SearchTerms = []string{strings.Repeat("a", 1025)} })}, "SearchTerms"},
		{"a nil handler", codemode.Options{}, []sample{valid(func(c *sample) { c.Handler = nil })}, "Handler"},
		{"an unknown effect", codemode.Options{}, []sample{valid(func(c *sample) { c.Effect = 9 })}, "Effect"},
		{"a typed-nil authorizer", codemode.Options{Authorizer: (*nilAuthorizer)(nil)}, nil, "Authorizer"},
		{"a duplicate disabled ID", codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"x.y", "x.y"}}, []sample{valid(nil)}, "x.y"},
		{"an unknown disabled ID", codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"x.z"}}, []sample{valid(nil)}, "x.z"},
		{"a negative limit", codemode.Options{Limits: codemode.Limits{MaxValueDepth: -1}}, nil, "MaxValueDepth"},
		{"a negative time", codemode.Options{Limits: codemode.Limits{MaxExecutionTime: -time.Second}}, nil, "MaxExecutionTime"},
		{"too little memory", codemode.Options{Limits: codemode.Limits{MaxWorkerMemoryBytes: 1 << 20}}, nil, "MaxWorkerMemoryBytes"},
		{"too much metadata", codemode.Options{}, []sample{valid(func(c *sample) { c.Description = strings.Repeat("x", 8<<20) })}, "bytes of names"},
		{"a result that no search can return", codemode.Options{}, []sample{valid(func(c *sample) { c.Summary = strings.Repeat("x", 64<<10) })}, "x.y"},
		{"a value that no frame can hold", codemode.Options{Limits: codemode.Limits{MaxValueBytes: 1<<31 - 10}}, []sample{valid(nil)}, "MaxValueBytes"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			err := build(c.options, c.capabilities...)
			wantClass(t, err, codemode.ErrInvalidRegistration)
			if !strings.Contains(err.Error(), c.diagnostic) {
				t.Errorf("got %v, want it to name %s", err, c.diagnostic)
			}
		})
	}
}

type nilAuthorizer struct{}

func (*nilAuthorizer) Authorize(context.Context, authz.AuthorizationInput) error { return nil }

func TestBuildAccepts(t *testing.T) {
	for rule, c := range map[string]sample{
		"a root that only looks like a module":     valid(func(c *sample) { c.Name = "time.now" }),
		"a nested name that is reserved as a root": valid(func(c *sample) { c.Name = "stats.sum" }),
		"16 search terms of 1,024 bytes":           valid(func(c *sample) { c.SearchTerms = strings.Fields(strings.Repeat(strings.Repeat("a", 64)+" ", 16)) }),
		"an effect with its flag":                  valid(func(c *sample) { c.Effect = codemode.EffectDestructive | codemode.EffectIdempotent }),
	} {
		if err := build(codemode.Options{}, c); err != nil {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

func TestBuildReturnsAllFaultsTogether(t *testing.T) {
	err := build(codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"gone"}},
		valid(func(c *sample) { c.Name = "first.one"; c.Handler = nil; c.Summary = "" }),
		valid(func(c *sample) { c.Name = "second.one"; c.SearchTerms = []string{""} }))
	wantClass(t, err, codemode.ErrInvalidRegistration)
	for _, want := range []string{`"first.one": Handler`, `"first.one": Summary`, `"second.one": SearchTerms`, "gone"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to contain %s", err, want)
		}
	}
}

func TestMissingAuthorizer(t *testing.T) {
	_, err := codemode.New(codemode.Options{}).Build()
	wantClass(t, err, codemode.ErrInvalidRegistration)
}

func TestBuilderIsOneShot(t *testing.T) {
	b := codemode.New(codemode.Options{}) // the first Build fails, and closes it all the same
	_, err := b.Build()
	wantClass(t, err, codemode.ErrInvalidRegistration)
	_, err = b.Build()
	wantClass(t, err, codemode.ErrInvalidRegistration)
	wantPanic(t, func() { codemode.Register(b, valid(nil)) })
	wantPanic(t, func() { codemode.Register(nil, valid(nil)) })
}

func wantPanic(t *testing.T, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("did not panic")
		}
	}()
	f()
}

func TestRegistrationCeiling(t *testing.T) {
	many := func(n int) []sample {
		capabilities := make([]sample, n)
		for i := range capabilities {
			capabilities[i] = valid(func(c *sample) { c.Name = codemode.CapabilityName(fmt.Sprintf("n%d.c%d", i%64, i)) })
		}
		return capabilities
	}
	if err := build(codemode.Options{}, many(4096)...); err != nil {
		t.Error(err)
	}
	wantClass(t, build(codemode.Options{}, many(4097)...), codemode.ErrInvalidRegistration)
}

func TestOptionsAndTermsAreCopied(t *testing.T) {
	disabled := []codemode.CapabilityID{"x.y"}
	terms := []string{"zebra"}
	b := codemode.New(codemode.Options{Authorizer: authz.AllowAll(), DisabledCapabilities: disabled})
	codemode.Register(b, valid(nil))
	codemode.Register(b, valid(func(c *sample) { c.Name = "x.z"; c.SearchTerms = terms }))
	disabled[0], terms[0] = "x.z", "lion"
	server, err := b.Build()
	wantClass(t, err, nil)
	defer server.Close()
	response, err := server.Search("zebra")
	if err != nil || len(response.Results) != 1 || response.Results[0].Name != "x.z" {
		t.Errorf("got %v, %v", response, err)
	}
}

func TestDisabledCapabilityLeavesNoTrace(t *testing.T) {
	w := newWorld(t, codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"records.entry.lookup"}})
	never, err := w.Search("records.lookup")
	if err != nil || len(never.Results) != 0 || never.Truncated {
		t.Errorf("got %v, %v", never, err)
	}
	_, err = w.Describe("records.lookup")
	wantClass(t, err, codemode.ErrNotFound)
	_, disabled := w.Execute(t.Context(), alice, "def main(): return records.lookup(key='a')")
	_, unknown := w.Execute(t.Context(), alice, "def main(): return records.lookuq(key='a')")
	if got, want := disabled.Error(), strings.ReplaceAll(unknown.Error(), "lookuq", "lookup"); got != want {
		t.Errorf("a disabled name reads %q, an unknown one %q", got, want)
	}
}

func TestReadOnlyWithholdsAllElse(t *testing.T) {
	w := newWorld(t, codemode.Options{ReadOnly: true})
	if info := w.Info(); fmt.Sprint(info.Namespaces) != "[{records 1}]" || !info.Effect.ReadOnly() {
		t.Errorf("got %+v", info)
	}
	_, err := w.Execute(t.Context(), alice, "def main(): return admin.purge(key='a')")
	wantClass(t, err, codemode.ErrInvalidProgram)
}

func TestInfoCombinesEffects(t *testing.T) {
	for _, c := range []struct {
		effects []codemode.Effect
		want    codemode.Effect
	}{
		{nil, codemode.EffectReadOnly},
		{[]codemode.Effect{codemode.EffectReadOnly, codemode.EffectAdditive | codemode.EffectIdempotent}, codemode.EffectAdditive},
		{[]codemode.Effect{codemode.EffectAdditive, codemode.EffectDestructive}, codemode.EffectDestructive},
		{[]codemode.Effect{codemode.EffectDestructive, codemode.EffectUnknown}, codemode.EffectUnknown},
	} {
		b := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
		for i, effect := range c.effects {
			codemode.Register(b, valid(func(s *sample) { s.Name = codemode.CapabilityName(fmt.Sprintf("x.c%d", i)); s.Effect = effect }))
		}
		server, err := b.Build()
		wantClass(t, err, nil)
		if got := server.Info().Effect; got != c.want {
			t.Errorf("%v: got %v, want %v", c.effects, got, c.want)
		}
		if err := errors.Join(server.Close()); err != nil {
			t.Error(err)
		}
	}
}
