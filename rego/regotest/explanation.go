package regotest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/codemode-go/codemode/rego/internal/policy"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// An Outcome is what a decision came to.
type Outcome string

// The outcomes. Only the first two are decisions; the others reach a client as a
// policy failure.
const (
	Allow      Outcome = "allow"
	Deny       Outcome = "deny"
	Undefined  Outcome = "undefined"
	NotBoolean Outcome = "not boolean"
	Fail       Outcome = "fail"
)

var outcomes = map[policy.Outcome]Outcome{
	policy.Allowed:    Allow,
	policy.Denied:     Deny,
	policy.Undefined:  Undefined,
	policy.NotBoolean: NotBoolean,
	policy.Failed:     Fail,
}

// An Explanation is the outcome of one decision and how it came about.
type Explanation struct {
	Outcome Outcome
	// Deciding holds the rules whose value became the decision, in the order in which
	// they held: none if it is undefined, several if they contradict each other.
	Deciding []Rule
	// Helping holds the other rules that held, in the order in which they held.
	Helping []Rule
	// Err is why the evaluation failed. It is nil unless Outcome is Fail.
	Err error
}

// String returns the outcome and, a line each, the rules.
func (e Explanation) String() string {
	var text strings.Builder
	text.WriteString(string(e.Outcome))
	if e.Err != nil {
		fmt.Fprintf(&text, ": %v", e.Err)
	}
	for _, rule := range e.Deciding {
		fmt.Fprintf(&text, "\n  by   %v", rule)
	}
	for _, rule := range e.Helping {
		fmt.Fprintf(&text, "\n  with %v", rule)
	}
	return text.String()
}

// A Rule is one rule of a policy.
type Rule struct {
	// File and Line are the place of the rule: the filename of its module.
	File string
	Line int
	// Path is what the rule defines, such as data.codemode.authz.allow.
	Path string
	// Title is the title in the metadata of the rule, or "".
	Title string
	// Default is whether it is a default rule.
	Default bool
	// Text is its source on one line, cut where it gets long.
	Text string
}

const maxTextRunes = 100

func newRule(rule *ast.Rule, title string) Rule {
	source := string(rule.Location.Text)
	if rule.Default { // whose location covers the keyword alone
		source = rule.String()
	}
	text := strings.Join(strings.Fields(source), " ")
	if runes := []rune(text); len(runes) > maxTextRunes {
		text = string(runes[:maxTextRunes]) + "…"
	}
	return Rule{
		File:    rule.Location.File,
		Line:    rule.Location.Row,
		Path:    rule.Ref().String(),
		Title:   title,
		Default: rule.Default,
		Text:    text,
	}
}

// String returns the place of the rule with its title or, failing that, its text.
func (r Rule) String() string {
	if r.Title != "" {
		return r.place() + ": " + r.Title
	}
	return r.place() + ": " + r.Text
}

func (r Rule) place() string { return fmt.Sprintf("%s:%d", r.File, r.Line) }

func (r Rule) is(name string) bool {
	return name == r.place() || r.Title != "" && name == r.Title
}

// A tracer collects the rules that held, each once. OPA reports a rule as exited when
// its body held.
type tracer struct{ held []*ast.Rule }

var _ topdown.QueryTracer = (*tracer)(nil)

func (t *tracer) Enabled() bool { return true }

func (t *tracer) Config() topdown.TraceConfig { return topdown.TraceConfig{} }

func (t *tracer) TraceEvent(event topdown.Event) {
	if event.Op != topdown.ExitOp {
		return
	}
	if rule, ok := event.Node.(*ast.Rule); ok && !slices.Contains(t.held, rule) {
		t.held = append(t.held, rule)
	}
}
