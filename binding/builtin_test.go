package binding_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/binding"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func TestBuiltin(t *testing.T) {
	type key struct{}
	boom := errors.New("boom")
	type input struct {
		N    int64   `json:"n"`
		Fail *bool   `json:"fail"`
		Size *uint64 `json:"-"`
	}
	if _, err := binding.Builtin("f", func(context.Context, input) (none, error) { return none{}, nil }); err == nil {
		t.Fatal("an input with faults: got nil, want them")
	}
	type output struct {
		N     int64   `json:"n"`
		Ratio float64 `json:"ratio"`
		From  label   `json:"origin"`
	}
	f, err := binding.Builtin("math.half", func(ctx context.Context, in struct {
		N    int64 `json:"n"`
		Fail *bool `json:"fail"`
	}) (output, error) {
		if in.Fail != nil && *in.Fail {
			return output{}, boom
		}
		from, _ := ctx.Value(key{}).(string)
		return output{N: in.N / 2, Ratio: math.Log(float64(in.N)), From: label(from)}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	thread := &starlark.Thread{}
	eval := func(expression string) (string, error) {
		value, err := starlark.EvalOptions(&syntax.FileOptions{}, thread, "test", expression, starlark.StringDict{"f": f})
		if err != nil {
			return "", err
		}
		return value.String(), nil
	}
	if got, err := eval("f(n=1)"); err != nil || got != `{"n": 0, "ratio": 0.0, "origin": ""}` {
		t.Errorf("without a context: got %s and %v", got, err)
	}
	binding.SetContext(thread, context.WithValue(context.Background(), key{}, "host"))
	if got, err := eval("f(n=1, fail=None)"); err != nil || got != `{"n": 0, "ratio": 0.0, "origin": "host"}` {
		t.Errorf("with a context: got %s and %v", got, err)
	}
	if f.Name() != "math.half" {
		t.Errorf("got name %s, want math.half", f.Name())
	}

	var argument *binding.ArgumentError
	if _, err := eval("f(n=1.0)"); !errors.As(err, &argument) || err.Error() != "math.half: argument n: got float, want int; convert with int(…)" {
		t.Errorf("wrong type: got %v", err)
	}
	var value *binding.ValueError
	if _, err := eval("f(n=0)"); !errors.As(err, &value) || err.Error() != "math.half: ratio: got -inf, want a finite number" {
		t.Errorf("infinite result: got %v", err)
	}
	if _, err := eval("f(n=0, fail=True)"); !errors.Is(err, boom) || err.Error() != "math.half: boom" {
		t.Errorf("failing function: got %v", err)
	}
}

type label string

func TestPlansAreConcurrent(t *testing.T) {
	plan := benchPlan(t)
	out := newBenchOutput()
	kwargs := []starlark.Tuple{{starlark.String("key"), starlark.String("alpha")}}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			a := plan.NewArguments()
			if err := errors.Join(plan.Input().Bind(nil, kwargs, a), a.Finish()); err != nil {
				t.Error(err)
			}
			var b binding.StarlarkBuilder
			if err := plan.WalkOutput(out, &b); err != nil {
				t.Error(err)
			}
			if plan.OutputShapes()[0].Type != "list[{id: str, active: bool, score: float}]" {
				t.Error("got another shape")
			}
		})
	}
	wg.Wait()
}
