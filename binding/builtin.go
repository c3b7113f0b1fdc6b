package binding

import (
	"context"
	"fmt"

	"go.starlark.net/starlark"
)

// Builtin makes a Starlark builtin of a Go function. Calls are bound by the
// rules of [Input.Bind] and results converted by those of [Plan.WalkOutput];
// errors carry the name. f runs in the calling thread with the context that
// [SetContext] gave it.
//
// The error is that of [Compile].
func Builtin[In, Out any](name string, f func(context.Context, In) (Out, error)) (*starlark.Builtin, error) {
	plan, err := CompileFor[In, Out]()
	if err != nil {
		return nil, err
	}
	call := func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		arguments := plan.NewArguments()
		if err := plan.Input().Bind(args, kwargs, arguments); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := arguments.Finish(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		output, err := f(threadContext(thread), arguments.Value().(In))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var result StarlarkBuilder
		if err := plan.WalkOutput(output, &result); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return result.Value()
	}
	return starlark.NewBuiltin(name, call), nil
}

const contextKey = "github.com/codemode-go/codemode/binding.context"

// SetContext sets the context that builtins called in a thread receive. A
// thread without one gives them context.Background.
func SetContext(thread *starlark.Thread, ctx context.Context) {
	thread.SetLocal(contextKey, ctx)
}

func threadContext(thread *starlark.Thread) context.Context {
	if ctx, ok := thread.Local(contextKey).(context.Context); ok {
		return ctx
	}
	return context.Background()
}
