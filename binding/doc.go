// Package binding joins Go structs and Starlark values by a plan that is
// compiled once from the types.
//
//	type Input struct {
//		Key   string `json:"key"`
//		Limit *int64 `json:"limit,omitempty"`
//	}
//	type Output struct {
//		Count int64 `json:"count"`
//	}
//	lookup, err := binding.Builtin("lookup", func(ctx context.Context, in Input) (Output, error) {
//		return Output{Count: 1}, nil
//	})
//
// makes a Starlark function that is called as lookup(key="a", limit=2) and
// returns {"count": 1}. What callers are told about a function, its signature
// and the shape of its result, comes from the same types that its code uses,
// so the two cannot drift apart.
//
// # Types
//
// [Compile] accepts a struct for the input and one for the output. Fields are
// exported, named, and may have a json tag with a Starlark identifier for a
// name and, on pointers, omitempty. Everything else that could make a value
// differ from what its type shows is a fault: other tags and options, embedded
// fields, interfaces, methods MarshalJSON and MarshalText on values or
// pointers, cycles. All faults of both types come back at once as
// [*FieldError]s.
//
//	Go                                   notation        Starlark
//	string                               str             str
//	bool                                 bool            bool
//	intN, uintN                          int             int of 64 bits, signed
//	floatN                               float           finite float
//	[]T, [n]T                            list[T]         list, or None where nil
//	[]byte, [n]byte                      list[int]       list of 0 to 255, or None where nil
//	map[string]T                         dict[str, T]    dict by ascending key, or None where nil
//	struct                               {f: T, g?: U}   dict in declaration order
//	*T                                   T | None        T, or None where nil
//	*T with omitempty, as a field        g?: T           T, or absent where nil
//
// Types with these underlying types count as them. Inputs have string, int64,
// bool and float64, required, or pointers to one of them, optional.
//
// A compiled type is a tree of [Type] and [Field], plain values without a Go
// type in them. An [Input] is built from such fields alone, by [NewInput], so a
// process that only checks calls needs nothing else, and a tree may come from
// another schema language. That inputs have only scalars is a rule over this
// tree, not a type system of its own.
//
// # Values
//
// A value crosses as a sequence of events, a [Visitor]. [Plan.WalkOutput] and
// [WalkStarlark] push one; [StarlarkBuilder], [PlainBuilder] and [Arguments]
// build what they receive; so does any encoder with the same eight methods.
//
//	Go output  ──WalkOutput──┐             ┌── StarlarkBuilder ── Starlark value
//	Starlark   ─WalkStarlark─┤── Visitor ──┼── PlainBuilder ───── nil, bool, int64, …, []any, map[string]any
//	call       ─Input.Bind───┘             └── Arguments ──────── Go input and canonical map
//
// [Input.Bind] checks a call where it is made; [Arguments] checks the events
// again where they arrive, and trusts nothing that lies between.
//
// # Calls
//
// Arguments are given by keyword only and are never converted: True is no int
// and 1 is no float. An optional argument that is omitted and one that is None
// are the same: a nil pointer, and no key in the map. A call that does not fit
// gets an [*ArgumentError], one bounded line for its author, who is often a
// model: it says which argument, what came and what is wanted, suggests the
// nearest parameter for an unknown name, and never shows an argument's value.
//
// # Choices
//
// Invalid UTF-8 in Go texts becomes U+FFFD byte by byte, as in encoding/json.
// Two keys of one map that become the same are a [*ValueError]: either value
// alone would be a silent loss. In Starlark, where a program can slice a
// string in the middle of a character, invalid UTF-8 is a fault.
//
// A container that contains itself is found on the path, and, where a visitor
// ends the walk first, by one look at every container: "contains itself" wins
// over "too deep" and "too large". Containers that are shared are no cycle.
//
// # Concurrency
//
// A [Plan] and an [Input] are immutable and safe for concurrent use. Visitors
// are for one value and one goroutine.
//
// # What it is not
//
// It does not limit depth or size: the visitor does, by returning an error. It
// does not encode: see the wire module. It does not import JSON Schema.
package binding
