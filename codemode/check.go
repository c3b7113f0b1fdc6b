package codemode

import (
	"context"
	"errors"
	"fmt"

	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/codemode/internal/engine"
	"github.com/codemode-go/codemode/sandbox"
	"github.com/codemode-go/codemode/wire"
)

// A Problem is a fault that [Server.Check] found in a program. Line and Column
// count from 1; both are 0 where the fault has no place.
type Problem struct {
	Line, Column int
	Message      string
}

// String returns the problem as a compiler would print it.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.Message
	}
	return fmt.Sprintf("<codemode>:%d:%d: %s", p.Line, p.Column, p.Message)
}

const (
	maxProblemBytes = 64 << 10
	problemReserve  = 4 << 10
)

var problemLimits = wire.Limits{MaxDepth: 3, MaxBytes: maxProblemBytes}

// check encodes as many problems as fit: a list of [line, column, message].
func (w *worker) check(source []byte) sandbox.Outcome {
	problems := w.engine.Check(source)
	size := 0
	for i, p := range problems {
		if size += len(p.Message) + 32; size > maxProblemBytes-problemReserve {
			problems = problems[:i]
			break
		}
	}
	var encoder wire.Encoder
	encoder.Reset(nil, problemLimits)
	err := encoder.List(len(problems))
	for _, p := range problems {
		err = errors.Join(err, encoder.List(3), encoder.Int(int64(p.Line)), encoder.Int(int64(p.Column)), encoder.String(p.Message))
	}
	body, bytesErr := encoder.Bytes()
	if errors.Join(err, bytesErr) != nil {
		return sandbox.Outcome{Fault: &sandbox.Fault{Class: byte(engine.Internal)}}
	}
	return sandbox.Outcome{Value: body}
}

// Check finds faults in program without running it: of syntax and names, of
// the entry point, and of every call of a capability that can be judged as it
// stands. It returns all of them in the order of the source, none for a
// program that may be run. What depends on values that are not literals is
// never reported. Its error is one of the classes of [Server.Execute]; like an
// execution it waits for a worker and obeys MaxSourceBytes and
// MaxExecutionTime.
func (s *Server) Check(ctx context.Context, program Program) ([]Problem, error) {
	if ctx == nil || !s.built() {
		return nil, ErrInternal
	}
	if len(program) > s.limits.MaxSourceBytes {
		return nil, ErrResourceLimit
	}
	if problem := engine.TextProblem([]byte(program)); problem != nil {
		return []Problem{Problem(*problem)}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.limits.MaxExecutionTime)
	defer cancel()
	outcome, _, err := s.pool.Run(ctx, appendJob(jobCheck, string(program)), refuseCalls)
	if err != nil {
		return nil, runClass(err)
	}
	if outcome.Fault != nil {
		return nil, ErrInternal
	}
	return decodeProblems(outcome.Value)
}

func refuseCalls(context.Context, sandbox.Call) (sandbox.Reply, error) {
	return sandbox.Reply{}, fmt.Errorf("%w: call during a check", sandbox.ErrProtocol)
}

func decodeProblems(body []byte) ([]Problem, error) {
	var builder binding.PlainBuilder
	if err := wire.Decode(body, problemLimits, &builder); err != nil {
		return nil, ErrInternal
	}
	value, err := builder.Value()
	list, ok := value.([]any)
	if err != nil || !ok {
		return nil, ErrInternal
	}
	problems := make([]Problem, 0, len(list))
	for _, item := range list {
		fields, _ := item.([]any)
		if len(fields) != 3 {
			return nil, ErrInternal
		}
		line, ok1 := fields[0].(int64)
		column, ok2 := fields[1].(int64)
		message, ok3 := fields[2].(string)
		if !ok1 || !ok2 || !ok3 {
			return nil, ErrInternal
		}
		problems = append(problems, Problem{Line: int(line), Column: int(column), Message: cleanDetail(message)})
	}
	return problems, nil
}
