package binding

import (
	"errors"
	"reflect"
	"slices"
)

// A Shape is the flat description of one field of an input or output.
type Shape struct {
	Name     string
	Type     string // the notation of [Type.String]
	Required bool
}

// A Plan binds calls to one Go input type and reads one Go output type. It is
// immutable and safe for concurrent use.
type Plan struct {
	input      Input
	inputType  reflect.Type
	parameters []parameter
	outputType reflect.Type
	output     compiled
}

// CompileFor is [Compile] for types that are known statically.
func CompileFor[In, Out any]() (*Plan, error) {
	return Compile(reflect.TypeFor[In](), reflect.TypeFor[Out]())
}

// Compile derives a plan from an input and an output type, which must be
// structs. Its error joins one [*FieldError] for every fault of either type.
func Compile(input, output reflect.Type) (*Plan, error) {
	in := newCompiler("input", wantInput, assignable)
	p := &Plan{inputType: input, outputType: output}
	if root, ok := in.root(input); ok {
		p.input, p.parameters = compileInput(input, root.Type.Fields)
	}
	out := newCompiler("output", wantOutput, nil)
	p.output, _ = out.root(output)
	if err := errors.Join(slices.Concat(in.faults, out.faults)...); err != nil {
		return nil, err
	}
	return p, nil
}

// Input returns the parameters.
func (p *Plan) Input() Input { return p.input }

// InputShapes describes the parameters in declaration order. The slice is
// never nil and is the caller's.
func (p *Plan) InputShapes() []Shape { return p.input.shapes() }

// OutputShapes describes the fields of the output in declaration order. The
// slice is never nil and is the caller's.
func (p *Plan) OutputShapes() []Shape {
	shapes := make([]Shape, len(p.output.Type.Fields))
	for i, f := range p.output.Type.Fields {
		shapes[i] = Shape{Name: f.Name, Type: f.Type.String(), Required: !f.Optional}
	}
	return shapes
}

// Output returns the tree that describes the output, a Struct. It is shared:
// do not modify it.
func (p *Plan) Output() *Type { return p.output.Type }

// WalkOutput pushes an output, a value of the output type or a non-nil pointer
// to one, into v.
//
// A [*ValueError] names an unsigned integer above math.MaxInt64, a float that
// is not finite, or two map keys that are the same once invalid UTF-8, which
// texts show as U+FFFD, is replaced. v's errors are returned unchanged.
func (p *Plan) WalkOutput(output any, v Visitor) error {
	value := reflect.ValueOf(output)
	if value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	if !value.IsValid() || value.Type() != p.outputType {
		return &ValueError{Problem: "got " + goTypeName(reflect.TypeOf(output)) + ", want " + goTypeName(p.outputType)}
	}
	return rooted(p.output.node.walk(value, v))
}
