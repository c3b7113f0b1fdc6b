package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

func registering(edit func(*sample)) add {
	return func(b *codemode.Builder) { codemode.Register(b, valid(edit)) }
}

func named(name string) add {
	return registering(func(c *sample) { c.Name = codemode.CapabilityName(name) })
}

// TestReservedRoots: every universe name, sum, json and math, as a root only.
func TestReservedRoots(t *testing.T) {
	roots := []string{"sum", "json", "math", "set", "list", "str", "type", "print", "range", "min", "max"}
	for name := range starlark.Universe {
		roots = append(roots, name)
	}
	for _, root := range roots {
		refused(t, codemode.Options{}, []string{root + ".leaf"}, named(root+".leaf"))
	}
	var nested []add
	for i, root := range roots {
		nested = append(nested, named(fmt.Sprintf("ns%d.%s", i, root)), named(fmt.Sprintf("deep%d.%s.leaf", i, root)))
	}
	nested = append(nested, named("time.now"), named("datetime.now"), named("lists.all"), named("Sum.all"), named("jsons.all"), named("main.run"), named("x.main"))
	server := start(t, codemode.Options{}, nested...)
	wantValue(t, server, body("return [ns0.sum(key='a'), deep0.sum.leaf(key='a'), time.now(key='a'), x.main(key='a')]"), "[{},{},{},{}]")
}

func TestNamesAreDottedIdentifiers(t *testing.T) {
	for _, name := range []string{
		"", ".", "a", "a.", ".a", "a..b", "a.b.", "a b.c", " a.b", "a.b ", "a.b\n", "a.1b", "1a.b", "a-b.c", "a.b-c", "a.b()", "a/b.c", "a.$b", "a.b\x00",
		"and.x", "x.and", "x.break", "x.continue", "x.def", "x.elif", "x.else", "x.for", "x.if", "x.in", "x.lambda", "x.load", "x.not", "x.or", "x.pass", "x.return", "x.while",
		"x.as", "x.class", "x.del", "x.except", "x.finally", "x.from", "x.global", "x.import", "x.is", "x.nonlocal", "x.raise", "x.try", "x.with", "x.yield",
		"x.async.y", "x.a\xff", "x.\u00b2", "x.a\u200bb", "x.‑",
	} {
		refused(t, codemode.Options{}, nil, named(name))
	}
	names := []string{"a.b", "_a._b", "a1.b2", "A.B", "a.B", "a.b1.c1.d1.e1", "größe.länge", "データ.検索", "x.None", "x.True", "x.dict", "x.self", "x." + strings.Repeat("n", 2000)}
	var adds []add
	for _, name := range names {
		adds = append(adds, named(name))
	}
	server := start(t, codemode.Options{}, adds...)
	for _, name := range names {
		wantValue(t, server, body("return "+name+"(key='a')"), "{}")
	}
}

func TestIDs(t *testing.T) {
	id := func(name, id string) add {
		return registering(func(c *sample) { c.Name, c.ID = codemode.CapabilityName(name), codemode.CapabilityID(id) })
	}
	for _, bad := range []string{" ", " a", "a ", "\ta", "a\n", "\u00a0a", "a\u2003"} {
		refused(t, codemode.Options{}, []string{"x.y"}, id("x.y", bad))
	}
	if _, err := tryStart(codemode.Options{}, id(" x.y", "")); err == nil || strings.Contains(err.Error(), "ID:") {
		t.Errorf("got %v, want the fault of the name alone: the ID was left out", err)
	}
	refused(t, codemode.Options{}, []string{"x.b", "same"}, id("x.a", "same"), id("x.b", "same"))
	refused(t, codemode.Options{}, []string{"x.b"}, id("x.a", ""), id("x.b", "x.a"))   // the default of one is the ID of the other
	refused(t, codemode.Options{}, []string{"x.a"}, id("x.a", "1"), id("x.a", "2"))    // names are unique too
	refused(t, codemode.Options{}, []string{"x.a.b"}, id("x.a.b", "1"), id("x.a", "")) // in either order
	refused(t, codemode.Options{}, []string{"x.a.b.c"}, id("x.a", "1"), id("x.a.b.c", "2"))

	var seen []string
	server := start(t, codemode.Options{Authorizer: authorizerFunc(func(_ context.Context, in authz.AuthorizationInput) error {
		seen = append(seen, in.CapabilityID+"="+in.CapabilityName)
		return nil
	})}, id("x.a", ""), id("x.ab", "any text: é/0 with spaces"), id("x.c", "x.d"), id("x.d", "x.c"), id("X.A", "x.A"))
	_, err := do(t, server, body("x.a(key='')\nx.ab(key='')\nx.c(key='')\nx.d(key='')\nX.A(key='')"))
	wantClass(t, err, nil)
	if got, want := strings.Join(seen, ","), "x.a=x.a,any text: é/0 with spaces=x.ab,x.d=x.c,x.c=x.d,x.A=X.A"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestSearchTermsAreBounded(t *testing.T) {
	terms := func(terms ...string) add { return registering(func(c *sample) { c.SearchTerms = terms }) }
	repeat := func(n, size int) (terms []string) {
		for range n {
			terms = append(terms, strings.Repeat("t", size))
		}
		return terms
	}
	for rule, bad := range map[string][]string{
		"17 phrases": repeat(17, 1), "1,025 bytes in one": repeat(1, 1025), "1,025 bytes together": append(repeat(15, 64), strings.Repeat("t", 65)),
		"1,026 bytes of two-byte letters": {strings.Repeat("é", 513)}, "empty": {"a", ""}, "blank": {" "}, "leading space": {" a"}, "trailing newline": {"a\n"},
	} {
		t.Run(rule, func(t *testing.T) { refused(t, codemode.Options{}, []string{"x.y", "SearchTerms"}, terms(bad...)) })
	}
	for rule, good := range map[string][]string{
		"none": nil, "16 of 64 bytes": repeat(16, 64), "one of 1,024 bytes": repeat(1, 1024), "512 two-byte letters": {strings.Repeat("é", 512)}, "phrases": {"fetch entry", "find stored item"},
	} {
		server, err := tryStart(codemode.Options{}, terms(good...))
		if err != nil {
			t.Errorf("%s: %v", rule, err)
			continue
		}
		_ = server.Close()
	}
}

// TestSearchTermsAreForSearchOnly: they find, and are returned nowhere and
// called nothing.
func TestSearchTermsAreForSearchOnly(t *testing.T) {
	terms := []string{"fetch entry", "alias.name"}
	server := start(t, codemode.Options{}, registering(func(c *sample) { c.SearchTerms = terms }), func(*codemode.Builder) { terms[0] = "changed later" })
	response, err := server.Search("fetch entry")
	if err != nil || len(response.Results) != 1 || response.Results[0].Name != "x.y" {
		t.Fatalf("got %v, %v", response, err)
	}
	d, err := server.Describe("x.y")
	wantClass(t, err, nil)
	for _, text := range []string{asJSON(t, response), asJSON(t, d)} {
		if strings.Contains(text, "fetch") || strings.Contains(text, "alias") {
			t.Errorf("got %s, which holds a search term", text)
		}
	}
	_, err = server.Describe("alias.name")
	wantClass(t, err, codemode.ErrNotFound)
	wantFault(t, server, body("return alias.name(key='a')"), codemode.ErrInvalidProgram)
	_, err = do(t, server, body("return alias.name(key='a')"))
	if strings.Contains(err.Error(), "x.y") {
		t.Errorf("got %v, which betrays what the term belongs to", err)
	}
}

func TestSummaryAndDescription(t *testing.T) {
	for _, bad := range []string{"", " ", " a", "a ", "a\n", "\u00a0a"} {
		refused(t, codemode.Options{}, []string{"x.y", "Summary"}, registering(func(c *sample) { c.Summary = bad }))
		if bad != "" {
			refused(t, codemode.Options{}, []string{"x.y", "Description"}, registering(func(c *sample) { c.Description = bad }))
		}
	}
	server := start(t, codemode.Options{},
		registering(func(c *sample) { c.Name, c.Summary = "x.default", "Text <&> é." }),
		registering(func(c *sample) { c.Name, c.Summary, c.Description = "x.own", "Short.", "Long\n\n  text." }))
	for name, want := range map[codemode.CapabilityName]string{"x.default": "Text <&> é.", "x.own": "Long\n\n  text."} {
		d, err := server.Describe(name)
		if err != nil || d.Description != want {
			t.Errorf("%s: got %q, %v, want %q", name, d.Description, err, want)
		}
	}
}

// TestAllFaultsInOneError: every faulty capability, each fault with its name,
// and those of the options too.
func TestAllFaultsInOneError(t *testing.T) {
	b := codemode.New(codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"gone"}, Limits: codemode.Limits{MaxValueBytes: -1, MaxSearchResults: -2}})
	for i := range 20 {
		codemode.Register(b, valid(func(c *sample) { c.Name = codemode.CapabilityName(fmt.Sprintf("f.c%d", i)); c.Handler = nil }))
	}
	output[box[chan int]](b)
	named("list.all")(b)
	named("f.c0")(b)
	_, err := b.Build()
	wantClass(t, err, codemode.ErrInvalidRegistration)
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		t.Errorf("got %T, want a joined error", err)
	}
	for i := range 20 {
		if want := fmt.Sprintf(`"f.c%d": Handler`, i); !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to contain %s", err, want)
		}
	}
	for _, want := range []string{"bad.type", "list.all", "twice", "Authorizer", "gone", "MaxValueBytes", "MaxSearchResults"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to contain %s", err, want)
		}
	}
}
