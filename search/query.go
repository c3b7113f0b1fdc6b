package search

import "unicode/utf8"

// minPrefix is how many characters a query token needs to match by prefix.
const minPrefix = 3

// maxRuns bounds how many different runs of one query are looked up joined.
// 256 bytes, the default limit of a host, have room for 85.
const maxRuns = 128

// A query is a parsed query. Its buffers are reused.
type query struct {
	tokens []queryToken
	runs   []queryRun
	text   []byte // what tokens and runs point into
	lexer  lexer

	units  []unit // relaxed mode only
	pieces cutter
}

// A span is a piece of query.text.
type span struct{ start, end int }

type queryToken struct {
	span
	prefix bool // long enough to match by prefix
}

// A queryRun is a run of the query that was split. Where its joined form
// matches, all tokens that it was split into count as matched.
type queryRun struct {
	queryToken
	covers uint16 // one bit for each token
}

func (q *query) bytes(s span) []byte { return q.text[s.start:s.end] }

// parse fails with ErrTooManyTokens.
func (q *query) parse(text string) error {
	q.tokens, q.runs, q.text = q.tokens[:0], q.runs[:0], q.text[:0]
	for q.lexer.next(&text) {
		var covers uint16
		start := 0
		for _, end := range q.lexer.ends {
			part := q.lexer.text[start:end]
			start = end
			if isConnector(part) {
				continue
			}
			i, err := q.token(part)
			if err != nil {
				return err
			}
			covers |= 1 << i
		}
		if len(q.lexer.ends) > 1 && covers != 0 && !isConnector(q.lexer.text) {
			q.run(q.lexer.text, covers)
		}
	}
	return nil
}

// token returns the position of the token, which it adds if it is new.
func (q *query) token(part []byte) (int, error) {
	for i, t := range q.tokens {
		if string(q.bytes(t.span)) == string(part) {
			return i, nil
		}
	}
	if len(q.tokens) == MaxQueryTokens {
		return 0, ErrTooManyTokens
	}
	q.tokens = append(q.tokens, q.keep(part))
	return len(q.tokens) - 1, nil
}

func (q *query) run(joined []byte, covers uint16) {
	for i := range q.runs {
		if string(q.bytes(q.runs[i].span)) == string(joined) {
			q.runs[i].covers |= covers
			return
		}
	}
	if len(q.runs) < maxRuns {
		q.runs = append(q.runs, queryRun{q.keep(joined), covers})
	}
}

func (q *query) keep(text []byte) queryToken {
	start := len(q.text)
	q.text = append(q.text, text...)
	return queryToken{span{start, len(q.text)}, utf8.RuneCount(text) >= minPrefix}
}

// required returns how many of the tokens a document must match.
func (q *query) required() int {
	if n := len(q.tokens); n > 2 {
		return (2*n + 2) / 3
	}
	return len(q.tokens)
}
