//go:build !linux

package sandbox

import "os"

// newPipe returns the parent's and the child's end of a pipe.
func newPipe(parentReads bool) (parent, child *os.File, err error) {
	r, w, err := pollablePipe()
	if parentReads {
		return r, w, err
	}
	return w, r, err
}

// early would report whether the worker has sent something that is not yet read.
func (w *worker) early() bool { return false }

// block would make reads of f cheaper.
func block(*os.File) {}

// widen would let a pipe hold more.
func widen(*os.File, int) {}
