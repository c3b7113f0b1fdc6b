package search_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/codemode-go/codemode/search"
)

func TestTokenize(t *testing.T) {
	for _, test := range []struct {
		rule, text string
		want       string // tokens, separated by spaces
	}{
		{"blank text has no tokens", " \t\u00a0\u2003 ", ""},
		{"surrounding whitespace is trimmed", "\u3000 lookup\u2028", "lookup"},
		{"dots, underscores and hyphens separate", "a.b_c-d", "a b c d"},
		{"symbols separate", "🚀deploy+now", "deploy now"},
		{"letter-like numbers are neither letters nor digits", "x²y Ⅷ ½", "x y"},
		{"combining marks separate", "re\u0301sume", "re sume"},
		{"composed letters do not", "résumé", "résumé"},
		{"vowel signs of Devanagari are marks", "हिन्दी", "ह न द"},
		{"apostrophes separate", "don't", "don t"},
		{"invalid UTF-8 separates", "ab\xffcd", "ab cd"},
		{"camel case", "createReview", "create review"},
		{"camel case in other scripts", "поискДокумента ΑλφαΒητα", "поиск документа αλφα βητα"},
		{"acronym to word", "HTTPServer", "http server"},
		{"acronym at the end", "parseURL", "parse url"},
		{"acronym of two letters", "ABc", "a bc"},
		{"one upper-case letter begins a word", "GitHub", "git hub"},
		{"upper-case word", "README", "readme"},
		{"a title-case letter counts as upper case", "abǅcd", "ab ǆcd"},
		{"letter to number", "oauth2", "oauth 2"},
		{"number to letter", "2fa", "2 fa"},
		{"number to upper-case letter", "3D", "3 d"},
		{"several numbers", "k8s v1beta2", "k 8 s v 1 beta 2"},
		{"an acronym, a number and a word", "HTTP2Server", "http 2 server"},
		{"digits of other scripts are digits", "صفحة٣٤ page३", "صفحة ٣٤ page ३"},
		{"digits of different scripts are one number", "12٣٤", "12٣٤"},
		{"letters without case are one run", "查询记录", "查询记录"},
		{"the border of two scripts does not split", "session管理 管理API", "session管理 管理api"},
		{"lowered rune by rune, dotted capital i", "İstanbul IŞIK", "istanbul işik"},
		{"nothing is folded", "Straße ſ K ﬁ", "straße ſ k ﬁ"},
		{"nothing is stemmed", "pulls pull", "pulls pull"},
		{"repetitions and connectors stay", "to be or to be", "to be or to be"},
	} {
		want := strings.Fields(test.want)
		if len(want) == 0 {
			want = nil
		}
		if got := search.Tokenize(test.text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: Tokenize(%q): got %q, want %q", test.rule, test.text, got, want)
		}
	}
}

func FuzzTokenize(f *testing.F) {
	for _, seed := range []string{"", "GitHub.Pulls.createReview", "HTTP2Server", "session管理", "İ\xff", "ABc1", "ǅx", "e\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := search.Tokenize(text)
		var want []string
		for _, run := range runsOf(text) {
			want = append(want, run...)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("Tokenize(%q): got %q, want %q", text, got, want)
		}
	})
}

// runsOf is the contract's rule written down once more, as slowly and plainly
// as possible. It returns the tokens of each run.
func runsOf(text string) [][]string {
	var runs [][]string
	for _, run := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		runes := []rune(run)
		isUpper := func(i int) bool { return unicode.IsUpper(runes[i]) || unicode.IsTitle(runes[i]) }
		var tokens []string
		start := 0
		for i := 1; i <= len(runes); i++ {
			if i < len(runes) {
				camel := unicode.IsLower(runes[i-1]) && isUpper(i)
				acronym := i+1 < len(runes) && isUpper(i-1) && isUpper(i) && unicode.IsLower(runes[i+1])
				number := unicode.IsDigit(runes[i-1]) != unicode.IsDigit(runes[i])
				if !camel && !acronym && !number {
					continue
				}
			}
			var token []rune
			for _, r := range runes[start:i] {
				token = append(token, unicode.ToLower(r))
			}
			tokens = append(tokens, string(token))
			start = i
		}
		runs = append(runs, tokens)
	}
	return runs
}
