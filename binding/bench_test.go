package binding_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/codemode-go/codemode/binding"
	"go.starlark.net/starlark"
)

const benchItems = 1000

type benchItem struct {
	ID     string  `json:"id"`
	Active bool    `json:"active"`
	Score  float64 `json:"score"`
}

type benchOutput struct {
	Items []benchItem `json:"items"`
}

func newBenchOutput() benchOutput {
	var out benchOutput
	for i := range benchItems {
		out.Items = append(out.Items, benchItem{ID: fmt.Sprint("record-", i), Active: i%2 == 0, Score: float64(i) * 1.5})
	}
	return out
}

// hand pushes the output as code written for the type would: the floor of
// every walk.
func (o *benchOutput) hand(v binding.Visitor) {
	v.Dict(1)
	v.Key("items")
	v.List(len(o.Items))
	for i := range o.Items {
		item := &o.Items[i]
		v.Dict(3)
		v.Key("id")
		v.String(item.ID)
		v.Key("active")
		v.Bool(item.Active)
		v.Key("score")
		v.Float(item.Score)
	}
}

// handStarlark builds the values that StarlarkBuilder should build.
func (o *benchOutput) handStarlark() starlark.Value {
	id, active, score := starlark.Value(starlark.String("id")), starlark.Value(starlark.String("active")), starlark.Value(starlark.String("score"))
	items := make([]starlark.Value, len(o.Items))
	for i := range o.Items {
		dict := starlark.NewDict(3)
		dict.SetKey(id, starlark.String(o.Items[i].ID))
		dict.SetKey(active, starlark.Bool(o.Items[i].Active))
		dict.SetKey(score, starlark.Float(o.Items[i].Score))
		items[i] = dict
	}
	root := starlark.NewDict(1)
	root.SetKey(starlark.String("items"), starlark.NewList(items))
	return root
}

// compare times a function and its floor in turns, so that both see the same
// noise, and reports their ratio.
func compare(b *testing.B, measured, floor func()) {
	var measuredTime, floorTime time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		floor()
		middle := time.Now()
		measured()
		measuredTime += time.Since(middle)
		floorTime += middle.Sub(start)
	}
	b.ReportMetric(float64(measuredTime.Nanoseconds())/float64(b.N), "ns/walk")
	b.ReportMetric(float64(floorTime.Nanoseconds())/float64(b.N), "ns/floor")
	b.ReportMetric(float64(measuredTime)/float64(floorTime), "x-floor")
}

func benchPlan(t testing.TB) *binding.Plan {
	plan, err := binding.CompileFor[lookupInput, benchOutput]()
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func BenchmarkWalkOutput(b *testing.B) {
	plan, out := benchPlan(b), newBenchOutput()
	var output any = out
	b.Run("by hand is the floor", func(b *testing.B) {
		compare(b, func() { plan.WalkOutput(output, &discard{}) }, func() { out.hand(&discard{}) })
	})
	b.Run("encoding-json for comparison", func(b *testing.B) {
		compare(b, func() { plan.WalkOutput(output, &discard{}) }, func() { json.Marshal(output) })
	})
}

func BenchmarkWalkOutputMap(b *testing.B) {
	type mapOutput struct {
		Counts map[string]int64 `json:"counts"`
		Items  map[string]benchItem
	}
	plan, err := binding.CompileFor[none, mapOutput]()
	if err != nil {
		b.Fatal(err)
	}
	out := mapOutput{make(map[string]int64), make(map[string]benchItem)}
	for i, item := range newBenchOutput().Items {
		out.Counts[item.ID] = int64(i)
		out.Items[item.ID] = item
	}
	var output any = out
	compare(b, func() { plan.WalkOutput(output, &discard{}) }, func() { json.Marshal(output) })
}

func BenchmarkStarlarkBuilder(b *testing.B) {
	out := newBenchOutput()
	compare(b, func() {
		var s binding.StarlarkBuilder
		out.hand(&s)
		s.Value()
	}, func() { out.handStarlark() })
}

func BenchmarkPlainBuilder(b *testing.B) {
	out := newBenchOutput()
	compare(b, func() {
		var p binding.PlainBuilder
		out.hand(&p)
		p.Value()
	}, func() {
		items := make([]any, len(out.Items))
		for i, item := range out.Items {
			items[i] = map[string]any{"id": item.ID, "active": item.Active, "score": item.Score}
		}
	})
}

func BenchmarkWalkStarlark(b *testing.B) {
	out := newBenchOutput()
	value := out.handStarlark()
	compare(b, func() { binding.WalkStarlark(value, &discard{}) }, func() { out.hand(&discard{}) })
}

func BenchmarkBind(b *testing.B) {
	in := benchPlan(b).Input()
	kwargs := []starlark.Tuple{
		{starlark.String("key"), starlark.String("alpha")},
		{starlark.String("limit"), starlark.MakeInt(2)},
	}
	compare(b, func() {
		for range 100 {
			in.Bind(nil, kwargs, &discard{})
		}
	}, func() {
		for range 100 {
			var key string
			var limit int64
			starlark.UnpackArgs("f", nil, kwargs, "key", &key, "limit?", &limit)
		}
	})
}

func BenchmarkArguments(b *testing.B) {
	plan := benchPlan(b)
	compare(b, func() {
		for range 100 {
			a := plan.NewArguments()
			a.Dict(2)
			a.Key("key")
			a.String("alpha")
			a.Key("limit")
			a.Int(2)
			a.Finish()
			a.Value()
			a.Map()
		}
	}, func() {
		for range 100 {
			var in lookupInput
			json.Unmarshal([]byte(`{"key":"alpha","limit":2}`), &in)
		}
	})
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		binding.CompileFor[lookupInput, benchOutput]()
	}
}

// Allocations are counted, not timed, so they are tests.

func TestAllocationsOfWalks(t *testing.T) {
	out := newBenchOutput()
	plan, value := benchPlan(t), out.handStarlark()
	var output any = out
	var pointer any = &out
	v := &discard{}
	kwargs := []starlark.Tuple{{starlark.String("key"), starlark.String("alpha")}, {starlark.String("limit"), starlark.MakeInt(2)}}
	in := plan.Input()
	tests := []struct {
		walk  string
		most  float64
		walks func()
	}{
		{"a Go result of 1,000 structs", 0, func() { plan.WalkOutput(output, v) }},
		{"a Go result by pointer", 0, func() { plan.WalkOutput(pointer, v) }},
		{"1,000 Starlark dicts", 4, func() { binding.WalkStarlark(value, v) }},
		{"a call", 0, func() { in.Bind(nil, kwargs, v) }},
		{"1,000 dicts to Starlark, three for each dict", 3*benchItems + 15, func() {
			var s binding.StarlarkBuilder
			out.hand(&s)
		}},
	}
	for _, test := range tests {
		t.Run(test.walk, func(t *testing.T) {
			if got := testing.AllocsPerRun(20, test.walks); got > test.most {
				t.Errorf("got %g allocations, want at most %g", got, test.most)
			}
		})
	}
}
