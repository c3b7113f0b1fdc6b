package sandbox

import (
	"os"
	"sync/atomic"
	"time"
)

// WithArguments returns options whose workers get arguments more. Test binaries give them a meaning.
func WithArguments(o Options, arguments ...string) Options {
	o.extraArguments = append(o.extraArguments[:len(o.extraArguments):len(o.extraArguments)], arguments...)
	return o
}

// Live returns the number of slots taken.
func Live(p *Pool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.live
}

// Idle returns the number of idle workers.
func Idle(p *Pool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle)
}

// Waiting returns the number of callers in the queue.
func Waiting(p *Pool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.queue)
}

// KillIdle kills the processes of idle workers behind the pool's back.
func KillIdle(p *Pool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.idle {
		w.process.handle.Kill()
	}
}

// AwaitNone waits until all workers are reaped.
func AwaitNone(p *Pool) {
	for Live(p) > 0 {
		time.Sleep(20 * time.Microsecond)
	}
}

// failing is how many starts still fail, and why.
var failing struct {
	left atomic.Int64
	with atomic.Value // error
}

// A Hold is a start that waits.
type Hold struct {
	Begun   chan struct{} // closed when the start has come
	Release chan struct{} // close it to let the start go on
}

var holding atomic.Pointer[Hold]

// HoldNextStart makes the next start of a process wait, and no other.
func HoldNextStart() Hold {
	h := Hold{make(chan struct{}), make(chan struct{})}
	holding.Store(&h)
	return h
}

func init() {
	startOS = func(name string, argv []string, attr *os.ProcAttr) (*os.Process, error) {
		if h := holding.Swap(nil); h != nil {
			close(h.Begun)
			<-h.Release
		}
		if failing.left.Add(-1) >= 0 {
			return nil, &os.PathError{Op: "fork/exec", Path: name, Err: failing.with.Load().(error)}
		}
		return os.StartProcess(name, argv, attr)
	}
}

// FailStarts makes the next n starts of processes end in err, until restore is called.
func FailStarts(n int64, err error) (restore func()) {
	failing.with.Store(err)
	failing.left.Store(n)
	return func() { failing.left.Store(0) }
}

// EncodeReport and ParseReport are the two ends of a report's way.
func EncodeReport(r Report) []byte           { return r.encode() }
func ParseReport(body []byte) (Report, bool) { return parseReport(body) }

// capturing returns a capture that was given text in chunks.
func capturing(text string, chunk int) *capture {
	var c capture
	for len(text) > 0 {
		n := min(chunk, len(text))
		c.write([]byte(text[:n]))
		text = text[n:]
	}
	return &c
}

// CapturesLimit reports whether text, written in chunks, tells of memory or stack that ran out.
func CapturesLimit(text string, chunk int) bool { return capturing(text, chunk).hitLimit() }

// Captured returns what is kept of text, written in chunks.
func Captured(text string, chunk int) string { return capturing(text, chunk).String() }
