package sandbox

import (
	"context"
	"time"
)

const (
	firstBackoff = 100 * time.Millisecond
	lastBackoff  = 30 * time.Second
)

// wantIdle starts the refill goroutine if there is something for it to do. p.mu is held.
func (p *pool) wantIdle() {
	if p.refilling || !p.reserve() {
		return
	}
	p.refilling = true
	p.running.Add(1)
	go p.refill()
}

// reserve takes a slot for an idle worker, if one is wanted and nobody waits for the slot. p.mu is held.
func (p *pool) reserve() bool {
	if p.closed || !p.used || len(p.idle) >= p.options.Idle || len(p.queue) > 0 || p.live >= p.options.MaxWorkers {
		return false
	}
	p.live++
	p.starting = true
	return true
}

// refill starts idle workers, one after the other, until there are enough. The slot of the first was reserved by wantIdle. After a start
// that failed it waits, longer each time, and callers find out for themselves whether they fare better.
func (p *pool) refill() {
	defer p.running.Done()
	ctx, cancel := p.untilClosed()
	defer cancel()
	backoff := firstBackoff
	for {
		w, err := p.start(ctx)
		p.mu.Lock()
		p.starting = false
		if err == nil {
			w.warm = true
			p.place(w)
			backoff = firstBackoff
		} else {
			p.mu.Unlock()
			if !p.sleep(backoff) {
				return
			}
			backoff = min(2*backoff, lastBackoff)
			p.mu.Lock()
		}
		more := p.reserve()
		p.refilling = more
		p.mu.Unlock()
		if !more {
			return
		}
	}
}

// untilClosed returns a context that ends with the pool.
func (p *pool) untilClosed() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	p.running.Add(1)
	go func() {
		defer p.running.Done()
		select {
		case <-p.closing:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// sleep waits and reports whether the pool is still open after it.
func (p *pool) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-p.closing:
		return false
	}
}
