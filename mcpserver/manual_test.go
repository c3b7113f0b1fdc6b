package mcpserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
)

// cut is where clients in the field cut descriptions and instructions.
const cut = 2048

func descriptions(t testing.TB) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	for _, tool := range listTools(t, newServer(t, &fakeService{})) {
		texts[tool.Name] = tool.Description
	}
	return texts
}

func instructionsOf(t testing.TB, service mcpserver.Service, options ...mcpserver.Options) string {
	t.Helper()
	return connect(t, newServer(t, service, options...), nil).InitializeResult().Instructions
}

func TestNoTextIsLongerThanClientsShow(t *testing.T) {
	for tool, description := range descriptions(t) {
		if len(description) > cut {
			t.Errorf("%s: got a description of %d bytes, want at most %d", tool, len(description), cut)
		}
	}
	if got := len(instructionsOf(t, manyNamespaces(4096, "n"))); got > cut {
		t.Errorf("got instructions of %d bytes, want at most %d", got, cut)
	}
}

// A model has nothing else to learn the tools from.
func TestDescriptionsTellWhatModelsNeed(t *testing.T) {
	facts := map[string][]string{
		"search_api": {
			"about three distinctive words", "one word at a time", "exact dotted name", "describe_api", "not MCP tools",
			"truncated", "no next page", "more precisely", "synonyms", "16 different words", "white space counts", "two thirds",
			"resource limit exceeded", "unauthenticated",
			"a, an, and, by, for, from, in, of, on, or, the, to, with",
		},
		"describe_api": {
			"exact dotted name", "search_api", "not an MCP tool", "Case and white space count",
			"list[T]", "dict[str, T]", "{field: T, optional?: U}", "T | None", "never on signature", "list of ints",
			"capability not found", "unauthenticated",
		},
		"execute": {
			"def main():", "without parameters", "only inside it", "Keyword arguments only", "2.0, not 2", "search_api and describe_api",
			"not MCP tools", "return only what you need", "64-bit int", "finite float", "str keys", "print output", "starts fresh",
			"import", "load", "while", "f-strings", "filter", "map", "try", "comprehensions", "json.decode/encode/indent", "math.*",
			"sum(iterable)", "No time module", "{result: value}", "keys of dicts come sorted", "== None", "math.round", "no width or precision", "<codemode>:line:col",
		},
	}
	for tool, description := range descriptions(t) {
		if len(facts[tool]) == 0 {
			t.Errorf("tool %s has no facts in the table", tool)
		}
		for _, fact := range facts[tool] {
			if !strings.Contains(description, fact) {
				t.Errorf("%s: the description does not have %q", tool, fact)
			}
		}
	}
}

// The language surface is fixed; the description lists it in full.
func TestExecuteListsTheLanguageSurface(t *testing.T) {
	const surface = "abs, all, any, bool, bytes, chr, dict, dir, enumerate, fail, float, getattr, hasattr, hash, int, len, list, max, min, " +
		"ord, print, range, repr, reversed, sorted, str, sum, tuple, type, zip"
	description := descriptions(t)["execute"]
	_, list, _ := strings.Cut(description, "Built in: ")
	list, _, _ = strings.Cut(list, "\n")
	words := strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == ',' || r == '(' })
	listed := make(map[string]bool)
	for _, word := range words {
		listed[word] = true
	}
	for _, name := range strings.Split(surface, ", ") {
		if !listed[name] {
			t.Errorf("builtin %s is not listed", name)
		}
	}
}

// A model that meets a failure finds out what to do about it.
func TestEveryFailureHasARecovery(t *testing.T) {
	texts := descriptions(t)
	for failure := range mcpserver.FailureTexts() {
		tool := "execute"
		if failure == codemode.ErrNotFound.Error() {
			tool = "describe_api"
		}
		_, rest, ok := strings.Cut(texts[tool], `"`+failure+`"`)
		if advice, _, _ := strings.Cut(rest, "\n"); !ok || !strings.Contains(advice, ": ") {
			t.Errorf("%s: no advice for %q", tool, failure)
		}
	}
}

func TestInstructionsGuideAndListNamespaces(t *testing.T) {
	service := withInfo{&fakeService{}, codemode.Info{Namespaces: []codemode.NamespaceInfo{
		{Name: "admin", Capabilities: 1}, {Name: "github", Capabilities: 120}, {Name: "records", Capabilities: 5}, {Name: "slow", Capabilities: 1},
	}}}
	got := instructionsOf(t, service)
	for _, fact := range []string{
		"about three distinctive words", "single words", "search_api", "describe_api", "execute", "not MCP tools", "main()",
		"capability not found", "invalid program", "invalid capability arguments", "resource limit exceeded", "permission denied",
		"authorization policy failure", "unauthenticated",
	} {
		if !strings.Contains(got, fact) {
			t.Errorf("the instructions do not have %q", fact)
		}
	}
	if want := "\n\nAPIs by namespace: github (120), records (5), admin (1), slow (1)"; !strings.HasSuffix(got, want) {
		t.Errorf("got instructions %q, want the end %q", got, want)
	}
	if got := instructionsOf(t, &fakeService{}); strings.Contains(got, "namespace") {
		t.Errorf("got instructions %q of a service without Info, want no namespaces", got)
	}
}

// manyNamespaces is a service with n namespaces, whose names begin with prefix.
func manyNamespaces(n int, prefix string) mcpserver.Service {
	info := codemode.Info{}
	for i := range n {
		info.Namespaces = append(info.Namespaces, codemode.NamespaceInfo{Name: fmt.Sprintf("%s%04d", prefix, i), Capabilities: 1 + i})
	}
	return withInfo{&fakeService{}, info}
}

func TestNamespacesStayInTheirBudget(t *testing.T) {
	for _, prefix := range []string{"n", "namespace", strings.Repeat("n", 200), strings.Repeat("n", 2000)} {
		for _, n := range []int{1, 2, 3, 60, 4096} {
			_, list, found := strings.Cut(instructionsOf(t, manyNamespaces(n, prefix)), "APIs by namespace: ")
			if !found {
				if len(prefix) < mcpserver.NamespaceBytes/2 {
					t.Errorf("%d namespaces of %d bytes: got no list", n, len(prefix))
				}
				continue
			}
			if got := len("APIs by namespace: ") + len(list); got > mcpserver.NamespaceBytes {
				t.Errorf("%d namespaces of %d bytes: got %d bytes, want at most %d", n, len(prefix), got, mcpserver.NamespaceBytes)
			}
			if largest := fmt.Sprintf("%s%04d (%d)", prefix, n-1, n); !strings.HasPrefix(list, largest) {
				t.Errorf("%d namespaces: got %.80q, want the largest first", n, list)
			}
			shown := strings.Count(list, "(")
			rest := fmt.Sprintf(", and %d more namespaces", n-shown)
			if strings.HasSuffix(list, rest) != (shown < n) {
				t.Errorf("%d namespaces, %d shown: got %.80q…, want the rest counted", n, shown, list)
			}
		}
	}
}
