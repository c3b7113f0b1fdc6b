package regotest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/rego/internal/policy"
	"github.com/open-policy-agent/opa/v1/ast"
)

// A Policy is a compiled decision under test. It remembers which rules have held so
// far. It is safe for concurrent use.
type Policy struct {
	query *policy.Query

	mu   sync.Mutex
	held map[*ast.Rule]bool
}

// New compiles a policy as rego.New does and ends the test if that fails.
func New(tb testing.TB, decision string, modules map[string]string) *Policy {
	tb.Helper()
	p, err := Compile(tb.Context(), decision, modules)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// Compile is [New] outside of a test, for tools that explain decisions.
func Compile(ctx context.Context, decision string, modules map[string]string) (*Policy, error) {
	query, err := policy.Prepare(ctx, decision, modules)
	if err != nil {
		return nil, err
	}
	return &Policy{query: query, held: make(map[*ast.Rule]bool)}, nil
}

// Files reads the files that match patterns, as [filepath.Glob] matches, and returns
// them as modules keyed by path with forward slashes. Relative patterns start
// at the directory of the package under test. A pattern that matches nothing ends
// the test: a policy that is silently absent decides nothing.
func Files(tb testing.TB, patterns ...string) map[string]string {
	tb.Helper()
	modules := make(map[string]string)
	for _, pattern := range patterns {
		names, err := filepath.Glob(pattern)
		if err != nil {
			tb.Fatalf("pattern %q: %v", pattern, err)
		}
		if len(names) == 0 {
			tb.Fatalf("pattern %q matches no file", pattern)
		}
		for _, name := range names {
			source, err := os.ReadFile(name)
			if err != nil {
				tb.Fatal(err)
			}
			modules[filepath.ToSlash(name)] = string(source)
		}
	}
	return modules
}

// Explain evaluates the decision for one call and says which rules decided.
func (p *Policy) Explain(ctx context.Context, input authz.AuthorizationInput) Explanation {
	var trace tracer
	result, err := p.query.Evaluate(ctx, input, &trace)
	explanation := Explanation{Outcome: outcomes[result], Err: err}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, rule := range trace.held {
		p.held[rule] = true
		if p.query.Decides(rule) {
			explanation.Deciding = append(explanation.Deciding, p.rule(rule))
		} else {
			explanation.Helping = append(explanation.Helping, p.rule(rule))
		}
	}
	return explanation
}

// Idle returns the rules that have held in no evaluation so far, in the order of files and
// lines: rules that no case needs, or that can never hold.
func (p *Policy) Idle() []Rule {
	p.mu.Lock()
	defer p.mu.Unlock()
	var idle []Rule
	modules := p.query.Modules()
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		ast.WalkRules(modules[name], func(rule *ast.Rule) bool {
			if !p.held[rule] {
				idle = append(idle, p.rule(rule))
			}
			return false
		})
	}
	return idle
}

func (p *Policy) rule(rule *ast.Rule) Rule {
	return newRule(rule, p.query.Title(rule))
}

// A Case is one call and the outcome that it should have.
type Case struct {
	// Name is the name of the subtest. Empty: made of subject and capability.
	Name string
	// Subject, Capability and Arguments are the call. Capability is the stable
	// ID; CapabilityName is the dotted name, by default the same.
	Subject        authz.SubjectID
	Capability     string
	CapabilityName string
	Arguments      map[string]any
	// Want is the outcome. It must be set.
	Want Outcome
	// Rule, if set, must be among the deciding rules. It is the title of a rule or
	// its place, such as policy.rego:7.
	Rule string
}

// Input returns the call of c as an authorizer gets it.
func (c Case) Input() authz.AuthorizationInput {
	name := c.CapabilityName
	if name == "" {
		name = c.Capability
	}
	return authz.AuthorizationInput{
		Subject:        authz.Subject{ID: c.Subject},
		CapabilityID:   c.Capability,
		CapabilityName: name,
		Arguments:      c.Arguments,
	}
}

// Run runs each case as a subtest of t. A case that comes out otherwise fails with the
// rules that decided; the others log them, which go test -v shows.
func (p *Policy) Run(t *testing.T, cases []Case) {
	t.Helper()
	for _, c := range cases {
		name := c.Name
		if name == "" {
			name = fmt.Sprintf("%s %s", c.Subject, c.Capability)
		}
		t.Run(name, func(t *testing.T) {
			t.Helper()
			explanation := p.Explain(t.Context(), c.Input())
			if problem := c.check(explanation); problem != "" {
				t.Errorf("%s\n%v", problem, explanation)
			} else {
				t.Log(explanation)
			}
		})
	}
}

// check returns what is wrong with e, or "".
func (c Case) check(e Explanation) string {
	switch {
	case c.Want == "":
		return "the case does not say what it wants"
	case e.Outcome != c.Want:
		return fmt.Sprintf("got %s, want %s", e.Outcome, c.Want)
	case c.Rule != "" && !slices.ContainsFunc(e.Deciding, func(r Rule) bool { return r.is(c.Rule) }):
		return fmt.Sprintf("got %s, but not by %q", e.Outcome, c.Rule)
	}
	return ""
}
