//go:build unix

package sandbox

import (
	"errors"
	"os"
	"syscall"
)

// attributes puts the worker into a session of its own: signals that a terminal sends to the host's group do not reach it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// environment is empty; nil would pass on the host's. GOMAXPROCS=1 in it would make starts a tenth cheaper and small warm jobs a quarter, at
// the price of a worker that notices a time slice later that its parent died, and of a rule with an exception. [runtime.GOMAXPROCS] in the
// worker has the price without the gain.
func environment() []string { return []string{} }

// adopt has nothing to add to a started process: the worker confines itself.
func adopt(*os.Process) (Layers, func()) { return 0, func() {} }

// transient reports whether a start is worth another attempt: the image is being written (a host that was just built), or the system is short of
// processes or memory maps at this moment.
func transient(err error) bool {
	return errors.Is(err, syscall.ETXTBSY) || errors.Is(err, syscall.EAGAIN)
}

// verdict reads from an exit status what it alone tells.
func verdict(state *os.ProcessState) ending {
	status, ok := state.Sys().(syscall.WaitStatus)
	switch {
	case !ok:
		return endedOtherwise
	case status.Signaled() && (status.Signal() == syscall.SIGKILL || status.Signal() == syscall.SIGXCPU):
		return endedBySystem
	case status.Signaled() && status.Signal() == syscall.SIGSYS:
		return endedForbidden
	case status.Exited() && status.ExitStatus() == 2:
		return endedByRuntime
	}
	return endedOtherwise
}
