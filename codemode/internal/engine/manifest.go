package engine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/codemode-go/codemode/binding"
)

// A Capability is what a worker knows of one enabled capability: how it is
// called, and nothing of who may call it or what it does.
type Capability struct {
	// ID is what the parent dispatches on.
	ID string
	// Name is the dotted name in programs.
	Name string
	// Input is bound in the worker before a call leaves it.
	Input binding.Input
}

// Limits are the budgets that the worker itself enforces. All must be > 0.
type Limits struct {
	MaxSteps      uint64 // Starlark steps of one run, inclusive
	MaxCalls      uint64 // attempted native calls of one run, inclusive
	MaxValueDepth int    // nesting of arguments, results and the final value; a scalar is 1
	MaxValueBytes int    // encoded bytes of each of them
}

// The manifest is laid out so that nothing is decoded before it is asked for:
// whatever the number of capabilities, [New] reads the header and a lookup
// touches one name per halving.
//
//	version   1 byte
//	limits    4 uvarints
//	longest   uvarint, bytes of the longest name
//	count     uvarint
//	offsets   count × 4 bytes, big endian, into entries; sorted by name
//	entries   name, ID: uvarint length + bytes; fields: uvarint count,
//	          then per field a flag byte and the name
const manifestVersion = 1

// A field's flag byte is its kind, with this bit for an optional one.
const optionalField = 0x80

var errManifest = errors.New("engine: malformed manifest")

// AppendManifest appends to buf what [New] needs to run programs against
// capabilities, whose names must be unique.
func AppendManifest(buf []byte, limits Limits, capabilities []Capability) []byte {
	buf = append(buf, manifestVersion)
	buf = binary.AppendUvarint(buf, limits.MaxSteps)
	buf = binary.AppendUvarint(buf, limits.MaxCalls)
	buf = binary.AppendUvarint(buf, uint64(limits.MaxValueDepth))
	buf = binary.AppendUvarint(buf, uint64(limits.MaxValueBytes))
	longest := 0
	for _, c := range capabilities {
		longest = max(longest, len(c.Name))
	}
	buf = binary.AppendUvarint(buf, uint64(longest))
	buf = binary.AppendUvarint(buf, uint64(len(capabilities)))

	sorted := slices.Clone(capabilities)
	slices.SortFunc(sorted, func(a, b Capability) int { return strings.Compare(a.Name, b.Name) })
	var entries []byte
	for _, c := range sorted {
		buf = binary.BigEndian.AppendUint32(buf, uint32(len(entries)))
		entries = appendText(entries, c.Name)
		entries = appendText(entries, c.ID)
		entries = appendFields(entries, c.Input.Fields())
	}
	return append(buf, entries...)
}

func appendText(buf []byte, s string) []byte {
	buf = binary.AppendUvarint(buf, uint64(len(s)))
	return append(buf, s...)
}

func appendFields(buf []byte, fields []binding.Field) []byte {
	buf = binary.AppendUvarint(buf, uint64(len(fields)))
	for _, f := range fields {
		flags := byte(f.Type.Kind)
		if f.Optional {
			flags |= optionalField
		}
		buf = append(buf, flags)
		buf = appendText(buf, f.Name)
	}
	return buf
}

// A catalog is the read side of a manifest: sorted dotted names, by position.
type catalog struct {
	limits  Limits
	longest int // bytes of the longest name
	count   int
	offsets string
	entries string
}

func readCatalog(manifest []byte) (*catalog, error) {
	r := &reader{rest: string(manifest)}
	if r.byte() != manifestVersion {
		return nil, fmt.Errorf("%w: unknown version", errManifest)
	}
	c := &catalog{}
	c.limits.MaxSteps = r.uvarint()
	c.limits.MaxCalls = r.uvarint()
	c.limits.MaxValueDepth = int(r.uvarint())
	c.limits.MaxValueBytes = int(r.uvarint())
	c.longest = int(r.uvarint())
	c.count = r.length(4)
	c.offsets = r.take(4 * c.count)
	c.entries = r.rest
	l := c.limits
	if r.failed || l.MaxSteps == 0 || l.MaxCalls == 0 || l.MaxValueDepth <= 0 || l.MaxValueBytes <= 0 {
		return nil, errManifest
	}
	return c, nil
}

func (c *catalog) entry(i int) *reader {
	o := c.offsets[4*i:]
	offset := int(o[0])<<24 | int(o[1])<<16 | int(o[2])<<8 | int(o[3])
	if offset > len(c.entries) {
		return &reader{failed: true}
	}
	return &reader{rest: c.entries[offset:]}
}

// name returns the dotted name at position i.
func (c *catalog) name(i int) string { return c.entry(i).text() }

// search returns the position of the first name ≥ name.
func (c *catalog) search(name string) int {
	return sort.Search(c.count, func(i int) bool { return c.name(i) >= name })
}

// find returns the position of name.
func (c *catalog) find(name string) (int, bool) {
	if len(name) > c.longest {
		return 0, false
	}
	i := c.search(name)
	return i, i < c.count && c.name(i) == name
}

// hasNamespace reports whether a name starts with prefix + ".".
func (c *catalog) hasNamespace(prefix string) bool {
	if len(prefix) > c.longest {
		return false
	}
	prefix += "."
	i := c.search(prefix)
	return i < c.count && strings.HasPrefix(c.name(i), prefix)
}

// members calls yield with the distinct segments that follow prefix, which is
// empty or ends in a dot, in order. The names under one segment are adjacent:
// a dot sorts before every byte of an identifier.
func (c *catalog) members(prefix string, yield func(segment string)) {
	last := ""
	for i := c.search(prefix); i < c.count; i++ {
		rest, ok := strings.CutPrefix(c.name(i), prefix)
		if !ok {
			return
		}
		segment, _, _ := strings.Cut(rest, ".")
		if segment != last {
			yield(segment)
			last = segment
		}
	}
}

// capability decodes the entry at position i.
func (c *catalog) capability(i int) (Capability, error) {
	r := c.entry(i)
	capability := Capability{Name: r.text(), ID: r.text()}
	fields := make([]binding.Field, r.length(2))
	for i := range fields {
		flags := r.byte()
		fields[i].Type = &binding.Type{Kind: binding.Kind(flags &^ optionalField)}
		fields[i].Optional = flags&optionalField != 0
		fields[i].Name = r.text()
	}
	if r.failed {
		return Capability{}, errManifest
	}
	var err error
	capability.Input, err = binding.NewInput(fields)
	return capability, err
}

// A reader takes a manifest apart. After a failure it yields zero values.
type reader struct {
	rest   string
	failed bool
}

func (r *reader) take(n int) string {
	if n < 0 || n > len(r.rest) {
		r.failed, r.rest = true, ""
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) byte() byte {
	if s := r.take(1); s != "" {
		return s[0]
	}
	return 0
}

func (r *reader) uvarint() uint64 {
	var x uint64
	for shift := uint(0); shift < 64; shift += 7 {
		b := r.byte()
		x |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return x
		}
	}
	r.failed = true
	return 0
}

// length reads a count of elements of at least size bytes each.
func (r *reader) length(size int) int {
	n := r.uvarint()
	if n > uint64(len(r.rest)/size) {
		r.failed, r.rest = true, ""
		return 0
	}
	return int(n)
}

func (r *reader) text() string { return r.take(r.length(1)) }
