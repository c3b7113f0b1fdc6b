package main

import (
	"slices"
	"strings"
	"testing"
)

func TestSplitWords(t *testing.T) {
	for _, tt := range []struct {
		command string
		want    []string // nil: refused
	}{
		{"server", []string{"server"}},
		{"  server\t--flag  value\n", []string{"server", "--flag", "value"}},
		{`server "two words" 'and "these"'`, []string{"server", "two words", `and "these"`}},
		{`server --name="a b"c`, []string{"server", "--name=a bc"}},
		{`server "say \"hi\" \\ \n"`, []string{"server", `say "hi" \ \n`}},
		{`C:\bin\server.exe C:\data`, []string{`C:\bin\server.exe`, `C:\data`}},
		{`server ''`, []string{"server", ""}},
		{``, nil}, {`  `, nil}, {`"unclosed`, nil}, {`server 'x`, nil}, {`'' x`, nil},
	} {
		got, err := splitWords(tt.command)
		if tt.want == nil && err == nil || tt.want != nil && !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q and %v, want %q", tt.command, got, err, tt.want)
		}
	}
}

func TestLayOut(t *testing.T) {
	for _, tt := range []struct{ notation, want string }{
		{"list[str]", "list[str]"},
		{"list[{name: str, values: dict[str, list[{deep: int, deeper: {a: bool, b: float}}]], last: str | None}]",
			`list[{
    name: str,
    values: dict[str, list[{
      deep: int,
      deeper: {
        a: bool,
        b: float
      }
    }]],
    last: str | None
  }]`},
	} {
		if got := layOut(tt.notation, 2); got != tt.want {
			t.Errorf("got\n%s\nwant\n%s", got, tt.want)
		}
	}
}

func TestColourJSON(t *testing.T) {
	got := string(colourJSON([]byte(`{"a\"": ["b", 1, true], "c": "\\"}`)))
	want := strings.NewReplacer("<", "\x1b[36m", "(", "\x1b[32m", ">", "\x1b[0m").Replace(`{<"a\"">: [("b">, 1, true], <"c">: ("\\">}`)
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
