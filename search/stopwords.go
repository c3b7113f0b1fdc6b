package search

import (
	"unicode"
	"unicode/utf8"
)

// isStopWord reports whether the text is a word of grammar rather than of the
// task. Only the relaxed mode asks: whole requests are full of them. A single
// hiragana is nearly always a particle or an ending.
func isStopWord(text []byte) bool {
	switch string(text) {
	case "i", "me", "my", "myself", "we", "our", "ours", "us", "you", "your", "yours", "yourself",
		"he", "him", "his", "she", "her", "hers", "it", "its", "itself", "they", "them", "their", "theirs",
		"what", "which", "who", "whom", "whose", "when", "where", "why", "how", "this", "that", "these", "those",
		"am", "is", "are", "was", "were", "be", "been", "being", "have", "has", "had", "having",
		"do", "does", "did", "doing", "can", "could", "will", "would", "shall", "should", "may", "might", "must",
		"but", "if", "because", "as", "until", "while", "at", "about", "between", "into", "through",
		"during", "before", "after", "above", "below", "up", "down", "out", "off", "over", "under",
		"again", "further", "then", "once", "here", "there", "all", "any", "both", "each", "few", "more", "most",
		"other", "some", "such", "no", "nor", "not", "only", "own", "same", "so", "than", "too", "very", "just", "now",
		"s", "t", "d", "m", "ll", "re", "ve", "don", // what an apostrophe leaves
		"please", "help", "need", "want", "like": // how a request is put
		return true
	}
	r, size := utf8.DecodeRune(text)
	return size == len(text) && unicode.Is(unicode.Hiragana, r)
}
