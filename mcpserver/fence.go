package mcpserver

import (
	"fmt"
	"runtime/debug"
)

// A recovered is what stopped the fenced function other than a return. Its
// text is for the host's log only.
type recovered struct {
	value any // nil after a Goexit; even panic(nil) has a value
	stack []byte
}

func (r *recovered) Error() string {
	if r.value == nil {
		return "runtime.Goexit"
	}
	return fmt.Sprintf("panic: %v", r.value)
}

// fence calls f and reports a panic or [runtime.Goexit] in it as *recovered.
// The SDK runs tool handlers on bare goroutines: a panic there ends the
// process, and a Goexit leaves the request unanswered for ever, which no defer
// can undo. Hence the goroutine.
func fence(f func()) *recovered {
	done := make(chan *recovered, 1)
	go func() {
		stopped := &recovered{}
		defer func() {
			if stopped != nil {
				stopped.value = recover()
				stopped.stack = debug.Stack()
			}
			done <- stopped
		}()
		f()
		stopped = nil
	}()
	return <-done
}
