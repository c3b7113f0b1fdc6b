package binding

import (
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// WalkStarlark pushes a Starlark value into v: None, bool, int, float, str,
// list, tuple (as a list) and dict with string keys, in its order.
//
// A [*ValueError] names the part that is of another type, an int beyond 64
// bits, a float that is not finite, a str that is not valid UTF-8, a key that
// is no str, or a container inside itself. v's errors are returned unchanged,
// with one exception: a value that contains itself is reported as such even
// where v ran out of depth or size first.
func WalkStarlark(value starlark.Value, v Visitor) error {
	var path [shortPath]starlark.Value // deeper values move it to the heap
	w := starlarkWalk{v: v, path: containers{path: path[:0]}}
	err := w.walk(value)
	if err == nil {
		return nil
	}
	if _, ok := err.(*fault); !ok && cyclic(value) {
		return &ValueError{Problem: problemCycle}
	}
	return rooted(err)
}

const (
	problemCycle = "got a value that contains itself, want one without cycles"
	wantPlain    = "want None, bool, int, float, str, list, tuple or dict"
)

type starlarkWalk struct {
	v    Visitor
	path containers

	visit func(key, value starlark.Value) bool // of every dict; made by the first
	err   error                                // of the last entry that was visited
}

func (w *starlarkWalk) walk(value starlark.Value) error {
	switch value := value.(type) {
	case starlark.NoneType:
		return w.v.Null()
	case starlark.Bool:
		return w.v.Bool(bool(value))
	case starlark.Int:
		i, ok := value.Int64()
		if !ok {
			return &fault{problem: "got an int out of range, want a signed 64-bit int"}
		}
		return w.v.Int(i)
	case starlark.Float:
		return walkFloat(float64(value), w.v)
	case starlark.String:
		if !utf8.ValidString(string(value)) {
			return &fault{problem: "got a str that is not valid UTF-8"}
		}
		return w.v.String(string(value))
	case starlark.Tuple:
		return w.walkTuple(value)
	case *starlark.List:
		if !w.path.enter(value) {
			return &fault{problem: problemCycle}
		}
		err := w.walkList(value)
		w.path.leave()
		return err
	case *starlark.Dict:
		if !w.path.enter(value) {
			return &fault{problem: problemCycle}
		}
		err := w.walkDict(value)
		w.path.leave()
		return err
	}
	return &fault{problem: "got " + starlarkTypeName(value) + ", " + wantPlain + typeHint(value)}
}

// walkTuple needs no place on the path: a tuple cannot be changed, so every
// cycle through one passes a list or a dict.
func (w *starlarkWalk) walkTuple(tuple starlark.Tuple) error {
	if err := w.v.List(len(tuple)); err != nil {
		return err
	}
	for i, elem := range tuple {
		if err := w.walk(elem); err != nil {
			return atIndex(err, i)
		}
	}
	return nil
}

func (w *starlarkWalk) walkList(list *starlark.List) error {
	if err := w.v.List(list.Len()); err != nil {
		return err
	}
	for i := range list.Len() {
		if err := w.walk(list.Index(i)); err != nil {
			return atIndex(err, i)
		}
	}
	return nil
}

// walkDict hands Entries one function for all dicts of a walk: looking every
// key up again would take half of the time, and a function for each dict would
// be allocated.
func (w *starlarkWalk) walkDict(dict *starlark.Dict) error {
	if err := w.v.Dict(dict.Len()); err != nil {
		return err
	}
	if w.visit == nil {
		w.visit = func(key, value starlark.Value) bool {
			w.err = w.walkEntry(key, value)
			return w.err == nil
		}
	}
	w.err = nil
	dict.Entries()(w.visit)
	return w.err
}

func (w *starlarkWalk) walkEntry(key, value starlark.Value) error {
	name, ok := key.(starlark.String)
	if !ok {
		return &fault{problem: "got a key of type " + starlarkTypeName(key) + ", want str keys"}
	}
	if !utf8.ValidString(string(name)) {
		return &fault{problem: "got a key that is not valid UTF-8"}
	}
	if err := w.v.Key(string(name)); err != nil {
		return err
	}
	if err := w.walk(value); err != nil {
		return atKey(err, string(name))
	}
	return nil
}

// typeHint says how to turn what is often returned by mistake into a value.
func typeHint(value starlark.Value) string {
	switch value.(type) {
	case *starlark.Set:
		return "; convert with list(…)"
	case starlark.Bytes:
		return "; convert with str(…) or list(….elems())"
	case *starlark.Function, *starlark.Builtin:
		return "; call it"
	case starlark.Iterable:
		return "; convert with list(…)"
	}
	return ""
}
