package main

import (
	"go/token"
	"testing"
)

func TestFragments(t *testing.T) {
	for _, test := range []struct {
		name, text string
		ok         bool
	}{
		{"declarations", "type T struct{ A int }\n\nfunc (T) M() {}\n", true},
		{"statements", "x, err := f()\nif err != nil {\n\treturn err\n}\n", true},
		{"imports and statements", "import (\n\t\"fmt\"\n)\n\nfmt.Println(1)\n", true},
		{"imports and declarations", "import \"fmt\"\n\nfunc f() { fmt.Println(1) }\n", true},
		{"a function without a body", "func New(a int) (*T, error)\n", true},
		{"elided statement", "if err != nil {\n\t…\n}\n", true},
		{"elided expression and body", "T{Handler: func() error { … }, Limit: …}\n", true},
		{"nothing", "", true},
		{"half a call", "f(1,\n", false},
		{"another language", "def main():\n    return 1\n", false},
		{"statements beside declarations", "type T struct{}\nfunc (T) M() {}\nT{}.M()\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := parseFragment(token.NewFileSet(), test.text); (err == nil) != test.ok {
				t.Errorf("got error %v, want ok: %t", err, test.ok)
			}
		})
	}
}

func TestWholeFiles(t *testing.T) {
	for text, want := range map[string]bool{
		"package main\n":                         true,
		"// Comment.\n\n//go:build x\npackage a": true,
		"import \"fmt\"\n":                       false,
		"// package main starts here\nf()\n":     false,
		"x := 1\npackage main\n":                 false,
	} {
		if got := isFile(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

func TestShownOutput(t *testing.T) {
	for _, test := range []struct {
		name, shown, printed string
		ok                   bool
	}{
		{"equal", "a\nb\n", "a\nb\n", true},
		{"spaces at the ends", "a  \n\n", "a\n", true},
		{"different", "a\n", "b\n", false},
		{"more than shown", "a\n", "a\nb\n", false},
		{"less than shown", "a\nb\n", "a\n", false},
		{"any lines", "a\n…\nz\n", "a\nb\nc\nz\n", true},
		{"any lines may be none", "a\n...\nz\n", "a\nz\n", true},
		{"any end", "a\n…\n", "a\nb\n", true},
		{"any text in a line", "took … ms\n", "took 12 ms\n", true},
		{"any text ends with its line", "took … ms\n", "took 12\nor 13 ms\n", false},
		{"no pattern", "a.b\n", "axb\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := expected(test.shown).MatchString(trimLines(test.printed)); got != test.ok {
				t.Errorf("got %t, want %t", got, test.ok)
			}
		})
	}
}

func TestCalls(t *testing.T) {
	for text, want := range map[string]bool{
		"codemode run x.star":          true,
		"echo x | codemode run -":      true,
		"cd x && codemode doctor":      true,
		"go install x/codemode@latest": false,
		"ls codemode":                  false,
		"codemode-other":               false,
	} {
		if got := calls.MatchString(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

func TestIncrement(t *testing.T) {
	for _, test := range []struct {
		version string
		part    part
		want    string
	}{
		{"v0.1.0", patch, "v0.1.1"},
		{"v0.1.9", minor, "v0.2.0"},
		{"v1.2.3", major, "v2.0.0"},
		{"v0.2.0-rc.1", minor, "v0.2.0"},
	} {
		if got := increment(test.version, test.part); got != test.want {
			t.Errorf("%s, %s: got %s, want %s", test.version, test.part, got, test.want)
		}
	}
}
