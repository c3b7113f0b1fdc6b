package policy_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/rego/internal/policy"
	"github.com/open-policy-agent/opa/v1/ast"
)

var update = flag.Bool("update", false, "write testdata/removed.golden anew")

// TestRemovedBuiltins shows what an OPA version takes from policies: a new version
// that marks another builtin changes the golden file, in plain sight.
func TestRemovedBuiltins(t *testing.T) {
	kept := make(map[string]bool)
	for _, builtin := range policy.Capabilities().Builtins {
		if builtin.IsNondeterministic() {
			t.Errorf("%s is nondeterministic", builtin.Name)
		}
		kept[builtin.Name] = true
	}
	var removed strings.Builder
	for _, builtin := range ast.CapabilitiesForThisVersion().Builtins {
		if kept[builtin.Name] == builtin.IsNondeterministic() {
			t.Errorf("%s: kept %v, nondeterministic %v", builtin.Name, kept[builtin.Name], builtin.IsNondeterministic())
		}
		if !kept[builtin.Name] {
			removed.WriteString(builtin.Name + "\n")
		}
	}
	const golden = "testdata/removed.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(removed.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := removed.String(); got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestNoHostIsAllowed(t *testing.T) {
	if hosts := policy.Capabilities().AllowNet; hosts == nil || len(hosts) != 0 {
		t.Errorf("got %#v, want an empty list that is not nil", hosts)
	}
}

func TestCapabilitiesAreFresh(t *testing.T) {
	before := len(ast.Builtins)
	first := policy.Capabilities()
	first.Builtins[0] = nil
	if policy.Capabilities().Builtins[0] == nil || len(ast.Builtins) != before {
		t.Error("the list of one policy is the list of another")
	}
}
