package ratios

import (
	"context"
	"errors"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// A server knows whether its last execution had to start a worker.
type server struct {
	*codemode.Server
	cold bool
}

func (s *server) ObserveCall(context.Context, codemode.CallEvent) {}

func (s *server) ObserveExecution(_ context.Context, e codemode.ExecutionEvent) {
	s.cold = e.Usage.Cold
}

func newServer(idle int) (*server, error) {
	s := &server{}
	b := codemode.New(codemode.Options{Authorizer: authz.AllowAll(), IdleWorkers: idle, Observer: s})
	codemode.Register(b, codemode.Capability[lookupInput, lookupOutput]{
		Name: "bench.lookup", Summary: "Look up one record.", Effect: codemode.EffectReadOnly,
		Handler: func(ctx context.Context, _ authz.Subject, in lookupInput) (lookupOutput, error) {
			return lookup(ctx, in)
		},
	})
	codemode.Register(b, codemode.Capability[listInput, listOutput]{
		Name: "bench.list", Summary: "List a thousand records.", Effect: codemode.EffectReadOnly,
		Handler: func(ctx context.Context, _ authz.Subject, in listInput) (listOutput, error) { return list(ctx, in) },
	})
	var err error
	s.Server, err = b.Build()
	return s, err
}

func (s *server) run(ctx context.Context, source string) stopwatch {
	return timed(func() error {
		_, err := s.Execute(ctx, authz.Subject{ID: "bench"}, codemode.Program(source))
		return err
	})
}

// waiting times an execution that found an idle worker. On a busy machine a pool
// needs longer than a rest to have one, so each try gives it more time.
func (s *server) waiting(ctx context.Context, source string) stopwatch {
	run := s.run(ctx, source)
	return func() (time.Duration, error) {
		for try := range 40 {
			time.Sleep(time.Duration(try) * rest)
			if d, err := run(); err != nil || !s.cold {
				return d, err
			}
		}
		return 0, errors.New("no worker waits; is the machine busy?")
	}
}

// servers are one without idle workers and one with.
type servers struct{ cold, warm *server }

func newServers() (*servers, error) {
	cold, err := newServer(-1)
	if err != nil {
		return nil, err
	}
	warm, err := newServer(0)
	if err != nil {
		_ = cold.Close()
		return nil, err
	}
	return &servers{cold, warm}, nil
}

func (s *servers) Close() error { return errors.Join(s.cold.Close(), s.warm.Close()) }
