package codemode

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
)

// SlogOptions says what a [SlogObserver] writes.
type SlogOptions struct {
	// ArgumentValues writes the values of arguments. By default only their
	// names, kinds and sizes are written, since values may be personal.
	ArgumentValues bool
	// Programs writes the source of every program and what was wrong with it.
	// Both may hold personal values too.
	Programs bool
}

// A SlogObserver writes every event to a structured logger: calls and
// executions that succeed at level Info, what the program or its caller did
// wrong at Warn, failures of the host at Error. It is safe for concurrent use.
type SlogObserver struct {
	logger  *slog.Logger
	options SlogOptions
}

// NewSlogObserver returns an observer that writes to logger; nil means
// [slog.Default].
func NewSlogObserver(logger *slog.Logger, options SlogOptions) *SlogObserver {
	if logger == nil {
		logger = slog.Default()
	}
	return &SlogObserver{logger: logger, options: options}
}

// ObserveCall writes one line for a native call.
func (o *SlogObserver) ObserveCall(ctx context.Context, e CallEvent) {
	attributes := []slog.Attr{
		slog.String("execution", e.ExecutionID),
		slog.Uint64("call", e.Number),
		slog.String("subject", string(e.Subject.ID)),
		slog.String("capability", string(e.CapabilityID)),
		slog.Any("arguments", slog.GroupValue(o.arguments(e.Arguments)...)),
		slog.Duration("duration", e.Duration),
		slog.Duration("authorizing", e.Authorizing),
		slog.Duration("handling", e.Handling),
		slog.Int("argument_bytes", e.ArgumentBytes),
		slog.Int("result_bytes", e.ResultBytes),
	}
	o.log(ctx, "native call", e.Err, e.Cause, attributes)
}

// ObserveExecution writes one line for an execution.
func (o *SlogObserver) ObserveExecution(ctx context.Context, e ExecutionEvent) {
	attributes := []slog.Attr{
		slog.String("execution", e.ExecutionID),
		slog.String("subject", string(e.Subject.ID)),
		slog.Int("source_bytes", len(e.Program)),
		slog.Duration("duration", e.Duration),
		slog.Duration("waited", e.Usage.Waited),
		slog.Duration("in_handlers", e.Usage.InHandlers),
		slog.Duration("worker_cpu", e.Usage.CPU),
		slog.Int64("worker_peak_bytes", e.Usage.PeakMemoryBytes),
		slog.Uint64("worker_steps", e.Usage.Steps),
		slog.Uint64("calls", e.Usage.Calls),
		slog.Int64("bytes_to_worker", e.Usage.BytesToWorker),
		slog.Int64("bytes_from_worker", e.Usage.BytesFromWorker),
	}
	if o.options.Programs {
		attributes = append(attributes, slog.String("program", string(e.Program)))
	}
	o.log(ctx, "execution", e.Err, e.Cause, attributes)
}

func (o *SlogObserver) log(ctx context.Context, message string, class, cause error, attributes []slog.Attr) {
	var fault *ProgramError
	switch {
	case errors.As(class, &fault) && !o.options.Programs:
		attributes = append(attributes, slog.String("error", fault.class.Error())) // its detail holds the program's own values
	case class != nil:
		attributes = append(attributes, slog.String("error", class.Error()))
	}
	if cause != nil {
		// Not cause.Error(): that of a nil pointer would cost the whole line.
		attributes = append(attributes, slog.String("cause", fmt.Sprint(cause)))
	}
	o.logger.LogAttrs(ctx, level(class), message, attributes...)
}

func (o *SlogObserver) arguments(arguments map[string]any) []slog.Attr {
	attributes := make([]slog.Attr, 0, len(arguments))
	for name, value := range arguments {
		switch text, isText := value.(string); {
		case o.options.ArgumentValues:
			attributes = append(attributes, slog.Any(name, value))
		case isText:
			attributes = append(attributes, slog.Attr{Key: name, Value: slog.GroupValue(slog.String("kind", "str"), slog.Int("bytes", len(text)))})
		default:
			attributes = append(attributes, slog.Attr{Key: name, Value: slog.GroupValue(slog.String("kind", scalarKind(value)))})
		}
	}
	slices.SortFunc(attributes, func(a, b slog.Attr) int { return strings.Compare(a.Key, b.Key) })
	return attributes
}

func scalarKind(value any) string {
	switch value.(type) {
	case int64:
		return "int"
	case bool:
		return "bool"
	default:
		return "float"
	}
}
