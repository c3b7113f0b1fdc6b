package binding

import "strings"

// A Kind says what a value is, whatever Go type it comes from.
type Kind uint8

// The kinds. The zero Kind is none of them.
const (
	Invalid Kind = iota
	String
	Int   // signed, 64 bits
	Bool  // never an Int
	Float // 64 bits, finite
	Bytes // a list of integers from 0 to 255
	List  // of Elem
	Dict  // from strings to Elem
	Struct
)

// String returns the notation of a scalar kind and a word for the others.
func (k Kind) String() string {
	switch k {
	case String:
		return "str"
	case Int:
		return "int"
	case Bool:
		return "bool"
	case Float:
		return "float"
	case Bytes:
		return "list[int]"
	case List:
		return "list"
	case Dict:
		return "dict"
	case Struct:
		return "struct"
	}
	return "invalid"
}

func (k Kind) scalar() bool { return k >= String && k <= Float }

// A Type describes a value. It is a plain value without any Go type in it, so
// it can cross a process border or be built from another schema language.
// What [Compile] returns is shared: do not modify it.
type Type struct {
	Kind     Kind
	Nullable bool    // the value may be None
	Elem     *Type   // of List and Dict
	Fields   []Field // of Struct, in declaration order
}

// A Field is a named parameter of an input or a named part of a Struct.
type Field struct {
	Name     string
	Type     *Type
	Optional bool // may be absent; as a parameter it may also be None
}

// String returns the compact notation that models read: str, list[T],
// dict[str, T], {field: T, optional?: U}, T | None.
func (t *Type) String() string {
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t *Type) write(b *strings.Builder) {
	if t == nil {
		b.WriteString(Invalid.String())
		return
	}
	switch t.Kind {
	case List:
		b.WriteString("list[")
		t.Elem.write(b)
		b.WriteByte(']')
	case Dict:
		b.WriteString("dict[str, ")
		t.Elem.write(b)
		b.WriteByte(']')
	case Struct:
		writeFields(b, t.Fields)
	default:
		b.WriteString(t.Kind.String())
	}
	if t.Nullable {
		b.WriteString(" | None")
	}
}

func writeFields(b *strings.Builder, fields []Field) {
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.Name)
		if f.Optional {
			b.WriteByte('?')
		}
		b.WriteString(": ")
		f.Type.write(b)
	}
	b.WriteByte('}')
}
