package binding

import (
	"reflect"
	"strings"
	"unicode/utf8"
)

// Arguments builds one Go input from what a visitor receives: a Dict of the
// arguments that are present, as [Input.Bind] pushes them. It trusts nothing:
// every rule of Bind holds here again, and Null is refused, because an
// argument that is None is left out.
//
// It serves one call and one goroutine. Faults are [*ArgumentError]s; the
// first one stays.
type Arguments struct {
	plan  *Plan
	input reflect.Value // addressable, of the input type
	seen  []bool
	state state
	left  int // arguments that are still to come
	at    int // the parameter that takes the next value
	err   error
}

type state uint8

const (
	wantDict  state = iota
	wantKey         // or the end, when none is left
	wantValue       // for the parameter at
	finished
)

// NewArguments returns an empty set of arguments for one call.
func (p *Plan) NewArguments() *Arguments {
	return &Arguments{plan: p, input: reflect.New(p.inputType).Elem(), seen: make([]bool, len(p.parameters))}
}

func (a *Arguments) fail(err error) error {
	if a.err == nil {
		a.err = err
	}
	return a.err
}

// Dict starts the arguments, of which there are n.
func (a *Arguments) Dict(n int) error {
	switch {
	case a.err != nil:
		return a.err
	case a.state == wantValue:
		return a.take(Dict)
	case a.state != wantDict:
		return a.fail(argumentError("", "got a second dict, want one dict of arguments"))
	case n < 0 || n > len(a.seen):
		return a.fail(argumentError("", "got more arguments than there are parameters"))
	}
	a.state, a.left = wantKey, n
	return nil
}

// Key names the argument whose value follows.
func (a *Arguments) Key(name string) error {
	if a.err != nil {
		return a.err
	}
	if a.state != wantKey || a.left == 0 {
		return a.fail(argumentError(name, "unexpected argument "+word(name)))
	}
	in := a.plan.input
	i := in.find(name)
	if i < 0 {
		return a.fail(in.unknown(name))
	}
	if a.seen[i] {
		return a.fail(duplicate(name))
	}
	a.state, a.at = wantValue, i
	a.seen[i] = true
	a.left--
	return nil
}

// take prepares for a value of a kind, or fails where it is not wanted.
func (a *Arguments) take(kind Kind) error {
	if a.err != nil {
		return a.err
	}
	if a.state != wantValue {
		return a.fail(argumentError("", "got "+kind.String()+", want one dict of arguments"))
	}
	if f := &a.plan.input.fields[a.at]; f.Type.Kind != kind {
		return a.fail(f.wrong("got " + kind.String() + ", want " + f.Type.Kind.String()))
	}
	a.state = wantKey
	return nil
}

// field returns where the value goes: the field itself, or what it points to.
func (a *Arguments) field() reflect.Value {
	p := &a.plan.parameters[a.at]
	field := a.input.Field(a.at)
	if p.pointee == nil {
		return field
	}
	field.Set(reflect.New(p.pointee))
	return field.Elem()
}

// Null is refused: a worker leaves out what is None.
func (a *Arguments) Null() error {
	switch {
	case a.err != nil:
		return a.err
	case a.state != wantValue:
		return a.fail(argumentError("", "got None, want one dict of arguments"))
	}
	return a.fail(a.plan.input.fields[a.at].wrong("got None, want it left out"))
}

// List is refused: no parameter takes one.
func (a *Arguments) List(int) error { return a.take(List) }

// Bool is the value of the argument that Key named.
func (a *Arguments) Bool(value bool) error {
	if err := a.take(Bool); err != nil {
		return err
	}
	a.field().SetBool(value)
	return nil
}

// Int is the value of the argument that Key named.
func (a *Arguments) Int(value int64) error {
	if err := a.take(Int); err != nil {
		return err
	}
	a.field().SetInt(value)
	return nil
}

// Float is the value of the argument that Key named.
func (a *Arguments) Float(value float64) error {
	if err := a.take(Float); err != nil {
		return err
	}
	if !finite(value) {
		return a.fail(a.plan.input.fields[a.at].wrong("got " + floatName(value) + ", want a finite float"))
	}
	a.field().SetFloat(value)
	return nil
}

// String is the value of the argument that Key named. It is copied, because
// it may be part of a frame that the input would otherwise keep alive.
func (a *Arguments) String(value string) error {
	if err := a.take(String); err != nil {
		return err
	}
	if !utf8.ValidString(value) {
		return a.fail(a.plan.input.fields[a.at].wrong("got a str that is not valid UTF-8"))
	}
	a.field().SetString(strings.Clone(value))
	return nil
}

// Finish ends the arguments. They are valid where it returns nil: complete,
// with every required one.
func (a *Arguments) Finish() error {
	if a.err != nil {
		return a.err
	}
	if a.state == finished {
		return nil
	}
	if a.state != wantKey || a.left > 0 {
		return a.fail(argumentError("", "got incomplete arguments"))
	}
	in := a.plan.input
	for i := range in.fields {
		if !a.seen[i] && !in.fields[i].Optional {
			return a.fail(in.missing(func(i int) bool { return a.seen[i] }))
		}
	}
	a.state = finished
	return nil
}

func (a *Arguments) ready() bool { return a.err == nil && a.state == finished }

// Value returns the input, a value of the input type that was compiled, or
// nil before Finish has returned nil.
func (a *Arguments) Value() any {
	if !a.ready() {
		return nil
	}
	return a.input.Interface()
}

// Map returns a fresh map of the arguments that are present, as string, int64,
// bool and float64, or nil before Finish has returned nil. It shares nothing
// with Value.
func (a *Arguments) Map() map[string]any {
	if !a.ready() {
		return nil
	}
	arguments := make(map[string]any, len(a.seen))
	for i, seen := range a.seen {
		if !seen {
			continue
		}
		p := &a.plan.parameters[i]
		field := a.input.Field(i)
		if p.pointee != nil {
			field = field.Elem()
		}
		arguments[a.plan.input.fields[i].Name] = plain(p.kind, field)
	}
	return arguments
}

func plain(kind Kind, value reflect.Value) any {
	switch kind {
	case String:
		return value.String()
	case Int:
		return value.Int()
	case Bool:
		return value.Bool()
	default:
		return value.Float()
	}
}
