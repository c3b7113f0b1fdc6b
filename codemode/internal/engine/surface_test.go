package engine_test

import (
	"strings"
	"testing"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/codemode-go/codemode/codemode/internal/engine"
)

var (
	topLevel = strings.Fields(`False None True abs all any bool bytes chr dict dir enumerate fail float getattr hasattr hash int json len list
		math max min ord print range repr reversed sorted str sum tuple type zip`)
	unavailable = strings.Fields(`set time load module struct proto Universe __builtins__ map filter open isinstance`)
)

func TestSurfaceIsExact(t *testing.T) {
	h := newHost(t)
	for _, name := range topLevel {
		if got := classOf(t, h, "def main():\n    x = "+name+"\n    return 1\n"); got != engine.OK {
			t.Errorf("%s: got %v, want it available", name, got)
		}
	}
	for _, name := range unavailable {
		if got := classOf(t, h, "def main():\n    x = "+name+"\n    return 1\n"); got != engine.InvalidProgram {
			t.Errorf("%s: got %v, want it unavailable", name, got)
		}
	}
	// What a later interpreter adds is not part of the surface, but the
	// lists should be looked at.
	known := " set " + strings.Join(topLevel, " ") + " "
	for name := range starlark.Universe {
		if !strings.Contains(known, " "+name+" ") {
			t.Errorf("the interpreter has %s: decide whether the surface has it", name)
		}
	}
}

func TestUniverseAdditionsStayOut(t *testing.T) {
	starlark.Universe["extra"] = starlark.True
	defer delete(starlark.Universe, "extra")
	if got := outcome(t, newHost(t).run(t, "def main():\n    return extra\n")); !strings.Contains(got, "undefined: extra") {
		t.Errorf("got %s", got)
	}
}

func TestReservedRoots(t *testing.T) {
	for _, name := range append([]string{"set"}, topLevel...) {
		if !engine.ReservedRoot(name) {
			t.Errorf("%s: want it reserved", name)
		}
	}
	for _, name := range []string{"records", "time", "stats", "SET", "none", "load", ""} {
		if engine.ReservedRoot(name) {
			t.Errorf("%s: want it free", name)
		}
	}
}

// TestIdentifiersAreThoseOfTheParser compares with what the interpreter takes.
func TestIdentifiersAreThoseOfTheParser(t *testing.T) {
	words := strings.Fields(`a _ a1 _1 1a é 日本 aé a-b a.b a$ and as assert async await break class continue def del elif else except exec
		finally for from global if import in is lambda load match nonlocal not or pass print raise return self try type while with yield
		True None x١ ٣x a̧ ª ǅ`)
	for _, word := range append(words, "", " ", "a b", " a", "a ", "a\n", "a#", "\xff", "a\xff", "a\x00") {
		e, err := (&syntax.FileOptions{}).ParseExpr("", word, 0)
		ident, ok := e.(*syntax.Ident)
		want := err == nil && ok && ident.Name == word
		if got := engine.IsIdentifier(word); got != want {
			t.Errorf("%q: got %v, want %v", word, got, want)
		}
	}
}
