package binding

import (
	"math"
	"reflect"
	"strconv"
)

type op uint8

const (
	opString op = iota
	opBool
	opInt
	opUint
	opFloat
	opPointer
	opStruct
	opMap
	opSlice
	opBytes
	opArray      // opSlice of a fixed length, never nil
	opBytesArray // opBytes of a fixed length, never nil
)

// A node reads Go values of one type. It is compiled once; a walk looks
// nothing up by name and allocates nothing but what maps need.
type node struct {
	op        op
	elem      *node // of pointers, slices, arrays and maps
	fields    []fieldNode
	omits     []int        // the indexes in Go of fields that may be absent
	keyType   reflect.Type // of a map
	elemsType reflect.Type // a slice of a map's elements
}

type fieldNode struct {
	index int
	name  string
	omit  bool
	op    op // of node
	node  *node
}

func (n *node) add(field fieldNode) {
	field.op = field.node.op
	n.fields = append(n.fields, field)
	if field.omit {
		n.omits = append(n.omits, field.index)
	}
}

func (n *node) walk(value reflect.Value, v Visitor) error {
	switch n.op {
	case opString:
		return v.String(validText(value.String()))
	case opBool:
		return v.Bool(value.Bool())
	case opInt:
		return v.Int(value.Int())
	case opUint:
		return walkUint(value.Uint(), v)
	case opFloat:
		return walkFloat(value.Float(), v)
	case opStruct:
		return n.walkStruct(value, v)
	case opArray:
		return n.walkList(value, v)
	case opBytesArray:
		return walkByteArray(value, v)
	}
	if value.IsNil() {
		return v.Null()
	}
	switch n.op {
	case opPointer:
		return n.elem.walk(value.Elem(), v)
	case opSlice:
		return n.walkList(value, v)
	case opBytes:
		return walkBytes(value.Bytes(), v)
	default:
		return n.walkMap(value, v)
	}
}

func walkUint(value uint64, v Visitor) error {
	if value > math.MaxInt64 {
		return &fault{problem: "got " + strconv.FormatUint(value, 10) + ", want at most " + strconv.FormatInt(math.MaxInt64, 10)}
	}
	return v.Int(int64(value))
}

func walkFloat(value float64, v Visitor) error {
	if !finite(value) {
		return notFinite(value)
	}
	return v.Float(value)
}

func notFinite(value float64) error {
	return &fault{problem: "got " + floatName(value) + ", want a finite number"}
}

func finite(value float64) bool { return value-value == 0 }

func floatName(value float64) string {
	switch {
	case value > 0:
		return "+inf"
	case value < 0:
		return "-inf"
	}
	return "nan"
}

func (n *node) walkStruct(value reflect.Value, v Visitor) error {
	count := len(n.fields)
	for _, index := range n.omits {
		if value.Field(index).IsNil() {
			count--
		}
	}
	if err := v.Dict(count); err != nil {
		return err
	}
	fields := n.fields
	for i := range fields {
		f := &fields[i]
		if f.omit && value.Field(f.index).IsNil() {
			continue
		}
		if err := v.Key(f.name); err != nil {
			return err
		}
		// The common scalars are walked here: a call for each costs a quarter
		// of the time that a result of small structs takes.
		var err error
		switch f.op {
		case opString:
			text := value.Field(f.index).String()
			if !isASCII(text) {
				text = validText(text)
			}
			err = v.String(text)
		case opInt:
			err = v.Int(value.Field(f.index).Int())
		case opBool:
			err = v.Bool(value.Field(f.index).Bool())
		case opFloat:
			if number := value.Field(f.index).Float(); finite(number) {
				err = v.Float(number)
			} else {
				err = notFinite(number)
			}
		default:
			err = f.node.walk(value.Field(f.index), v)
		}
		if err != nil {
			return atKey(err, f.name)
		}
	}
	return nil
}

func (n *node) walkList(value reflect.Value, v Visitor) error {
	count := value.Len()
	if err := v.List(count); err != nil {
		return err
	}
	elem := n.elem
	for i := range count {
		var err error
		if elem.op == opStruct {
			err = elem.walkStruct(value.Index(i), v)
		} else {
			err = elem.walk(value.Index(i), v)
		}
		if err != nil {
			return atIndex(err, i)
		}
	}
	return nil
}

func walkBytes(data []byte, v Visitor) error {
	if err := v.List(len(data)); err != nil {
		return err
	}
	for _, b := range data {
		if err := v.Int(int64(b)); err != nil {
			return err
		}
	}
	return nil
}

func walkByteArray(value reflect.Value, v Visitor) error {
	if value.CanAddr() {
		return walkBytes(value.Bytes(), v)
	}
	// reflect slices only arrays that have an address.
	count := value.Len()
	if err := v.List(count); err != nil {
		return err
	}
	for i := range count {
		if err := v.Int(int64(value.Index(i).Uint())); err != nil {
			return err
		}
	}
	return nil
}
