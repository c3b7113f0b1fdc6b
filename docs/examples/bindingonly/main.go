// Bindingonly lets a shop write its shipping rules in Starlark. The rules call
// Go functions that the binding module makes of ordinary ones; nothing else of
// CodeMode is used. The rules are the shop's own: for programs of others, use
// codemode, which runs them in a process of their own.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"log"
	"os"

	"github.com/codemode-go/codemode/binding"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

//go:embed rules.star
var rules string

type weighInput struct {
	Article string `json:"article"`
	Pieces  *int64 `json:"pieces,omitempty"`
}

type weighOutput struct {
	Kilograms float64 `json:"kilograms"`
	Fragile   bool    `json:"fragile"`
}

var articles = map[string]weighOutput{
	"desk": {Kilograms: 32}, "lamp": {Kilograms: 1.5, Fragile: true}, "cable": {Kilograms: 0.1},
}

func weigh(_ context.Context, in weighInput) (weighOutput, error) {
	article, ok := articles[in.Article]
	if !ok {
		return weighOutput{}, fmt.Errorf("no article %q", in.Article)
	}
	if in.Pieces != nil {
		article.Kilograms *= float64(*in.Pieces)
	}
	return article, nil
}

// An order is converted for the rules without a handwritten conversion.
type order struct {
	Country string `json:"country"`
	Lines   []line `json:"lines"`
}

type line struct {
	Article string `json:"article"`
	Pieces  int64  `json:"pieces"`
}

// quote runs the function ship of the rules on an order.
func quote(ctx context.Context, o order) (any, error) {
	builtin, err := binding.Builtin("weigh", weigh)
	if err != nil {
		return nil, err
	}
	thread := &starlark.Thread{Name: "rules"}
	thread.SetMaxExecutionSteps(100_000)
	binding.SetContext(thread, ctx)
	globals, err := starlark.ExecFileOptions(&syntax.FileOptions{}, thread, "rules.star", rules, starlark.StringDict{"weigh": builtin})
	if err != nil {
		return nil, err
	}
	argument, err := toStarlark(o)
	if err != nil {
		return nil, err
	}
	result, err := starlark.Call(thread, globals["ship"], starlark.Tuple{argument}, nil)
	if err != nil {
		return nil, err
	}
	var plain binding.PlainBuilder
	if err := binding.WalkStarlark(result, &plain); err != nil {
		return nil, err
	}
	return plain.Value()
}

// toStarlark converts what a plan was compiled for.
func toStarlark(o order) (starlark.Value, error) {
	plan, err := binding.CompileFor[struct{}, order]()
	if err != nil {
		return nil, err
	}
	var builder binding.StarlarkBuilder
	if err := plan.WalkOutput(o, &builder); err != nil {
		return nil, err
	}
	return builder.Value()
}

func main() {
	result, err := quote(context.Background(), order{"CH", []line{{"desk", 1}, {"lamp", 2}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintln(os.Stdout, result)
}
