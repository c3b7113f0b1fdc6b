package ratios

import (
	"context"

	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/wire"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
	"go.starlark.net/syntax"
)

// inProcess returns what times a program without a worker: the plain interpreter,
// with functions that do in this process all that a call and its result do on
// their way to another and back.
func inProcess() (func(source string) stopwatch, error) {
	one, err := borderless("bench.lookup", lookup)
	if err != nil {
		return nil, err
	}
	all, err := borderless("bench.list", list)
	if err != nil {
		return nil, err
	}
	bench := starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{"lookup": one, "list": all})
	var encoder wire.Encoder
	run := func(source string) error {
		thread := &starlark.Thread{Name: "bench"}
		globals, err := starlark.ExecFileOptions(&syntax.FileOptions{}, thread, "bench.star", source, starlark.StringDict{"bench": bench})
		if err != nil {
			return err
		}
		value, err := starlark.Call(thread, globals["main"], nil, nil)
		if err != nil {
			return err
		}
		encoder.Reset(nil, limits)
		if err := binding.WalkStarlark(value, &encoder); err != nil {
			return err
		}
		_, err = encoder.Bytes()
		return err
	}
	return func(source string) stopwatch { return timed(func() error { return run(source) }) }, nil
}

// borderless makes a function whose arguments and results become bytes and
// values again, as if a border were between it and the program.
func borderless[In, Out any](name string, f func(context.Context, In) (Out, error)) (*starlark.Builtin, error) {
	plan, err := binding.CompileFor[In, Out]()
	if err != nil {
		return nil, err
	}
	input := plan.Input()
	var encoder wire.Encoder
	var buffer []byte
	encode := func(push func() error) error {
		encoder.Reset(buffer[:0], limits)
		if err := push(); err != nil {
			return err
		}
		var err error
		buffer, err = encoder.Bytes()
		return err
	}
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		if err := encode(func() error { return input.Bind(args, kwargs, &encoder) }); err != nil {
			return nil, err
		}
		bound := plan.NewArguments()
		if err := wire.Decode(buffer, limits, bound); err != nil {
			return nil, err
		}
		if err := bound.Finish(); err != nil {
			return nil, err
		}
		output, err := f(context.Background(), bound.Value().(In))
		if err != nil {
			return nil, err
		}
		if err := encode(func() error { return plan.WalkOutput(output, &encoder) }); err != nil {
			return nil, err
		}
		var builder binding.StarlarkBuilder
		if err := wire.Decode(buffer, limits, &builder); err != nil {
			return nil, err
		}
		return builder.Value()
	}), nil
}
