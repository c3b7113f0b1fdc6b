//go:build unix

package sandbox

import (
	"os"
	"slices"
	"syscall"
)

var stopped *os.Process

// StopIdle stops the first idle worker, so that it reads nothing any more.
func StopIdle(p *Pool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	stopped = p.idle[0].process.handle
	stopped.Signal(syscall.SIGSTOP)
}

// Taken reports whether the worker that StopIdle has stopped is idle no more.
func Taken(p *Pool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !slices.ContainsFunc(p.idle, func(w *worker) bool { return w.process.handle == stopped })
}

// KillStopped kills what StopIdle has stopped, once its job lies in its pipe.
func KillStopped(p *Pool) { stopped.Kill() }
