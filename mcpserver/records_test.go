package mcpserver_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// A records is a codemode.Server over the sample capabilities: records.*,
// admin.purge, which policy denies, slow.wait, which ignores its context, and
// bad.*, whose handlers misbehave.
type records struct {
	*codemode.Server
	subject atomic.Value // the last authz.Subject that was authorized
}

type (
	none        struct{}
	lookupInput struct {
		Key   string `json:"key"`
		Limit *int64 `json:"limit,omitempty"`
	}
	lookupOutput struct {
		Key   string `json:"key"`
		Count int64  `json:"count"`
	}
	item struct {
		ID     string  `json:"id"`
		Active bool    `json:"active"`
		Score  float64 `json:"score"`
	}
	countInput struct {
		Count int64 `json:"count"`
	}
	listOutput struct {
		Items []item `json:"items"`
		Total int64  `json:"total"`
	}
	findInput struct {
		Count  int64   `json:"count"`
		Active bool    `json:"active"`
		Score  float64 `json:"score"`
		Label  *string `json:"label,omitempty"`
	}
	findOutput struct {
		Items []item `json:"items"`
	}
	idsOutput struct {
		Big int64 `json:"big"`
		Max int64 `json:"max"`
		Min int64 `json:"min"`
	}
	textInput struct {
		N int64 `json:"n"`
	}
	textOutput struct {
		Text string `json:"text"`
	}
	keyInput struct {
		Key string `json:"key"`
	}
	waitInput struct {
		MS int64 `json:"ms"`
	}
)

func newRecords(options codemode.Options) (*records, error) {
	r := new(records)
	options.Authorizer = r
	b := codemode.New(options)
	register(b, "records.lookup", "Look up one record by key.", codemode.EffectReadOnly, func(in lookupInput) (lookupOutput, error) {
		out := lookupOutput{Key: in.Key, Count: 1}
		if in.Limit != nil {
			out.Count = *in.Limit
		}
		return out, nil
	})
	register(b, "records.list", "List the first records.", codemode.EffectReadOnly, func(in countInput) (listOutput, error) {
		out := listOutput{Items: []item{}, Total: in.Count}
		for i := range in.Count {
			out.Items = append(out.Items, item{ID: fmt.Sprintf("r%d", i), Active: i%2 == 0, Score: float64(i) * 1.5})
		}
		return out, nil
	})
	register(b, "records.search", "Search records.", codemode.EffectReadOnly, func(findInput) (findOutput, error) {
		return findOutput{Items: []item{}}, nil
	})
	register(b, "records.ids", "Return large record numbers.", codemode.EffectReadOnly, func(none) (idsOutput, error) {
		return idsOutput{Big: 1<<53 + 1, Max: math.MaxInt64, Min: math.MinInt64}, nil
	})
	register(b, "records.text", "Return a text of n bytes.", codemode.EffectReadOnly, func(in textInput) (textOutput, error) {
		return textOutput{Text: strings.Repeat("x", int(in.N))}, nil
	})
	register(b, "records.broken", "Fail.", codemode.EffectReadOnly, func(none) (none, error) { return none{}, errSecret })
	register(b, "admin.purge", "Remove a record.", codemode.EffectDestructive, func(keyInput) (none, error) { return none{}, nil })
	register(b, "slow.wait", "Wait for some milliseconds.", codemode.EffectReadOnly, func(in waitInput) (none, error) {
		time.Sleep(time.Duration(in.MS) * time.Millisecond)
		return none{}, nil
	})
	register(b, "bad.panics", "Panic.", codemode.EffectReadOnly, func(none) (none, error) {
		panic("secret-panic-value")
	})
	register(b, "bad.goexit", "End the goroutine.", codemode.EffectReadOnly, func(none) (none, error) {
		runtime.Goexit()
		return none{}, nil
	})
	var err error
	r.Server, err = b.Build()
	return r, err
}

func register[In, Out any](b *codemode.Builder, name codemode.CapabilityName, summary string, effect codemode.Effect, f func(In) (Out, error)) {
	capability := codemode.Capability[In, Out]{
		Name: name, Summary: summary, Effect: effect,
		Handler: func(_ context.Context, _ authz.Subject, in In) (Out, error) { return f(in) },
	}
	if name == "records.lookup" {
		capability.ID = "records.entry.lookup"
	}
	codemode.Register(b, capability)
}

var errPolicy = errors.New("secret-policy-detail")

func (r *records) Authorize(_ context.Context, in authz.AuthorizationInput) error {
	r.subject.Store(in.Subject)
	if strings.HasPrefix(in.CapabilityName, "admin.") {
		return fmt.Errorf("%w: secret-policy-detail", authz.ErrDenied)
	}
	if in.Arguments["key"] == "undecided" {
		return errPolicy
	}
	return nil
}

func buildRecords(t testing.TB, options codemode.Options) *records {
	t.Helper()
	r, err := newRecords(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// program returns the source of a main with this body.
func program(lines ...string) map[string]any {
	return map[string]any{"source": "def main():\n    " + strings.Join(lines, "\n    ") + "\n"}
}
