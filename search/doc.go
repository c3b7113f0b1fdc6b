// Package search ranks the documents of a catalog for short queries.
//
//	index, err := search.New([]search.Document{
//		{Name: "records.lookup", Terms: []string{"fetch entry"}, Summary: "Look up one record by key."},
//		{Name: "records.list", Summary: "List all records."},
//	}, search.Options{})
//	if err != nil {
//		return err
//	}
//	matches, total, err := index.Search("record by key", 20)
//
// A [Document] has a dotted name, alternative terms, a summary and a
// description. An [Index] is built once, is immutable, and may be searched by
// any number of goroutines. A catalog of a few thousand documents is searched
// in microseconds; a search allocates its result and nothing else.
//
// # Tokens
//
// [Tokenize] is the rule. A query also loses its connectors (a, an, and, by,
// for, from, in, of, on, or, the, to, with) and its repetitions; what is left
// may have 16 distinct tokens, else [ErrTooManyTokens].
//
// A token of the query matches an equal token of a document. From three
// characters on it also matches every token that it begins. Nothing else
// matches: no other part of a word, no misspelling, no synonym.
//
// A run of letters and digits that the rule splits is indexed in parts and as a
// whole, each in its field. So github, GitHub, git hub and hub find
// GitHub.Pulls.createReview, and OAuth2, oauth2 and oauth find OAuth2. The
// other way round, where a run of the query was split, all its tokens count as
// matched in a document that holds the whole run: GitHub finds github.
//
// # Eligibility
//
// A document must match one token of a query of one, both of two, and
// two thirds of more, rounded up. Besides, a query that equals the name of a
// document, but for case and surrounding whitespace, finds it whatever the
// counts say.
//
// # Ranking
//
//	first      documents that the query names, the one in the query's own case before others
//	then       score, descending
//	then       name, ascending
//
// For each token, a document scores by the strongest field that matches: name,
// terms, summary, description, in this order. An exact match is worth more
// than a prefix match in the same field; a long field is worth a little less
// than a short one, never so much that the order of fields or of exact and
// prefix changes. A token counts the more, the fewer documents match it. The
// weights are internal and may change between versions; they are in one file,
// with their reasons. Scores are integers inside: the same catalog and query
// give the same order in every process.
//
// # Relaxed mode
//
// The strict rule returns nothing rather than something doubtful, which is
// hard on whole sentences. With [Options.Relaxed] every document that matches
// at least one token is a candidate, and a score like BM25F decides. Words that
// begin alike count as forms of one word, two neighbours in the query also ask
// for their joined form, words of grammar hardly count, and runs of Han,
// hiragana and katakana are cut into words, or characters. The limit of 16
// still counts the tokens of the strict mode, and of what a query is cut into
// the first 64 pieces are looked up. A name still comes first.
//
// On five public catalogs with 4,500 labelled requests, cut to at most six key
// words, the relaxed mode has a right answer among the first 20 for 89 of 100,
// and first for 59; the strict mode for 43 and 37.
//
// # Help for authors of catalogs
//
// [Index.Explain] tells why a document ranks where it does, [Lint] what makes a
// catalog hard to search, and package eval how well labelled queries find what
// they should.
//
// # What it is not
//
// It is no full-text engine: an index is not updated, stored or queried by
// fields and phrases. It does not judge who may see a document: leave out what
// must not be found before [New], since even what ranks low is counted in the
// rarity of words.
package search
