// Package sandbox runs jobs in worker processes that can do nothing but compute.
//
// The worker is the running binary itself, started a second time. Its main begins with [Serve], which returns at once in the host and never in a
// worker; the host then makes a [Pool] and runs jobs:
//
//	func main() {
//		sandbox.Serve(engine{}) // first of all
//		pool, err := sandbox.New(ctx, sandbox.Options{Setup: tables})
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer pool.Close()
//		outcome, usage, err := pool.Run(ctx, job, func(ctx context.Context, call sandbox.Call) (sandbox.Reply, error) {
//			return lookUp(ctx, call.Target, call.Arguments)
//		})
//	}
//
// What a job is, the engine knows. This package carries bytes: setup and job to the worker, calls from it and replies back, and one outcome.
//
// # One process, one job
//
// A worker serves one job and is killed and reaped, so nothing of a job reaches the next. What makes that fast is that idle workers are
// started ahead, confined, set up and warm; see Options.Idle. Busy, idle, starting and ending workers together never exceed Options.MaxWorkers.
// Callers who must wait are served in order, and no idle worker is started while one waits.
//
// # What a worker cannot do
//
// Before it says a word, a worker drops what the system lets it drop, and then says what holds. That is [Pool.Report]; Options.Require makes New fail
// where it is too little.
//
//	layer          Linux                                        macOS, BSD        Windows
//	Memory         RLIMIT_AS; parent watches as well            -                 job object
//	Files          Landlock, system-call filter                 -                 -
//	Network        system-call filter (and Landlock: TCP)       -                 -
//	SystemCalls    seccomp filter: an allowlist (amd64, arm64)  -                 -
//	Processes      system-call filter                           -                 job object
//	CPU            RLIMIT_CPU                                    RLIMIT_CPU        job object
//	ParentDeath    a thread waits for the end of the pipe       kqueue            job object of the parent
//	Privileges     no_new_privs, not dumpable                   -                 -
//
// Everywhere the environment is empty, the directory is the root, the session or process group is its own, no descriptor but three pipes is inherited, and the
// memory limit of Go's collector and the size of stacks are set. Nothing of it needs privileges. In builds with the race detector, whose shadow memory
// does not fit under RLIMIT_AS, the memory cap is the parent's watch alone, and is reported so. Builds with cgo reserve address space
// for every thread and start more slowly; hosts do better with CGO_ENABLED=0.
//
// # The parent believes nothing
//
// The conversation is Hello, Setup, Ready, Run, then Call and Result in turn, then Done or Fault, in the frames of package wire. Each
// frame has to come in its turn, with its number, within its cap; nothing is allocated for one that does not. A worker that breaks a
// rule, closes its pipes or outlives the caller's context is killed.
//
// # Ends
//
// A run has one end: an [Outcome], or an error. If the context has ended, that is the error, whatever else went wrong. Otherwise [ErrLimit],
// [ErrCrashed], [ErrProtocol] and [ErrForbidden] tell how a worker died, inside a [*WorkerError] whose details are for the host's log alone.
// Run returns at once when its context ends, also while a dispatch ignores it.
//
// # Concurrency
//
// A Pool is safe for concurrent use. Dispatches of one run are called one at a time, those of different runs at once. An [Engine] is used by
// one goroutine.
//
// # What it is not
//
// It is no container: it isolates code of the host's own binary that handles hostile input, such as an interpreter, not foreign programs. It uses
// neither namespaces nor cgroups, which need privileges or delegation that libraries cannot count on.
package sandbox
