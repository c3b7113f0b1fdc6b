package sandbox

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"
)

// marker is the first argument of every worker. It looks like a flag so that a host that forgot the worker entry, but parses flags, stops
// on it at once instead of starting its service a second time.
const marker = "--codemode-sandbox-worker"

// isWorker is decided before main, so nothing that a host does to os.Args there can hide it.
var isWorker = len(os.Args) > 1 && os.Args[1] == marker

// IsWorker reports whether this process was started by a [Pool] as a worker. Code that runs before [Serve] (the init functions of a host)
// can use it to do less. [New] refuses in such a process.
func IsWorker() bool { return isWorker }

// arguments returns the argument list of a worker: what it must know before it reads anything.
func arguments(o Options) []string {
	cpu := int64(0)
	if o.CPUTime > 0 {
		cpu = int64((o.CPUTime + time.Second - 1) / time.Second)
	}
	return append([]string{
		os.Args[0], marker,
		"memory=" + strconv.FormatInt(o.MemoryBytes, 10),
		"cpu=" + strconv.FormatInt(cpu, 10),
	}, o.extraArguments...)
}

// A process is a started worker with the parent's ends of its pipes.
type process struct {
	handle        *os.Process
	in, out, errs *os.File // its standard input, output and error
	layers        Layers   // what the parent has imposed from outside
	disown        func()   // gives back what imposing it took
}

// startProcess starts one worker process: empty environment, the root as its directory, three pipes and nothing else.
func startProcess(arguments []string) (_ *process, err error) {
	path, err := image()
	if err != nil {
		return nil, err
	}
	var p process
	var child [3]*os.File
	defer func() {
		closeAll(child[:]...)
		if err != nil {
			closeAll(p.in, p.out, p.errs)
		}
	}()
	if p.in, child[0], err = newPipe(false); err != nil {
		return nil, err
	}
	if p.out, child[1], err = pollablePipe(); err != nil { // the kind of file that block needs
		return nil, err
	}
	if p.errs, child[2], err = newPipe(true); err != nil {
		return nil, err
	}
	attr := &os.ProcAttr{Dir: rootDirectory, Env: environment(), Files: child[:], Sys: attributes()}
	quietly(func() { p.handle, err = startOS(path, arguments, attr) })
	if err != nil {
		return nil, err
	}
	p.layers, p.disown = adopt(p.handle)
	return &p, nil
}

// startOS is replaced in tests of starts that fail.
var startOS = os.StartProcess

const rootDirectory = string(os.PathSeparator)

// startPatiently retries starts that fail for reasons that pass, until ctx ends.
func startPatiently(ctx context.Context, arguments []string) (*process, error) {
	for delay := time.Millisecond; ; delay = min(2*delay, 50*time.Millisecond) {
		p, err := startProcess(arguments)
		if err == nil || !transient(err) {
			return p, err
		}
		timer := time.NewTimer(delay)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, fmt.Errorf("%w, until %w", err, ctx.Err())
		}
	}
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}
