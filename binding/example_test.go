package binding_test

import (
	"context"
	"fmt"

	"github.com/codemode-go/codemode/binding"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

type lookupInput struct {
	Key   string `json:"key"`
	Limit *int64 `json:"limit,omitempty"`
}

type lookupOutput struct {
	Key   string   `json:"key"`
	Count int64    `json:"count"`
	Tags  []string `json:"tags"`
}

func lookup(_ context.Context, in lookupInput) (lookupOutput, error) {
	out := lookupOutput{Key: in.Key, Count: 1, Tags: []string{"new"}}
	if in.Limit != nil {
		out.Count = *in.Limit
	}
	return out, nil
}

// One line makes a Starlark builtin of a Go function.
func ExampleBuiltin() {
	builtin, err := binding.Builtin("lookup", lookup)
	if err != nil {
		fmt.Println(err)
		return
	}
	globals := starlark.StringDict{"lookup": builtin}
	run := func(program string) {
		value, err := starlark.EvalOptions(&syntax.FileOptions{}, &starlark.Thread{}, "example", program, globals)
		fmt.Println(value, err)
	}
	run(`lookup(key="alpha", limit=2)`)
	run(`lookup(ky="alpha")`)
	run(`lookup(key="alpha", limit="2")`)
	// Output:
	// {"key": "alpha", "count": 2, "tags": ["new"]} <nil>
	// <nil> lookup: unknown argument ky: did you mean key?
	// <nil> lookup: argument limit: got str, want int | None; convert with int(…)
}

// A plan tells a model how to call a function and what it returns.
func ExampleCompileFor() {
	plan, err := binding.CompileFor[lookupInput, lookupOutput]()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(plan.Input().Signature("records.lookup"))
	for _, field := range plan.OutputShapes() {
		fmt.Println(field.Name, field.Type, field.Required)
	}
	// Output:
	// records.lookup(*, key: str, limit: int | None)
	// key str true
	// count int true
	// tags list[str] true
}

// Every fault of a type is reported at once, with its path.
func ExampleCompile() {
	type Owner struct {
		ID chan int
	}
	type Output struct {
		Items []struct{ Owner Owner }
		Raw   any `json:"raw,omitzero"`
	}
	_, err := binding.CompileFor[struct{}, Output]()
	fmt.Println(err)
	// Output:
	// output field Items[].Owner.ID: got chan int, want a string, bool or number, or a struct, slice, array, map or pointer of such
	// output field Raw: got tag option "omitzero", want omitempty or none
	// output field Raw: got interface {}, want a string, bool or number, or a struct, slice, array, map or pointer of such
}
