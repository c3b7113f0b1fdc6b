package codemode

import (
	"github.com/codemode-go/codemode/codemode/internal/engine"
	"github.com/codemode-go/codemode/sandbox"
)

// IsWorker reports whether this process was started as a worker. Only a
// framework that must set something up before [ServeWorkerAndExit] needs it.
func IsWorker() bool { return sandbox.IsWorker() }

// ServeWorkerAndExit must be the first statement of main in every binary that
// calls [Builder.Build], and of TestMain in its tests. In a worker process it
// serves one request and ends the process; deferred functions do not run. In
// every other process it returns at once.
func ServeWorkerAndExit() { sandbox.Serve(new(worker)) }

// The first byte of a job says what to do with the source behind it.
const (
	jobExecute byte = 'x'
	jobCheck   byte = 'c'
)

func appendJob(kind byte, source string) []byte {
	return append(append(make([]byte, 0, 1+len(source)), kind), source...)
}

// A worker is the child's side: an engine behind the sandbox's frames.
type worker struct {
	engine *engine.Engine
}

// Setup decodes the manifest and runs a program once, so that the pages it
// touches are there before a caller waits for them.
func (w *worker) Setup(manifest []byte) (err error) {
	if w.engine, err = engine.New(manifest); err != nil {
		return err
	}
	w.engine.WarmUp()
	return nil
}

func (w *worker) Run(job []byte, call sandbox.CallFunc) sandbox.Outcome {
	if len(job) == 0 {
		return sandbox.Outcome{Fault: &sandbox.Fault{Class: byte(engine.Internal)}}
	}
	kind, source := job[0], job[1:]
	if kind == jobCheck {
		return w.check(source)
	}
	result := w.engine.Run(source, func(id string, arguments []byte) ([]byte, engine.Class, error) {
		reply, class, err := call(id, arguments)
		return reply, engine.Class(class), err
	})
	outcome := sandbox.Outcome{Value: result.Value, Units: result.Steps}
	if f := result.Fault; f != nil {
		outcome.Fault = &sandbox.Fault{Class: byte(f.Class), Detail: f.Detail}
	}
	return outcome
}
