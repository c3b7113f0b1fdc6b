package codemode

import (
	"context"
	"sync"
	"time"
)

// A callLog is what an execution shares with the goroutine that serves its
// calls, which may come back after the execution is over.
type callLog struct {
	keep bool // whether an observer wants the events

	mu       sync.Mutex
	closed   bool
	attempts uint64
	open     *CallEvent // the call being served
	step     step       // the step of it in host code that is running
	since    time.Time
	events   []CallEvent
	verdict  error
	cause    error
}

// attempt counts a call and returns its number, or false after a call failed.
func (l *callLog) attempt() (number uint64, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.attempts++
	return l.attempts, l.verdict == nil && !l.closed
}

// A step is where a call event keeps how long a part of host code took.
type step func(*CallEvent) *time.Duration

func authorizing(e *CallEvent) *time.Duration { return &e.Authorizing }
func handling(e *CallEvent) *time.Duration    { return &e.Handling }

// note keeps what is known so far of the call being served, for close.
func (l *callLog) note(event CallEvent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open, l.step = &event, nil
}

// begin tells that a step begins; the next note is its end.
func (l *callLog) begin(s step) (now time.Time) {
	now = time.Now()
	if l.keep {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.step, l.since = s, now
	}
	return now
}

// settle records how a call ended. The first class that is not the end of the
// request itself is the verdict on the execution, whatever the worker makes of
// it. A call that comes back late is recorded no more.
func (l *callLog) settle(ctx context.Context, event CallEvent, class, cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.open = nil
	l.append(event, class, cause)
	if ctx.Err() == nil && l.verdict == nil {
		l.verdict, l.cause = class, cause
	}
}

// close ends the log and returns the verdict. A call that is still being
// served is recorded as it stands, its running step as long as it took so far,
// with how the execution ended.
func (l *callLog) close(class, ended error) (verdict, cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.open != nil {
		if l.step != nil {
			*l.step(l.open) = time.Since(l.since)
		}
		l.append(*l.open, class, ended)
	}
	return l.verdict, l.cause
}

func (l *callLog) append(event CallEvent, class, cause error) {
	if !l.keep {
		return
	}
	event.Duration = time.Since(event.Start)
	event.Err, event.Cause = class, cause
	l.events = append(l.events, event)
}
