// Httphost serves a catalog of orders to many users over streamable HTTP. It is
// a host to copy from: bearer tokens, policy, limits, health, a clean end.
//
//	httphost -keys keys.pem -issuer https://id.example.com -audience https://orders.example.com
//
// It keeps no state between requests, so any number of replicas may stand
// behind a load balancer; docs/deploy has the manifests.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/codemode-go/codemode/codemode"
)

// A config is what the flags say.
type config struct {
	listen            string
	keys              string // file of PEM public keys
	issuer, audience  string // required in every token
	url               string // how clients reach this host; "" leaves out the metadata
	hosts, origins    list   // further names in Host, and origins of browsers
	certificate, key  string // TLS
	drain             time.Duration
	ready             atomic.Bool
	log               *slog.Logger
	maxExecutionTime  time.Duration
	maxExecutionCount int
}

// A list is a flag of comma-separated values.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }
func (l *list) Set(s string) error {
	*l = append(*l, strings.Split(s, ",")...)
	return nil
}

func main() {
	codemode.ServeWorkerAndExit() // always the first statement
	c := &config{log: slog.New(slog.NewJSONHandler(os.Stderr, nil))}
	flag.StringVar(&c.listen, "listen", "127.0.0.1:8080", "`address` to listen on")
	flag.StringVar(&c.keys, "keys", "", "`file` of PEM public keys that tokens are verified with (required)")
	flag.StringVar(&c.issuer, "issuer", "", "issuer that tokens must name (required)")
	flag.StringVar(&c.audience, "audience", "", "audience that tokens must name (required)")
	flag.StringVar(&c.url, "url", "", "`URL` of this host for clients; publishes the metadata of the resource")
	flag.Var(&c.hosts, "host", "further `names` accepted in the Host header; loopback names always are")
	flag.Var(&c.origins, "origin", "`origins` whose web pages may call; none by default")
	flag.StringVar(&c.certificate, "tls-cert", "", "`file` of a PEM certificate chain; with -tls-key, serve TLS")
	flag.StringVar(&c.key, "tls-key", "", "`file` of the PEM key of -tls-cert")
	flag.DurationVar(&c.drain, "drain", 0, "how long to go on serving after SIGTERM while not ready, so that load balancers notice")
	flag.DurationVar(&c.maxExecutionTime, "execution-time", 5*time.Second, "longest run of a program")
	flag.IntVar(&c.maxExecutionCount, "executions", 8, "programs that run at the same time")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, c); err != nil {
		c.log.Error("httphost", "error", err)
		os.Exit(1)
	}
}

// run builds the host and serves until ctx ends.
func run(ctx context.Context, c *config) error {
	verify, err := newVerifier(c.keys, c.issuer, c.audience)
	if err != nil {
		return err
	}
	if (c.certificate == "") != (c.key == "") {
		return errors.New("-tls-cert and -tls-key: got one, want both or none")
	}
	service, err := newService(ctx, c)
	if err != nil {
		return err
	}
	defer service.Close()
	handler, err := newHandler(c, service, verify)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.listen)
	if err != nil {
		return err
	}
	return serve(ctx, c, listener, handler)
}

// serve serves until ctx ends, and then until the requests under way are
// answered.
func serve(ctx context.Context, c *config, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      c.maxExecutionTime + 15*time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(c.log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() {
		if c.certificate != "" {
			served <- server.ServeTLS(listener, c.certificate, c.key)
			return
		}
		served <- server.Serve(listener)
	}()
	c.ready.Store(true)
	c.log.Info("serving", "address", listener.Addr().String(), "tls", c.certificate != "")

	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	c.ready.Store(false)
	c.log.Info("draining", "for", c.drain)
	time.Sleep(c.drain)
	// No program outlives its time, so neither does a request.
	last, cancel := context.WithTimeout(context.Background(), c.maxExecutionTime+5*time.Second)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return fmt.Errorf("requests under way were cut off: %w", err)
	}
	c.log.Info("stopped")
	return nil
}
