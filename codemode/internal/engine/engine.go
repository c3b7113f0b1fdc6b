package engine

import (
	"errors"
	"fmt"

	"go.starlark.net/starlark"

	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/wire"
)

// An Engine runs programs against one set of capabilities. It is immutable and
// safe for concurrent use; every run is independent of every other.
type Engine struct {
	catalog *catalog
}

// A CallFunc performs one native call outside of the engine: it dispatches the
// encoded arguments to the capability id. It returns the encoded result, or a
// class other than [OK], or an error when no call can be made any more.
// It must not keep arguments after it has returned.
type CallFunc func(id string, arguments []byte) (result []byte, class Class, err error)

// A Result is how a run ended.
type Result struct {
	// Value is the encoded final value. Nil when there is a Fault.
	Value []byte
	// Steps counts what the interpreter executed, load phase included.
	Steps uint64
	// Fault is nil when the run succeeded.
	Fault *Fault
}

// New returns the engine for a manifest made by [AppendManifest].
func New(manifest []byte) (*Engine, error) {
	catalog, err := readCatalog(manifest)
	if err != nil {
		return nil, err
	}
	return &Engine{catalog: catalog}, nil
}

// Run executes source: it parses and resolves it, runs its top level, then
// main, and encodes what main returns. All budgets start afresh.
func (e *Engine) Run(source []byte, call CallFunc) (result Result) {
	r := &run{catalog: e.catalog, call: call}
	defer func() {
		// A panic is a defect of the interpreter or of this package.
		if v := recover(); v != nil {
			detail := clean(fmt.Sprintf("panic: %v", v), maxMessageBytes)
			result = Result{Steps: r.thread.Steps, Fault: &Fault{Class: Internal, Detail: detail}}
		}
	}()
	value, f := r.execute(source)
	result.Steps = r.thread.Steps
	if f == nil {
		result.Value = value
		return result
	}
	result.Fault = &Fault{Class: f.class}
	switch f.class {
	case InvalidProgram, InvalidArguments:
		result.Fault.Detail = detail(f.problem, e.furtherProblems(source))
	case Internal, ResourceLimit:
		result.Fault.Detail = f.problem.String()
	}
	return result
}

// A run is the state of one execution.
type run struct {
	catalog *catalog
	call    CallFunc
	thread  starlark.Thread

	running bool   // main runs: native calls are accepted
	calls   uint64 // attempted so far

	// ended is the first fault that ends the run whatever the program does
	// with the error that carries it. The class lives here and not in error
	// values, which builtins wrap and replace on their way out.
	ended *ending

	arguments wire.Encoder
	scratch   []byte // the arguments of the current call
	result    binding.StarlarkBuilder
}

// An ending is a fault with its place.
type ending struct {
	class   Class
	problem Problem
}

// errEnded unwinds the interpreter after run.ended was set.
var errEnded = errors.New("run ended")

func invalid(p Problem) *ending { return &ending{class: InvalidProgram, problem: p} }

// execute returns the encoded final value.
func (r *run) execute(source []byte) ([]byte, *ending) {
	r.arm()
	p, problems := load(source, r.catalog)
	if len(problems) > 0 {
		return nil, invalid(problems[0])
	}
	globals, err := p.compiled.Init(&r.thread, p.predeclared(r))
	if err != nil {
		return nil, r.ending(err)
	}
	// Init leaves the globals mutable and they stay so: a process serves
	// one program, and freezing a shared graph can take for ever.
	main, problem := entryPoint(p, globals["main"])
	if problem != nil {
		return nil, invalid(*problem)
	}
	r.running = true
	value, err := starlark.Call(&r.thread, main, nil, nil)
	r.running = false
	if err != nil || r.ended != nil {
		return nil, r.ending(err)
	}
	return r.encode(p, main, value)
}

// arm sets the thread's budgets. The interpreter stops when its counter
// reaches the maximum; the limit is inclusive.
func (r *run) arm() {
	r.thread.Name = "main"
	r.thread.Print = func(*starlark.Thread, string) {}
	r.thread.SetMaxExecutionSteps(r.catalog.limits.MaxSteps + 1) // 0 after overflow: none
	r.thread.OnMaxSteps = func(*starlark.Thread) { _ = r.end(ResourceLimit, "MaxExecutionSteps was reached") }
}

// end records a fault at the current position, unless there is one already,
// and returns the error that unwinds the interpreter.
func (r *run) end(class Class, message string) error {
	if r.ended == nil {
		r.ended = &ending{class: class}
		if message != "" {
			r.ended.problem = problemAt(innermost(r.thread.CallStack()), message)
		}
		r.thread.Cancel("ended") // should a builtin swallow the error
	}
	return errEnded
}

// ending turns the error that came out of the interpreter into the fault of
// the run.
func (r *run) ending(err error) *ending {
	if r.ended != nil {
		return r.ended
	}
	return invalid(r.catalog.runtimeProblem(err))
}

func (r *run) limits() wire.Limits {
	return wire.Limits{MaxDepth: r.catalog.limits.MaxValueDepth, MaxBytes: r.catalog.limits.MaxValueBytes}
}

// encode converts the final value.
func (r *run) encode(p *program, main *starlark.Function, value starlark.Value) ([]byte, *ending) {
	var encoder wire.Encoder
	encoder.Reset(nil, r.limits())
	err := binding.WalkStarlark(value, &encoder)
	var encoded []byte
	if err == nil {
		encoded, err = encoder.Bytes()
	}
	var unsupported *binding.ValueError
	switch {
	case err == nil:
		return encoded, nil
	case overLimit(err):
		return nil, &ending{class: ResourceLimit, problem: Problem{Message: overLimitMessage("the final value", err)}}
	case errors.As(err, &unsupported):
		return nil, invalid(finalProblem(p, main, unsupported))
	}
	return nil, &ending{class: Internal, problem: Problem{Message: clean(err.Error(), maxMessageBytes)}}
}

func overLimit(err error) bool {
	return errors.Is(err, wire.ErrDepth) || errors.Is(err, wire.ErrSize)
}

// overLimitMessage tells the host which of its limits a value passed.
func overLimitMessage(what string, err error) string {
	if errors.Is(err, wire.ErrDepth) {
		return what + ": MaxValueDepth was reached"
	}
	return what + ": MaxValueBytes was reached"
}
