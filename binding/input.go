package binding

import (
	"errors"
	"reflect"
	"slices"
	"strings"
)

// An Input is the ordered parameters of a call. It knows no Go type, so a
// process that only checks calls can rebuild it with [NewInput]. The zero
// Input has no parameters. It is immutable and safe for concurrent use.
type Input struct {
	fields []Field
	index  map[string]int // nil for few fields
}

// fewFields can be searched faster one by one than through a map.
const fewFields = 8

// NewInput makes an input of parameters in their order. Its error joins one
// [*FieldError] for every parameter that is no identifier, is repeated, or is
// of a type that inputs do not have. An optional parameter may always be None.
func NewInput(fields []Field) (Input, error) {
	var errs []error
	seen := make(map[string]bool, len(fields))
	for _, f := range fields {
		problem := inputProblem(f.Type)
		switch {
		case !isIdentifier(f.Name):
			problem = "got name " + quote(f.Name) + ", want a Starlark identifier that is not a keyword"
		case seen[f.Name]:
			problem = "got this name twice, want distinct names"
		case problem == "" && f.Type.Nullable && !f.Optional:
			problem = "got a required parameter that may be None, want it optional"
		}
		if problem != "" {
			errs = append(errs, &FieldError{Side: "input", Path: word(f.Name), Problem: problem})
		}
		seen[f.Name] = true
	}
	if err := errors.Join(errs...); err != nil {
		return Input{}, err
	}
	return makeInput(slices.Clone(fields)), nil
}

func makeInput(fields []Field) Input {
	in := Input{fields: fields}
	for i := range fields {
		if f := &fields[i]; f.Type.Nullable != f.Optional {
			t := *f.Type
			t.Nullable = f.Optional
			f.Type = &t
		}
	}
	if len(fields) > fewFields {
		in.index = make(map[string]int, len(fields))
		for i := range fields {
			in.index[fields[i].Name] = i
		}
	}
	return in
}

// inputProblem is the rule that sets inputs apart from outputs: of the same
// tree of types, inputs have the scalars.
func inputProblem(t *Type) string {
	if t == nil || !t.Kind.scalar() {
		return "got " + typeNotation(t) + ", want str, int, bool or float"
	}
	return ""
}

func typeNotation(t *Type) string {
	if t == nil {
		return "no type"
	}
	return t.Kind.String()
}

// A parameter is how an argument goes into the field of the Go input that has
// the same position.
type parameter struct {
	kind    Kind
	pointee reflect.Type // nil unless the field is a pointer
}

// assignable is the rule of inputs for the Go types of fields: the scalars of
// [inputProblem], each in the one kind that neither loses nor refuses an
// argument, or a pointer to that.
func assignable(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.String, reflect.Int64, reflect.Bool, reflect.Float64:
		return true
	}
	return false
}

// compileInput makes parameters of the compiled fields of t.
func compileInput(t reflect.Type, fields []Field) (Input, []parameter) {
	fields = slices.Clone(fields)
	parameters := make([]parameter, len(fields))
	for i := range fields {
		p := &parameters[i]
		p.kind = fields[i].Type.Kind
		if field := t.Field(i).Type; field.Kind() == reflect.Pointer {
			p.pointee = field.Elem()
		}
		fields[i].Optional = p.pointee != nil
	}
	return makeInput(fields), parameters
}

// Fields returns the parameters in order. The slice is the caller's, the types
// are shared.
func (in Input) Fields() []Field { return slices.Clone(in.fields) }

// Signature returns how name is called, such as
// "records.lookup(*, key: str, limit: int | None)" or "records.status()".
func (in Input) Signature(name string) string {
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('(')
	for i := range in.fields {
		if i == 0 {
			b.WriteByte('*')
		}
		b.WriteString(", ")
		b.WriteString(in.fields[i].Name)
		b.WriteString(": ")
		in.fields[i].Type.write(&b)
	}
	b.WriteByte(')')
	return b.String()
}

func (in Input) shapes() []Shape {
	shapes := make([]Shape, len(in.fields))
	for i, f := range in.fields {
		shapes[i] = Shape{Name: f.Name, Type: f.Type.String(), Required: !f.Optional}
	}
	return shapes
}

// find returns the position of a parameter, or -1.
func (in Input) find(name string) int {
	if in.index != nil {
		if i, ok := in.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range in.fields {
		if in.fields[i].Name == name {
			return i
		}
	}
	return -1
}
