package deploy_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	calls   = flag.Int("calls", 200, "calls of the failover test in all")
	clients = flag.Int("clients", 4, "clients of the failover test")
	deaths  = flag.Int("deaths", 2, "replicas that are killed during the failover test")
)

// A caller is one user with a client of its own, which repeats calls that had
// no answer: all it calls is idempotent.
type caller struct {
	subject string
	token   string
	url     string
	session *mcp.ClientSession
	retries *atomic.Int64
}

// RoundTrip adds the token to every request.
func (c *caller) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+c.token)
	return http.DefaultTransport.RoundTrip(r)
}

// call returns the outcome of one execution, whatever happens to replicas.
func (c *caller) call(ctx context.Context, source string) (string, error) {
	for ; ; c.retries.Add(1) {
		result, err := c.try(ctx, source)
		if err == nil {
			return result.Content[0].(*mcp.TextContent).Text, nil
		}
		if ctx.Err() != nil {
			return "", errors.Join(ctx.Err(), err)
		}
		if c.session != nil {
			c.session.Close()
			c.session = nil
		}
	}
}

func (c *caller) try(ctx context.Context, source string) (_ *mcp.CallToolResult, err error) {
	if c.session == nil {
		transport := &mcp.StreamableClientTransport{Endpoint: c.url + "/mcp", HTTPClient: &http.Client{Transport: c}, MaxRetries: -1}
		c.session, err = mcp.NewClient(&mcp.Implementation{Name: c.subject, Version: "v1"}, nil).Connect(ctx, transport, nil)
		if err != nil {
			return nil, err
		}
	}
	return c.session.CallTool(ctx, &mcp.CallToolParams{Name: "execute", Arguments: map[string]any{"source": source}})
}

// work makes call number i and returns what is wrong with its outcome. The
// outcome depends on the number, so that none can pass for another one, and on
// the rights of the subject.
func (c *caller) work(ctx context.Context, i int) error {
	source := fmt.Sprintf("def main():\n    orders = orders_of(\"c1\")\n    return [%d, %q, len(orders), orders[%d][\"id\"]]\n"+
		"def orders_of(c):\n    return orders.list(customer=c)[\"orders\"]\n", i, c.subject, i%2)
	want := fmt.Sprintf(`{"result":[%d,%q,2,%d]}`, i, c.subject, []int{1001, 1004}[i%2])
	if i%3 == 0 {
		source = fmt.Sprintf("def main():\n    return [%d, customers.contact(customer=\"c2\")[\"email\"]]\n", i)
		want = "permission denied"
		if c.subject == "support@example.com" {
			want = fmt.Sprintf(`{"result":[%d,"grace@example.com"]}`, i)
		}
	}
	got, err := c.call(ctx, source)
	if err != nil {
		return fmt.Errorf("call %d of %s has no outcome: %w", i, c.subject, err)
	}
	if got != want {
		return fmt.Errorf("call %d of %s: got %s, want %s", i, c.subject, got, want)
	}
	return nil
}

// Replicas die without warning and are replaced while clients work. No result
// is wrong or somebody else's, no call stays without an outcome, and every
// replacement takes its share of the load.
func TestReplicasAreKilledAndReplaced(t *testing.T) {
	id := newIdentity(t)
	replicas := []*replica{newReplica(t, id.keys), newReplica(t, id.keys), newReplica(t, id.keys)}
	url := startBalancer(t, replicas)
	ctx, cancel := context.WithTimeout(t.Context(), 10*patience)
	defer cancel()

	load := startLoad(t, ctx, id, url)
	share := int64(*calls / (*deaths + 1))
	rates := []float64{load.rate(share, func() bool { return true })}
	for death := range *deaths {
		r := replicas[death%len(replicas)]
		r.kill()
		r.start(t)
		rates = append(rates, load.rate(share, func() bool { return r.executions.Load() > 0 }))
	}
	load.finish()
	t.Logf("%d calls from %d clients, %d replicas killed, %d retries; calls a second between deaths: %.0f",
		load.done.Load(), *clients, *deaths, load.retries.Load(), rates)
	for death, rate := range rates[1:] {
		if rate < rates[0]/4 {
			t.Errorf("after replacement %d: got %.0f calls a second, want the %.0f of before back", death+1, rate, rates[0])
		}
	}
}

// A load is all clients at work.
type load struct {
	t             *testing.T
	done, retries atomic.Int64
	progress      chan struct{} // a call has ended
	stop          chan struct{}
	ending        sync.Once
	working       sync.WaitGroup
}

func startLoad(t *testing.T, ctx context.Context, id *identity, url string) *load {
	l := &load{t: t, progress: make(chan struct{}, 1), stop: make(chan struct{})}
	t.Cleanup(l.finish)
	var next atomic.Int64
	for n := range *clients {
		subject := []string{"support@example.com", "analyst@example.com"}[n%2]
		c := &caller{subject: subject, token: id.token(t, subject), url: url, retries: &l.retries}
		l.working.Go(func() {
			for !l.stopped() {
				if err := c.work(ctx, int(next.Add(1))); err != nil {
					t.Error(err)
				}
				l.done.Add(1)
				select {
				case l.progress <- struct{}{}:
				default:
				}
			}
			if c.session != nil {
				c.session.Close()
			}
		})
	}
	return l
}

func (l *load) stopped() bool {
	select {
	case <-l.stop:
		return true
	default:
		return false
	}
}

// rate waits until at least n further calls have ended and reached holds, and
// returns how many ended in a second.
func (l *load) rate(n int64, reached func() bool) float64 {
	l.t.Helper()
	start, before := time.Now(), l.done.Load()
	for l.done.Load()-before < n || !reached() {
		select {
		case <-l.progress:
		case <-time.After(patience):
			l.t.Fatal("no call ends any more")
		}
		if time.Since(start) > patience && !reached() {
			l.t.Fatal("a replacement gets no share of the load")
		}
	}
	return float64(l.done.Load()-before) / time.Since(start).Seconds()
}

// finish lets every client end the call that it is in.
func (l *load) finish() {
	l.ending.Do(func() { close(l.stop) })
	l.working.Wait()
}
