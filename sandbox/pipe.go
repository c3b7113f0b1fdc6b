package sandbox

import "os"

// lastStream is the number of the last of the three standard streams. A host that has closed those leaves their numbers to whatever is opened
// next, and these must not be pipes of workers: a write to a pipe without a reader ends a Go process if its number is 1 or 2, and what the host
// or its runtime prints would be a frame. Such a pipe is therefore kept until there is another, which cannot get its numbers.
const lastStream = 2

// pollablePipe is [os.Pipe] with numbers past the standard streams.
func pollablePipe() (r, w *os.File, err error) {
	r, w, err = os.Pipe()
	if err == nil && (isStream(r) || isStream(w)) {
		defer closeAll(r, w)
		return pollablePipe()
	}
	return r, w, err
}

func isStream(f *os.File) (yes bool) {
	// Not Fd, which makes reads of f block.
	if raw, err := f.SyscallConn(); err == nil {
		raw.Control(func(fd uintptr) { yes = fd <= lastStream })
	}
	return yes
}
