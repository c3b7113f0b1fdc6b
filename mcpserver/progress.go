package mcpserver

import (
	"context"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A progress sends the number of completed native calls to a client that gave
// a token. The program never waits for the client: while one notification is
// on its way, later counts replace each other.
type progress struct {
	latest atomic.Int64
	more   chan struct{} // holds one element while latest has not been sent
	last   chan struct{} // closed to send what is left and end
	done   chan struct{} // closed once nothing more will be sent
}

// startProgress starts sending. ctx must be the context of the request: the
// transport finds the stream that belongs to it there.
func startProgress(ctx context.Context, session *mcp.ServerSession, token any) *progress {
	p := &progress{more: make(chan struct{}, 1), last: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.send(ctx, session, token)
	}()
	return p
}

// send returns when it was told to end or the client cannot be reached.
func (p *progress) send(ctx context.Context, session *mcp.ServerSession, token any) {
	for sent, ending := int64(0), false; ; {
		select {
		case <-p.more:
		case <-p.last:
			ending = true
			select {
			case <-p.more:
			default:
				return
			}
		}
		// A count that was stored, but not yet announced, went out before.
		if calls := p.latest.Load(); calls > sent {
			params := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(calls)}
			if session.NotifyProgress(ctx, params) != nil {
				return
			}
			sent = calls
		}
		if ending {
			return
		}
	}
}

// report notes that calls native calls have completed. It never blocks, and
// may come late: an execution that was cut short leaves its last call behind.
func (p *progress) report(calls int) {
	p.latest.Store(int64(calls))
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// stop waits until the last count was sent, so that none follows the result,
// or until ctx ends. It must be called once.
func (p *progress) stop(ctx context.Context) {
	close(p.last)
	select {
	case <-p.done:
	case <-ctx.Done():
	}
}
