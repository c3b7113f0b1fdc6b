package binding

import "go.starlark.net/starlark"

// A StarlarkBuilder is a [Visitor] that builds a Starlark value: None, bool,
// int, float, str, list or dict, mutable as if a program had made it.
//
// Strings are kept as they come. Those of a decoded frame are parts of it and
// keep it alive, which is cheaper than copies in an interpreter that ends with
// the program. Keys that repeat are made once.
//
// The zero value is ready for one value of one goroutine; after Reset, for
// another.
type StarlarkBuilder struct {
	stack []starlarkContainer
	value starlark.Value
	keys  interner[starlark.Value]
	err   error
}

type starlarkContainer struct {
	dict *starlark.Dict // nil for a list
	list []starlark.Value
	key  starlark.Value // of the value that is to come, in a dict
	left int
}

// Reset forgets the value and whatever stopped it.
func (b *StarlarkBuilder) Reset() {
	clear(b.stack[:cap(b.stack)])
	*b = StarlarkBuilder{stack: b.stack[:0]}
}

// Value returns the value, once it is complete.
func (b *StarlarkBuilder) Value() (starlark.Value, error) {
	if b.err != nil {
		return nil, b.err
	}
	if b.value == nil {
		return nil, errIncomplete
	}
	return b.value, nil
}

func (b *StarlarkBuilder) fail(err error) error {
	if b.err == nil {
		b.err = err
	}
	return b.err
}

// Null adds None.
func (b *StarlarkBuilder) Null() error { return b.add(starlark.None) }

// Bool adds a bool.
func (b *StarlarkBuilder) Bool(value bool) error { return b.add(starlark.Bool(value)) }

// Int adds an int.
func (b *StarlarkBuilder) Int(value int64) error { return b.add(starlark.MakeInt64(value)) }

// Float adds a float, which must be finite.
func (b *StarlarkBuilder) Float(value float64) error {
	if !finite(value) {
		return b.fail(errNotFinite)
	}
	return b.add(starlark.Float(value))
}

// String adds a str.
func (b *StarlarkBuilder) String(value string) error { return b.add(starlark.String(value)) }

// List starts a list of n elements.
func (b *StarlarkBuilder) List(n int) error {
	if err := checkCount(n); err != nil {
		return b.fail(err)
	}
	list := make([]starlark.Value, 0, min(n, maxAhead))
	if n == 0 {
		return b.add(starlark.NewList(list))
	}
	return b.open(starlarkContainer{list: list, left: n})
}

// Dict starts a dict of n entries.
func (b *StarlarkBuilder) Dict(n int) error {
	if err := checkCount(n); err != nil {
		return b.fail(err)
	}
	dict := starlark.NewDict(min(n, maxAhead))
	if n == 0 {
		return b.add(dict)
	}
	return b.open(starlarkContainer{dict: dict, left: n})
}

// Key names the next value of the dict.
func (b *StarlarkBuilder) Key(name string) error {
	if b.err != nil {
		return b.err
	}
	if len(b.stack) == 0 {
		return b.fail(errKey)
	}
	top := &b.stack[len(b.stack)-1]
	if top.dict == nil || top.key != nil {
		return b.fail(errKey)
	}
	top.key = b.keys.intern(name, starlarkKey)
	return nil
}

func starlarkKey(name string) starlark.Value { return starlark.String(name) }

// expects is nil where a value may come next.
func (b *StarlarkBuilder) expects() error {
	switch {
	case b.err != nil:
		return b.err
	case b.value != nil:
		return b.fail(errSecondValue)
	case len(b.stack) > 0 && b.stack[len(b.stack)-1].dict != nil && b.stack[len(b.stack)-1].key == nil:
		return b.fail(errNoKey)
	}
	return nil
}

func (b *StarlarkBuilder) open(container starlarkContainer) error {
	if err := b.expects(); err != nil {
		return err
	}
	b.stack = append(b.stack, container)
	return nil
}

// add puts a complete value where it belongs, and with the last value of a
// container that container, and so on.
func (b *StarlarkBuilder) add(value starlark.Value) error {
	if err := b.expects(); err != nil {
		return err
	}
	for len(b.stack) > 0 {
		top := &b.stack[len(b.stack)-1]
		if top.dict == nil {
			top.list = append(top.list, value)
		} else {
			before := top.dict.Len()
			if err := top.dict.SetKey(top.key, value); err != nil {
				return b.fail(err)
			}
			if top.dict.Len() == before {
				return b.fail(errDuplicateKey)
			}
			top.key = nil
		}
		if top.left--; top.left > 0 {
			return nil
		}
		if value = top.dict; top.dict == nil {
			value = starlark.NewList(top.list)
		}
		*top = starlarkContainer{}
		b.stack = b.stack[:len(b.stack)-1]
	}
	b.value = value
	return nil
}
