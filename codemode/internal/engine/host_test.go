package engine_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/codemode/internal/engine"
	"github.com/codemode-go/codemode/wire"
)

// A host is the parent's side for tests: capabilities, and what was called.
type host struct {
	limits   engine.Limits
	handlers map[string]handler
	calls    []string // IDs in order
}

type handler struct {
	capability engine.Capability
	handle     func(arguments map[string]any) (any, engine.Class)
	plan       *binding.Plan
}

var defaultLimits = engine.Limits{MaxSteps: 1_000_000, MaxCalls: 100, MaxValueDepth: 32, MaxValueBytes: 1 << 20}

type (
	none   struct{}
	lookup struct {
		Key   string `json:"key"`
		Limit *int64 `json:"limit,omitempty"`
	}
	record struct {
		Key   string `json:"key"`
		Count int64  `json:"count"`
	}
	count struct {
		Count int64 `json:"count"`
	}
	item struct {
		ID     string  `json:"id"`
		Active bool    `json:"active"`
		Score  float64 `json:"score"`
	}
	items struct {
		Items []item `json:"items"`
		Total int64  `json:"total"`
	}
	search struct {
		Count  int64   `json:"count"`
		Active bool    `json:"active"`
		Score  float64 `json:"score"`
		Label  *string `json:"label"`
	}
	ids struct {
		Big int64 `json:"big"`
		Max int64 `json:"max"`
		Min int64 `json:"min"`
	}
	textInput struct {
		N int64 `json:"n"`
	}
	text struct {
		Text string `json:"text"`
	}
	purge struct {
		Key string `json:"key"`
	}
	wait struct {
		Ms int64 `json:"ms"`
	}
)

// newHost returns the capabilities that the shared cases call CAPS-A, and one
// in a nested namespace.
func newHost(t testing.TB) *host {
	h := &host{limits: defaultLimits, handlers: map[string]handler{}}
	add[lookup, record](t, h, "records.lookup", func(a map[string]any) (any, engine.Class) {
		out := record{Key: a["key"].(string), Count: 1}
		if n, ok := a["limit"].(int64); ok && n != 0 {
			out.Count = n
		}
		return out, engine.OK
	})
	add[count, items](t, h, "records.list", func(a map[string]any) (any, engine.Class) {
		out := items{Items: []item{}, Total: a["count"].(int64)}
		for i := range out.Total {
			out.Items = append(out.Items, item{ID: "r" + string(rune('0'+i%10)), Active: i%2 == 0, Score: float64(i) * 1.5})
		}
		return out, engine.OK
	})
	add[search, items](t, h, "records.search", func(map[string]any) (any, engine.Class) {
		return items{Items: []item{}}, engine.OK
	})
	add[none, ids](t, h, "records.ids", func(map[string]any) (any, engine.Class) {
		return ids{Big: 1<<53 + 1, Max: 1<<63 - 1, Min: -1 << 63}, engine.OK
	})
	add[textInput, text](t, h, "records.text", func(a map[string]any) (any, engine.Class) {
		return text{Text: strings.Repeat("x", int(a["n"].(int64)))}, engine.OK
	})
	add[none, none](t, h, "records.broken", func(map[string]any) (any, engine.Class) {
		return nil, engine.CapabilityFailure
	})
	add[none, none](t, h, "records.archive.status", func(map[string]any) (any, engine.Class) {
		return none{}, engine.OK
	})
	add[purge, none](t, h, "admin.purge", func(map[string]any) (any, engine.Class) {
		return nil, engine.PermissionDenied
	})
	add[wait, none](t, h, "slow.wait", func(map[string]any) (any, engine.Class) {
		return none{}, engine.OK
	})
	return h
}

func add[In, Out any](t testing.TB, h *host, name string, handle func(map[string]any) (any, engine.Class)) {
	t.Helper()
	plan, err := binding.CompileFor[In, Out]()
	if err != nil {
		t.Fatal(err)
	}
	c := engine.Capability{ID: "id:" + name, Name: name, Input: plan.Input()}
	h.handlers[c.ID] = handler{capability: c, handle: handle, plan: plan}
}

func (h *host) capabilities() []engine.Capability {
	var all []engine.Capability
	for _, c := range h.handlers {
		all = append(all, c.capability)
	}
	return all
}

func (h *host) engine(t testing.TB) *engine.Engine {
	t.Helper()
	e, err := engine.New(engine.AppendManifest(nil, h.limits, h.capabilities()))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// call is what the parent does between two frames.
func (h *host) call(id string, arguments []byte) ([]byte, engine.Class, error) {
	h.calls = append(h.calls, id)
	handler := h.handlers[id]
	limits := wire.Limits{MaxDepth: h.limits.MaxValueDepth, MaxBytes: h.limits.MaxValueBytes}
	bound := handler.plan.NewArguments()
	if err := wire.Decode(arguments, limits, bound); err != nil {
		return nil, 0, err
	}
	if err := bound.Finish(); err != nil {
		return nil, engine.InvalidArguments, nil
	}
	output, class := handler.handle(bound.Map())
	if class != engine.OK {
		return nil, class, nil
	}
	var encoder wire.Encoder
	encoder.Reset(nil, limits)
	switch err := handler.plan.WalkOutput(output, &encoder); {
	case errors.Is(err, wire.ErrSize), errors.Is(err, wire.ErrDepth):
		return nil, engine.ResourceLimit, nil
	case err != nil:
		return nil, engine.CapabilityFailure, nil
	}
	body, err := encoder.Bytes()
	if err != nil {
		return nil, engine.ResourceLimit, nil
	}
	return body, engine.OK, nil
}

func (h *host) run(t testing.TB, source string) engine.Result {
	t.Helper()
	return h.engine(t).Run([]byte(source), h.call)
}

// decode returns the value of a result as JSON-shaped Go values.
func decode(t testing.TB, value []byte) any {
	t.Helper()
	var builder binding.PlainBuilder
	if err := wire.Decode(value, wire.Limits{MaxDepth: 1000, MaxBytes: 1 << 30}, &builder); err != nil {
		t.Fatal(err)
	}
	v, err := builder.Value()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// text returns how a run ended, as the facade would say it.
func outcome(t testing.TB, r engine.Result) string {
	t.Helper()
	if r.Fault == nil {
		text, err := json.Marshal(decode(t, r.Value))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if r.Fault.Detail == "" || r.Fault.Class == engine.ResourceLimit { // its detail is the host's alone
		return r.Fault.Class.String()
	}
	return r.Fault.Class.String() + ": " + r.Fault.Detail
}
