package search

import (
	"slices"
	"strings"
)

// A field is one of the texts of a document, in the contract's order of
// precedence.
type field uint8

const (
	nameField field = iota
	termsField
	summaryField
	descriptionField
	fieldCount
)

// A posting says that a document holds a term: the document in the upper bits,
// below it how often each field holds the term (countBits bits a field, the
// count stops at maxCount).
type posting uint32

const (
	countBits    = 3
	maxCount     = 1<<countBits - 1
	postingShift = countBits * int(fieldCount)
)

func newPosting(document int) posting { return posting(document) << postingShift }

func (p posting) document() int       { return int(p >> postingShift) }
func (p posting) count(f field) int64 { return int64(p>>(countBits*f)) & maxCount }
func (p posting) add(f field) posting { return p + 1<<(countBits*f) }

func (p posting) fields() fieldSet {
	const lowest = 1 | 1<<countBits | 1<<(2*countBits) | 1<<(3*countBits)
	p = (p | p>>1 | p>>2) & lowest // one bit for each count that is not 0
	return fieldSet(p&1 | p>>2&2 | p>>4&4 | p>>6&8)
}

// A fieldSet has one bit for each field.
type fieldSet uint8

const allFields = 1<<fieldCount - 1

// A vocabulary holds the terms in ascending order, each with its postings in
// ascending order of documents. Postings of neighbouring terms are adjacent,
// so those of all terms with a common prefix are one slice.
type vocabulary struct {
	text     string   // all terms, end to end
	textAt   []uint32 // where each term starts in text, and len(text)
	postings []posting
	postAt   []uint32 // where the postings of each term start, and len(postings)
}

func (v *vocabulary) len() int          { return len(v.textAt) - 1 }
func (v *vocabulary) term(i int) string { return v.text[v.textAt[i]:v.textAt[i+1]] }

// of returns the postings of the terms from lo to before hi.
func (v *vocabulary) of(lo, hi int) []posting { return v.postings[v.postAt[lo]:v.postAt[hi]] }

// lookup returns the position of the term, or where it would be.
func (v *vocabulary) lookup(text []byte) (at int, known bool) {
	lo, hi := 0, v.len()
	for lo < hi {
		if middle := (lo + hi) / 2; v.term(middle) < string(text) {
			lo = middle + 1
		} else {
			hi = middle
		}
	}
	return lo, lo < v.len() && v.term(lo) == string(text)
}

// find returns the range of terms that begin with text. The term itself, if
// there, is the first: exact tells so.
func (v *vocabulary) find(text []byte) (lo, hi int, exact bool) {
	lo, exact = v.lookup(text)
	end := v.len()
	for hi = lo; hi < end; {
		if middle := (hi + end) / 2; strings.HasPrefix(v.term(middle), string(text)) {
			hi = middle + 1
		} else {
			end = middle
		}
	}
	return lo, hi, exact
}

// A builder collects the postings of a catalog, document by document.
type builder struct {
	ids     map[string]int32
	terms   []string
	text    strings.Builder // holds the bytes of all terms, in place of one string each
	latest  []int32         // for each term, the index of its latest posting
	entries []termPosting
	lengths [][fieldCount]uint16 // tokens of each field of each document
	run     lexer
	relaxed bool
	pieces  cutter
	pair    []byte
}

type termPosting struct {
	term    int32
	posting posting
}

func newBuilder(documents int, relaxed bool) *builder {
	return &builder{
		relaxed: relaxed,
		ids:     make(map[string]int32, 1024),
		entries: make([]termPosting, 0, 16*documents),
		lengths: make([][fieldCount]uint16, documents),
	}
}

func (b *builder) add(document int, d *Document) {
	b.addText(document, nameField, d.Name)
	for _, phrase := range d.Terms {
		b.addText(document, termsField, phrase)
	}
	b.addText(document, summaryField, d.Summary)
	b.addText(document, descriptionField, d.Description)
}

func (b *builder) addText(document int, f field, text string) {
	length := int(b.lengths[document][f])
	for b.run.next(&text) {
		start := 0
		for _, end := range b.run.ends {
			length += b.addToken(document, f, b.run.text[start:end])
			start = end
		}
		if len(b.run.ends) > 1 {
			b.addTerm(document, f, b.run.text)
		}
	}
	b.lengths[document][f] = uint16(min(length, 1<<16-1))
}

// addToken returns how many words the token is.
func (b *builder) addToken(document int, f field, token []byte) int {
	if !b.relaxed {
		b.addTerm(document, f, token)
		return 1
	}
	// Neighbours are indexed joined as well: their order is all that tells
	// 管理 from two characters that happen to be there.
	b.pair = b.pair[:0]
	words := 0
	b.pieces.cut(token, func(piece []byte) {
		b.addTerm(document, f, piece)
		words++
		previous := len(b.pair)
		b.pair = append(b.pair, piece...)
		if words > 1 {
			b.addTerm(document, f, b.pair)
			b.pair = append(b.pair[:0], b.pair[previous:]...)
		}
	})
	return words
}

func (b *builder) addTerm(document int, f field, term []byte) {
	if isConnector(term) && string(term) != "from" && string(term) != "with" {
		// No query can reach the others: a query drops them, and they are too
		// short to have a beginning that matches by prefix.
		return
	}
	id, known := b.ids[string(term)]
	if !known {
		id = int32(len(b.terms))
		start := b.text.Len()
		b.text.Write(term)
		b.terms = append(b.terms, b.text.String()[start:])
		b.ids[b.terms[id]] = id
		b.latest = append(b.latest, -1)
	}
	if at := b.latest[id]; at >= 0 && b.entries[at].posting.document() == document {
		if p := &b.entries[at].posting; p.count(f) < maxCount {
			*p = p.add(f)
		}
		return
	}
	b.latest[id] = int32(len(b.entries))
	b.entries = append(b.entries, termPosting{id, newPosting(document).add(f)})
}

// vocabulary sorts what was collected. It counts and places, since entries
// are already in ascending order of documents.
func (b *builder) vocabulary() vocabulary {
	order := make([]int32, len(b.terms))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int { return strings.Compare(b.terms[x], b.terms[y]) })

	counts := make([]uint32, len(b.terms))
	for _, e := range b.entries {
		counts[e.term]++
	}
	v := vocabulary{
		textAt:   make([]uint32, len(order)+1),
		postAt:   make([]uint32, len(order)+1),
		postings: make([]posting, len(b.entries)),
	}
	var text strings.Builder
	next := make([]uint32, len(order)) // by term, where its next posting goes
	placed := uint32(0)
	for i, id := range order {
		v.textAt[i], v.postAt[i] = uint32(text.Len()), placed
		text.WriteString(b.terms[id])
		next[id] = placed
		placed += counts[id]
	}
	v.textAt[len(order)], v.postAt[len(order)] = uint32(text.Len()), placed
	v.text = strings.Clone(text.String())
	for _, e := range b.entries {
		v.postings[next[e.term]] = e.posting
		next[e.term]++
	}
	return v
}
