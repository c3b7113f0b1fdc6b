package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"
)

// A progressLine shows on a terminal that a program is at work. Elsewhere it
// shows nothing, and asks for no reports. What is written to it goes above it.
type progressLine struct {
	io.Writer
	terminal *os.File // nil: none that can be written over
	calls    atomic.Int64
	began    time.Time
	done     chan struct{}
	stopped  chan struct{}

	mu    sync.Mutex
	shown bool
}

func newProgressLine(w io.Writer) *progressLine {
	p := &progressLine{Writer: w}
	if isTerminal(w) && os.Getenv("TERM") != "dumb" {
		p.terminal = w.(*os.File)
	}
	return p
}

func (p *progressLine) token() any {
	if p.terminal == nil {
		return nil
	}
	return "run"
}

func (p *progressLine) set(calls int) { p.calls.Store(int64(calls)) }

func (p *progressLine) start() {
	if p.terminal == nil {
		return
	}
	p.began = time.Now()
	p.done, p.stopped = make(chan struct{}), make(chan struct{})
	go p.draw()
}

func (p *progressLine) draw() {
	defer close(p.stopped)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.done:
			p.mu.Lock()
			p.hide()
			p.mu.Unlock()
			return
		case <-tick.C:
			p.show(time.Since(p.began))
		}
	}
}

func (p *progressLine) stop() {
	if p.terminal != nil {
		close(p.done)
		<-p.stopped
	}
}

// clearLine goes to the beginning of the line and clears it.
const clearLine = "\r\x1b[K"

func (p *progressLine) show(elapsed time.Duration) {
	text := fmt.Sprintf("running: %d calls, %.1f s", p.calls.Load(), elapsed.Seconds())
	if width, _, err := term.GetSize(int(p.terminal.Fd())); err == nil && width > 0 {
		text = text[:min(len(text), width-1)] // a second line would not be cleared
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprint(p.terminal, clearLine+text)
	p.shown = true
}

// hide leaves the line as it was before. p.mu is held.
func (p *progressLine) hide() {
	if p.shown {
		fmt.Fprint(p.terminal, clearLine)
		p.shown = false
	}
}

func (p *progressLine) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hide()
	return p.Writer.Write(b)
}
