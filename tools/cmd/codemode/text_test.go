package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// valueWords are what the help calls the values of flags.
var valueWords = []string{
	"address", "audience", "command", "directory", "duration", "file", "format", "header", "ID", "issuer", "level", "name", "number", "reference", "URL",
}

func TestHelpReadsAsUsual(t *testing.T) {
	flagLine := regexp.MustCompile(`^  (-[a-z], |    )--[a-z-]+(\[=([a-zA-Z]+)\]| ([a-zA-Z]+))?   +\S.*$`)
	walk(newRoot(), func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		cmd.InitDefaultVersionFlag()
		_, list, found := strings.Cut(cmd.UsageString(), "\nFlags:\n")
		if !found {
			t.Errorf("%s: no flags", cmd.CommandPath())
		}
		list, _, _ = strings.Cut(list, "\n\n")
		for line := range strings.Lines(list) {
			parts := flagLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if parts == nil {
				t.Errorf("%s: got line %q", cmd.CommandPath(), line)
				continue
			}
			if word := parts[3] + parts[4]; word != "" && !slices.Contains(valueWords, word) {
				t.Errorf("%s: got line %q, want one of %q for the value", cmd.CommandPath(), line, valueWords)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if value, _ := pflag.UnquoteUsage(f); !strings.Contains(list, "--"+f.Name) || value != "" && !strings.Contains(f.Usage, "`"+value+"`") {
				t.Errorf("%s: --%s: not listed, or without a word for its value", cmd.CommandPath(), f.Name)
			}
		})
		switch cmd.Name() {
		case "bench":
			wantText(t, list, "      --time duration   measure for this duration, at least five rounds (default 30s)\n")
		case "search":
			wantText(t, list, "      --explain[=name] ", "      --json   ", "  -h, --help   ", "      --header header ")
		}
	})
}

func walk(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, sub := range cmd.Commands() {
		walk(sub, visit)
	}
}

func wantText(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("got\n%s\nwant %q in it", text, part)
		}
	}
}

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
