package binding

import "strings"

// A PlainBuilder is a [Visitor] that builds a value in the shape of JSON: nil,
// bool, int64, float64, string, []any or map[string]any. Lists and dicts are
// never nil.
//
// Strings are copied, because the value usually outlives the frame that they
// came in. Keys that repeat are copied once.
//
// The zero value is ready for one value of one goroutine; after Reset, for
// another.
type PlainBuilder struct {
	stack []plainContainer
	value any
	done  bool
	keys  interner[string]
	err   error
}

type plainContainer struct {
	dict  map[string]any // nil for a list
	list  []any
	key   string // of the value that is to come, in a dict
	keyed bool
	left  int
}

// Reset forgets the value and whatever stopped it.
func (b *PlainBuilder) Reset() {
	clear(b.stack[:cap(b.stack)])
	*b = PlainBuilder{stack: b.stack[:0]}
}

// Value returns the value, once it is complete.
func (b *PlainBuilder) Value() (any, error) {
	if b.err != nil {
		return nil, b.err
	}
	if !b.done {
		return nil, errIncomplete
	}
	return b.value, nil
}

func (b *PlainBuilder) fail(err error) error {
	if b.err == nil {
		b.err = err
	}
	return b.err
}

// Null adds nil.
func (b *PlainBuilder) Null() error { return b.add(nil) }

// Bool adds a bool.
func (b *PlainBuilder) Bool(value bool) error { return b.add(value) }

// Int adds an int64.
func (b *PlainBuilder) Int(value int64) error { return b.add(value) }

// Float adds a float64, which must be finite.
func (b *PlainBuilder) Float(value float64) error {
	if !finite(value) {
		return b.fail(errNotFinite)
	}
	return b.add(value)
}

// String adds a string.
func (b *PlainBuilder) String(value string) error { return b.add(strings.Clone(value)) }

// List starts a list of n elements.
func (b *PlainBuilder) List(n int) error {
	if err := checkCount(n); err != nil {
		return b.fail(err)
	}
	list := make([]any, 0, min(n, maxAhead))
	if n == 0 {
		return b.add(list)
	}
	return b.open(plainContainer{list: list, left: n})
}

// Dict starts a dict of n entries.
func (b *PlainBuilder) Dict(n int) error {
	if err := checkCount(n); err != nil {
		return b.fail(err)
	}
	dict := make(map[string]any, min(n, maxAhead))
	if n == 0 {
		return b.add(dict)
	}
	return b.open(plainContainer{dict: dict, left: n})
}

// Key names the next value of the dict.
func (b *PlainBuilder) Key(name string) error {
	if b.err != nil {
		return b.err
	}
	if len(b.stack) == 0 {
		return b.fail(errKey)
	}
	top := &b.stack[len(b.stack)-1]
	if top.dict == nil || top.keyed {
		return b.fail(errKey)
	}
	if _, ok := top.dict[name]; ok {
		return b.fail(errDuplicateKey)
	}
	top.key, top.keyed = b.keys.intern(name, strings.Clone), true
	return nil
}

// expects is nil where a value may come next.
func (b *PlainBuilder) expects() error {
	switch {
	case b.err != nil:
		return b.err
	case b.done:
		return b.fail(errSecondValue)
	case len(b.stack) > 0 && b.stack[len(b.stack)-1].dict != nil && !b.stack[len(b.stack)-1].keyed:
		return b.fail(errNoKey)
	}
	return nil
}

func (b *PlainBuilder) open(container plainContainer) error {
	if err := b.expects(); err != nil {
		return err
	}
	b.stack = append(b.stack, container)
	return nil
}

// add puts a complete value where it belongs, and with the last value of a
// container that container, and so on.
func (b *PlainBuilder) add(value any) error {
	if err := b.expects(); err != nil {
		return err
	}
	for len(b.stack) > 0 {
		top := &b.stack[len(b.stack)-1]
		if top.dict == nil {
			top.list = append(top.list, value)
		} else {
			top.dict[top.key], top.keyed = value, false
		}
		if top.left--; top.left > 0 {
			return nil
		}
		if value = top.list; top.dict != nil {
			value = top.dict
		}
		*top = plainContainer{}
		b.stack = b.stack[:len(b.stack)-1]
	}
	b.value, b.done = value, true
	return nil
}
