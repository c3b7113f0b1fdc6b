package binding

import (
	"strconv"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// Bind checks a call against the parameters and pushes its arguments into v:
// one Dict of those that are present, in declaration order. Optional
// parameters that are omitted or None are left out. Nothing is converted:
// True is no int, 1 is no float.
//
// A call that does not fit is an [*ArgumentError] and pushes nothing. v's
// errors are returned unchanged.
func (in Input) Bind(args starlark.Tuple, kwargs []starlark.Tuple, v Visitor) error {
	if len(args) > 0 {
		return in.positional(len(args))
	}
	var few [fewFields]starlark.Value
	values := few[:]
	if len(in.fields) > len(few) {
		values = make([]starlark.Value, len(in.fields))
	}
	for _, kwarg := range kwargs {
		name, _ := starlark.AsString(kwarg[0])
		i := in.find(name)
		if i < 0 {
			return in.unknown(name)
		}
		if values[i] != nil {
			return duplicate(name)
		}
		if err := in.fields[i].check(kwarg[1]); err != nil {
			return err
		}
		values[i] = kwarg[1]
	}
	present := 0
	for i := range in.fields {
		if values[i] == starlark.None {
			values[i] = nil
		}
		if values[i] != nil {
			present++
		} else if !in.fields[i].Optional {
			return in.missing(func(i int) bool { return values[i] != nil })
		}
	}
	return in.push(values, present, v)
}

func (in Input) push(values []starlark.Value, present int, v Visitor) error {
	if err := v.Dict(present); err != nil {
		return err
	}
	for i := range in.fields {
		if values[i] == nil {
			continue
		}
		if err := v.Key(in.fields[i].Name); err != nil {
			return err
		}
		if err := pushScalar(values[i], v); err != nil {
			return err
		}
	}
	return nil
}

// pushScalar pushes a value that check has accepted.
func pushScalar(value starlark.Value, v Visitor) error {
	switch value := value.(type) {
	case starlark.String:
		return v.String(string(value))
	case starlark.Int:
		i, _ := value.Int64()
		return v.Int(i)
	case starlark.Bool:
		return v.Bool(bool(value))
	default:
		return v.Float(float64(value.(starlark.Float)))
	}
}

// check is nil where value is what the parameter takes.
func (f *Field) check(value starlark.Value) error {
	kind := Invalid
	switch value := value.(type) {
	case starlark.NoneType:
		if f.Optional {
			return nil
		}
	case starlark.String:
		kind = String
		if f.Type.Kind == kind && !utf8.ValidString(string(value)) {
			return f.wrong("got a str that is not valid UTF-8")
		}
	case starlark.Int:
		kind = Int
		if _, ok := value.Int64(); f.Type.Kind == kind && !ok {
			return f.wrong("got an int out of range, want a signed 64-bit int")
		}
	case starlark.Bool:
		kind = Bool
	case starlark.Float:
		kind = Float
		if f.Type.Kind == kind && !finite(float64(value)) {
			return f.wrong("got " + floatName(float64(value)) + ", want a finite float")
		}
	}
	if kind == f.Type.Kind {
		return nil
	}
	return f.wrong("got " + starlarkTypeName(value) + ", want " + f.Type.String() + conversionHint(kind, f.Type.Kind))
}

// conversionHint helps where other languages would have converted.
func conversionHint(got, want Kind) string {
	switch {
	case !got.scalar() || got == want:
		return ""
	case want == Int && got != Bool:
		return "; convert with int(…)"
	case want == Float && got != Bool:
		return "; convert with float(…)"
	case want == String:
		return "; convert with str(…)"
	case want == Bool:
		return "; use True or False"
	}
	return ""
}

func (f *Field) wrong(problem string) error {
	return argumentError(f.Name, "argument "+word(f.Name)+": "+problem)
}

func (in Input) positional(n int) error {
	text := "got " + strconv.Itoa(n) + " positional argument"
	if n > 1 {
		text += "s"
	}
	if len(in.fields) == 0 {
		return argumentError("", text+", want no arguments")
	}
	return argumentError("", text+", want keyword arguments only: "+names(in.fields))
}

func (in Input) unknown(name string) error {
	text := "unknown argument " + word(name)
	if nearest := in.nearest(name); nearest != "" {
		return argumentError(name, text+": did you mean "+word(nearest)+"?")
	}
	if len(in.fields) == 0 {
		return argumentError(name, text+", want no arguments")
	}
	return argumentError(name, text+", want "+names(in.fields))
}

func duplicate(name string) error {
	return argumentError(name, "argument "+word(name)+": got it twice, want it once")
}

// missing lists every required parameter that present does not report.
func (in Input) missing(present func(i int) bool) error {
	var absent []Field
	for i, f := range in.fields {
		if !f.Optional && !present(i) {
			absent = append(absent, f)
		}
	}
	if len(absent) == 1 {
		f := &absent[0]
		return argumentError(f.Name, "missing argument "+word(f.Name)+", want "+f.Type.String())
	}
	return argumentError(absent[0].Name, "missing arguments "+names(absent))
}
