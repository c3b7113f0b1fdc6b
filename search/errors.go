package search

import "errors"

// MaxQueryTokens is how many distinct tokens a query may have once the
// connector words are removed.
const MaxQueryTokens = 16

// ErrTooManyTokens reports a query with more than [MaxQueryTokens] distinct
// tokens. It wins over every other rule, also over an exact name.
var ErrTooManyTokens = errors.New("query has more than 16 distinct tokens")

// ErrUnknownName reports that [Index.Explain] was asked about a name that no
// document has.
var ErrUnknownName = errors.New("no document has this name")
