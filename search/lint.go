package search

import (
	"fmt"
	"slices"
	"strings"
)

// The rules of [Lint].
const (
	RuleCatalog         = "catalog"
	RuleOwnSummary      = "own-summary"
	RuleVagueSummary    = "vague-summary"
	RuleUnexplainedName = "unexplained-name"
	RuleNearDuplicate   = "near-duplicate"
)

// A Finding is one thing that makes a document hard to find.
type Finding struct {
	Name    string // the document's name
	Rule    string // the rule that found it, a stable word
	Message string // what is wrong, one line
}

func (f Finding) String() string { return fmt.Sprintf("%s: %s (%s)", f.Name, f.Message, f.Rule) }

// Lint reports what makes the documents of a catalog hard to find, in the
// order of names. The findings are advice.
//
// A rule is here only if the documents that it flags are mostly found worse than
// the others in five public catalogs with labelled queries. The numbers are
// the mean reciprocal ranks of flagged / other documents, for three-word queries
// in the strict mode, one pair for each catalog in which it flags any that a
// query asks for:
//
//   - own-summary: the words of the summary, as a query, do not put the
//     document first. 0.17/0.35, 0.39/0.38, 0.42/0.50, 0.33/0.69.
//   - vague-summary: every word of the summary is held by more than a
//     hundredth of the catalog, so it has nothing that a task could be
//     recognised by. 0.26/0.31, 0.08/0.35, 0.18/0.39, 0.44/0.50, 0.61/0.69.
//   - unexplained-name: no word of the name's last part is in the summary or
//     the description. 0.31/0.31, 0.06/0.38, 0.35/0.38, 0.42/0.51.
//   - near-duplicate: another document has three quarters of the words, so few
//     queries can tell the two apart. 0.00/0.31, 0.44/0.34, 0.21/0.38,
//     0.50/0.49, 0.56/0.69.
//
// Other rules did not pass. Terms that repeat the name: removing them moves no
// catalog by more than 0.004, in either direction. Summaries that are short,
// that only repeat the name, or that are long; descriptions that are short or
// long; documents without a word of their own: found better in some catalogs
// and worse in others.
//
// A catalog that [New] refuses has one finding, by the rule "catalog".
func Lint(documents []Document) []Finding {
	ix, err := New(documents, Options{})
	if err != nil {
		return []Finding{{Rule: RuleCatalog, Message: err.Error()}}
	}
	l := newLinter(ix, documents)
	var findings []Finding
	for i := range l.texts {
		for _, rule := range []struct {
			name  string
			check func(i int) string
		}{
			{RuleOwnSummary, l.ownSummary},
			{RuleVagueSummary, l.vagueSummary},
			{RuleUnexplainedName, l.unexplainedName},
			{RuleNearDuplicate, l.nearDuplicate},
		} {
			if message := rule.check(i); message != "" {
				findings = append(findings, Finding{l.texts[i].name, rule.name, message})
			}
		}
	}
	return findings
}

// A linter holds the words of each document, in the order of names.
type linter struct {
	index   *Index
	texts   []lintText
	holders map[string][]int // by word, the documents that hold it anywhere
	bodies  map[string][]int // by word, those that hold it in their body
}

// A lintText holds distinct words, connectors left out.
type lintText struct {
	name    string
	leaf    []string // of the last part of the name
	summary []string
	prose   []string // of summary and description
	body    []string // of leaf and prose, from rare to common
}

func newLinter(ix *Index, documents []Document) *linter {
	l := &linter{ix, make([]lintText, ix.Len()), map[string][]int{}, map[string][]int{}}
	for i, e := range ix.documents {
		d := &documents[e.position]
		leaf := d.Name[strings.LastIndexByte(d.Name, '.')+1:]
		l.texts[i] = lintText{
			name:    d.Name,
			leaf:    words(leaf),
			summary: words(d.Summary),
			prose:   words(d.Summary, d.Description),
			body:    words(leaf, d.Summary, d.Description),
		}
		for _, word := range words(append([]string{d.Name, d.Summary, d.Description}, d.Terms...)...) {
			l.holders[word] = append(l.holders[word], i)
		}
		for _, word := range l.texts[i].body {
			l.bodies[word] = append(l.bodies[word], i)
		}
	}
	for i := range l.texts {
		slices.SortStableFunc(l.texts[i].body, func(a, b string) int { return len(l.bodies[a]) - len(l.bodies[b]) })
	}
	return l
}

// words returns the distinct tokens of the texts, without connectors.
func words(texts ...string) []string {
	var list []string
	seen := map[string]bool{}
	for _, text := range texts {
		for _, token := range Tokenize(text) {
			if !seen[token] && !isConnector([]byte(token)) {
				seen[token] = true
				list = append(list, token)
			}
		}
	}
	return list
}

func (l *linter) ownSummary(i int) string {
	t := &l.texts[i]
	query := strings.Join(t.summary[:min(len(t.summary), MaxQueryTokens)], " ")
	matches, _, err := l.index.Search(query, 1)
	if err != nil || len(matches) == 0 || matches[0].Name == t.name {
		return ""
	}
	return fmt.Sprintf("its own summary finds %s first", matches[0].Name)
}

func (l *linter) vagueSummary(i int) string {
	t := &l.texts[i]
	if len(t.summary) == 0 {
		return "its summary has no words"
	}
	common := len(l.texts)/100 + 2 // documents that may share a telling word
	rarest := slices.MinFunc(t.summary, func(a, b string) int { return len(l.holders[a]) - len(l.holders[b]) })
	if n := len(l.holders[rarest]); n > common {
		return fmt.Sprintf("its summary has no telling word: even %q is in %d documents", rarest, n)
	}
	return ""
}

func (l *linter) unexplainedName(i int) string {
	t := &l.texts[i]
	for _, word := range t.leaf {
		beginning := word[:prefixLength([]byte(word), 4)]
		for _, other := range t.prose {
			if strings.HasPrefix(other, beginning) {
				return ""
			}
		}
	}
	if len(t.leaf) == 0 {
		return ""
	}
	return fmt.Sprintf("neither summary nor description has a word of %q", strings.Join(t.leaf, " "))
}

// nearDuplicate looks for a document that has in common at least three quarters
// of the words of both. Such a document lacks at most a quarter of these words,
// so it holds one of the rarest quarter and one more: only those are looked up.
func (l *linter) nearDuplicate(i int) string {
	body := l.texts[i].body
	looked := map[int]bool{i: true}
	for _, word := range body[:min(len(body), len(body)/4+1)] {
		for _, other := range l.bodies[word] {
			if looked[other] {
				continue
			}
			looked[other] = true
			common := commonWords(body, l.texts[other].body)
			if all := len(body) + len(l.texts[other].body) - common; 4*common >= 3*all {
				return fmt.Sprintf("%d of %d words are also those of %s", common, len(body), l.texts[other].name)
			}
		}
	}
	return ""
}

func commonWords(a, b []string) int {
	n := 0
	for _, word := range a {
		if slices.Contains(b, word) {
			n++
		}
	}
	return n
}
