// Observe is a host that tells what happens in it: an audit log of every call
// on standard error, and numbers at /debug/vars.
//
//	observe -metrics 127.0.0.1:9090
package main

import (
	"context"
	"errors"
	_ "expvar" // serves /debug/vars
	"flag"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type readInput struct {
	Sensor string `json:"sensor"`
}

type readOutput struct {
	Celsius float64 `json:"celsius"`
}

var sensors = map[string]float64{"cellar": 11.5, "attic": 24.25}

// read logs with the number of the call, by which its line is found beside
// those of the observer.
func read(ctx context.Context, _ authz.Subject, in readInput) (readOutput, error) {
	celsius, ok := sensors[in.Sensor]
	if !ok {
		call, _ := codemode.CallFromContext(ctx)
		slog.Warn("unknown sensor", "execution", call.ExecutionID, "call", call.Number)
		return readOutput{}, errors.New("the bus has no sensor " + in.Sensor)
	}
	return readOutput{celsius}, nil
}

func main() {
	codemode.ServeWorkerAndExit()
	metrics := flag.String("metrics", "", "serve numbers at this `address`, for example 127.0.0.1:9090")
	flag.Parse()
	// Standard output belongs to the protocol. Logs go to standard error.
	logger := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	slog.SetDefault(logger)
	if err := run(context.Background(), logger, *metrics); err != nil {
		logger.Error("observe", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, logger *slog.Logger, metrics string) error {
	builder := codemode.New(codemode.Options{
		Authorizer: authz.AllowAll(),
		Observer: observers{
			// Names and sizes of arguments, not their values: those may be personal.
			codemode.NewSlogObserver(logger, codemode.SlogOptions{}),
			newMeter("codemode"),
		},
	})
	codemode.Register(builder, codemode.Capability[readInput, readOutput]{
		Name: "sensors.read", Summary: "Read the temperature of a sensor in degrees Celsius.",
		Effect: codemode.EffectReadOnly, Handler: read,
	})
	service, err := builder.Build()
	if err != nil {
		return err
	}
	defer service.Close()
	if metrics != "" {
		listener, err := net.Listen("tcp", metrics)
		if err != nil {
			return err
		}
		// The default mux has /debug/vars and nothing else in this command.
		numbers := &http.Server{ReadHeaderTimeout: 5 * time.Second}
		go func() { logger.Error("metrics", "error", numbers.Serve(listener)) }()
	}
	server, err := mcpserver.New(service, mcpserver.StaticSubject(authz.Subject{ID: "me"}), mcpserver.Options{
		Name: "sensors", PortableSchemas: true,
		Logger: logger, // what clients must not see, and the SDK's own log
	})
	if err != nil {
		return err
	}
	return server.Run(ctx, &mcp.StdioTransport{})
}
