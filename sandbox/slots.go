package sandbox

import (
	"context"
	"slices"
	"time"
)

// patience is how long a caller waits for the worker that is just being started for the idle set, while it could start one of its own. It
// is several times what a start takes.
const patience = 50 * time.Millisecond

// A waiter is a caller in the queue. What it is granted is a worker, or nil: a slot to start one in.
type waiter struct{ grant chan *worker }

// acquire takes a ready worker, or a slot (nil) to start one in. Callers who must wait are served in the order in which they came.
func (p *pool) acquire(ctx context.Context) (*worker, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	p.used = true
	if w := p.takeIdle(); w != nil {
		p.mu.Unlock()
		return w, nil
	}
	// A worker that is being started for the idle set is nearer than one started now, so the first caller waits for that.
	claims := p.starting && len(p.queue) == 0
	if p.live < p.options.MaxWorkers && !claims {
		p.live++
		p.mu.Unlock()
		return nil, nil
	}
	me := &waiter{grant: make(chan *worker, 1)}
	p.queue = append(p.queue, me)
	p.mu.Unlock()
	return p.await(ctx, me, claims)
}

func (p *pool) await(ctx context.Context, me *waiter, claims bool) (*worker, error) {
	var impatient <-chan time.Time
	if claims {
		timer := time.NewTimer(patience)
		defer timer.Stop()
		impatient = timer.C
	}
	for {
		select {
		case w := <-me.grant:
			return w, nil
		case <-impatient:
			if p.claimSlot(me) {
				return nil, nil
			}
		case <-ctx.Done():
			p.abandon(me)
			return nil, ctx.Err()
		case <-p.closing:
			p.abandon(me)
			return nil, ErrClosed
		}
	}
}

// claimSlot takes a slot for a waiter whose claim was in vain so far.
func (p *pool) claimSlot(me *waiter) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.Index(p.queue, me)
	if i < 0 || p.live >= p.options.MaxWorkers {
		return false // granted already, or no slot is free: an ordinary wait
	}
	p.queue = slices.Delete(p.queue, i, i+1)
	p.live++
	return true
}

// abandon takes a waiter out of the queue, or passes on what it was granted meanwhile.
func (p *pool) abandon(me *waiter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.queue, me); i >= 0 {
		p.queue = slices.Delete(p.queue, i, i+1)
		return
	}
	if w := <-me.grant; w != nil {
		p.place(w)
	} else {
		p.free()
	}
}

// takeIdle returns an idle worker that has not died, or nil. The dead are left to exited. p.mu is held.
func (p *pool) takeIdle() *worker {
	for len(p.idle) > 0 {
		w := p.idle[0]
		p.idle = slices.Delete(p.idle, 0, 1)
		if !w.dead() {
			return w
		}
		w.end(causeFinished)
	}
	return nil
}

// place gives a ready worker to the first who waits, or makes it idle. p.mu is held.
func (p *pool) place(w *worker) {
	switch {
	case p.closed:
		w.end(causeClosed)
	case w.dead():
		w.end(causeFinished)
	case len(p.queue) > 0:
		p.serve(w)
	default:
		p.idle = append(p.idle, w)
	}
}

// serve grants the first who waits. p.mu is held.
func (p *pool) serve(w *worker) {
	first := p.queue[0]
	p.queue = slices.Delete(p.queue, 0, 1)
	first.grant <- w
}

// release gives back a slot.
func (p *pool) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free()
}

// free gives a slot to the first who waits, or gives it back. p.mu is held.
func (p *pool) free() {
	if len(p.queue) > 0 && !p.closed {
		p.serve(nil)
		return
	}
	p.live--
	p.wantIdle()
}

// exited is called once for each worker, when it is reaped. An idle one that has died by itself is noticed here.
func (p *pool) exited(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.idle, w); i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
		w.end(causeFinished)
	}
	p.free()
}
