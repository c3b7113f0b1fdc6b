package binding

import (
	"encoding"
	"reflect"
)

// maxFaults ends a compilation: a wide type graph can repeat one fault without
// end, and nobody reads further.
const maxFaults = 100

const (
	wantInput  = "want string, int64, bool, float64 or a pointer to one of them"
	wantOutput = "want a string, bool or number, or a struct, slice, array, map or pointer of such"
)

// jsonMarshaler is json.Marshaler, spelled out so that this package does not
// bring encoding/json along.
type jsonMarshaler interface {
	MarshalJSON() ([]byte, error)
}

var (
	jsonMarshalerType = reflect.TypeFor[jsonMarshaler]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
)

// A compiler turns one Go type into a Type, which says what values look like,
// and a node, which knows how to read them.
type compiler struct {
	side   string
	want   string                        // what a field's type should have been
	check  func(field reflect.Type) bool // rules out types of fields; may be nil
	faults []error
	open   map[reflect.Type]bool     // the types from the root to here
	done   map[reflect.Type]compiled // types without fault
}

type compiled struct {
	Type *Type
	node *node
}

func newCompiler(side, want string, check func(reflect.Type) bool) *compiler {
	return &compiler{
		side: side, want: want, check: check,
		open: make(map[reflect.Type]bool), done: make(map[reflect.Type]compiled),
	}
}

func (c *compiler) fault(path, problem string) {
	c.faults = append(c.faults, &FieldError{Side: c.side, Path: path, Problem: problem})
}

// root compiles the type of a whole input or output.
func (c *compiler) root(t reflect.Type) (compiled, bool) {
	if t == nil || t.Kind() != reflect.Struct {
		c.fault("", "got "+goTypeName(t)+", want a struct, not a pointer to one")
		return compiled{}, false
	}
	return c.compile(t, "")
}

// compile reports false where t has a fault, which is then recorded.
func (c *compiler) compile(t reflect.Type, path string) (compiled, bool) {
	if len(c.faults) >= maxFaults {
		return compiled{}, false
	}
	if result, ok := c.done[t]; ok {
		return result, true
	}
	if c.open[t] {
		c.fault(path, "got "+goTypeName(t)+" inside itself, want a type without cycles")
		return compiled{}, false
	}
	if name := marshaler(t); name != "" {
		c.fault(path, "got "+goTypeName(t)+", which has "+name+" and so hides its shape, "+c.want)
		return compiled{}, false
	}
	c.open[t] = true
	result, ok := c.byKind(t, path)
	delete(c.open, t)
	if ok {
		c.done[t] = result
	}
	return result, ok
}

// marshaler names the method by which values of t, or pointers to them, would
// choose their own form. A pointer is looked at when its element is.
func marshaler(t reflect.Type) string {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return ""
	}
	methods := reflect.PointerTo(t)
	switch {
	case methods.Implements(jsonMarshalerType):
		return "MarshalJSON"
	case methods.Implements(textMarshalerType):
		return "MarshalText"
	}
	return ""
}

func (c *compiler) byKind(t reflect.Type, path string) (compiled, bool) {
	switch t.Kind() {
	case reflect.String:
		return leaf(String, opString), true
	case reflect.Bool:
		return leaf(Bool, opBool), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return leaf(Int, opInt), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return leaf(Int, opUint), true
	case reflect.Float32, reflect.Float64:
		return leaf(Float, opFloat), true
	case reflect.Pointer:
		return c.pointer(t, path)
	case reflect.Slice, reflect.Array:
		return c.list(t, path)
	case reflect.Map:
		return c.dict(t, path)
	case reflect.Struct:
		return c.structure(t, path)
	}
	c.fault(path, "got "+goTypeName(t)+", "+c.want)
	return compiled{}, false
}

func leaf(kind Kind, op op) compiled {
	return compiled{Type: &Type{Kind: kind}, node: &node{op: op}}
}

func (c *compiler) pointer(t reflect.Type, path string) (compiled, bool) {
	elem, ok := c.compile(t.Elem(), path)
	if !ok {
		return compiled{}, false
	}
	nullable := *elem.Type
	nullable.Nullable = true
	return compiled{Type: &nullable, node: &node{op: opPointer, elem: elem.node}}, true
}

func (c *compiler) list(t reflect.Type, path string) (compiled, bool) {
	elem, ok := c.compile(t.Elem(), path+"[]")
	if !ok {
		return compiled{}, false
	}
	n := &node{op: opSlice, elem: elem.node}
	list := &Type{Kind: List, Elem: elem.Type}
	if t.Elem().Kind() == reflect.Uint8 {
		n.op, list = opBytes, &Type{Kind: Bytes}
	}
	if t.Kind() == reflect.Array {
		n.op += opArray - opSlice
	}
	return compiled{Type: list, node: n}, true
}

func (c *compiler) dict(t reflect.Type, path string) (compiled, bool) {
	ok := true
	if t.Key().Kind() != reflect.String {
		c.fault(path, "got "+goTypeName(t)+", want a map with string keys")
		ok = false
	} else if name := marshaler(t.Key()); name != "" {
		c.fault(path, "got keys of type "+goTypeName(t.Key())+", which has "+name+", want plain string keys")
		ok = false
	}
	elem, elemOK := c.compile(t.Elem(), path+"[]")
	if !ok || !elemOK {
		return compiled{}, false
	}
	n := &node{op: opMap, elem: elem.node, keyType: t.Key(), elemsType: reflect.SliceOf(t.Elem())}
	return compiled{Type: &Type{Kind: Dict, Elem: elem.Type}, node: n}, true
}

func (c *compiler) structure(t reflect.Type, path string) (compiled, bool) {
	before := len(c.faults)
	typ := &Type{Kind: Struct, Fields: make([]Field, 0, t.NumField())}
	n := &node{op: opStruct, fields: make([]fieldNode, 0, t.NumField())}
	taken := make(map[string]string, t.NumField())
	for i := range t.NumField() {
		field := t.Field(i)
		at := field.Name
		if path != "" {
			at = path + "." + at
		}
		switch {
		case field.Anonymous:
			c.fault(at, "got an embedded field, want a named one")
			continue
		case !field.IsExported():
			c.fault(at, "got an unexported field, want exported fields only")
			continue
		}
		d, problems := declare(field)
		for _, problem := range problems {
			c.fault(at, problem)
		}
		if other, ok := taken[d.name]; ok && len(problems) == 0 {
			c.fault(at, "got name "+quote(d.name)+", which field "+other+" has already")
		}
		taken[d.name] = field.Name
		if result, ok := c.field(field.Type, d, at); ok {
			typ.Fields = append(typ.Fields, Field{Name: d.name, Type: result.Type, Optional: d.omit})
			n.add(fieldNode{index: i, name: d.name, omit: d.omit, node: result.node})
		}
	}
	return compiled{Type: typ, node: n}, len(c.faults) == before
}

// field compiles a field's type. Absence stands for a nil pointer under
// omitempty, so that pointer layer adds no None to the type.
func (c *compiler) field(t reflect.Type, d declaration, path string) (compiled, bool) {
	if c.check != nil && !c.check(t) {
		c.fault(path, "got "+goTypeName(t)+", "+c.want)
		return compiled{}, false
	}
	result, ok := c.compile(t, path)
	if !ok || !d.omit || t.Kind() != reflect.Pointer {
		return result, ok
	}
	elem, ok := c.compile(t.Elem(), path)
	return compiled{Type: elem.Type, node: result.node}, ok
}
