package codemode_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"go.starlark.net/starlark"

	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/wire"
)

// BenchmarkResult measures rows 12 and 13: a result of 1,000 structs into the
// wire's bytes against encoding/json, and those bytes into Starlark values
// against building the same values by hand.
func BenchmarkResult(b *testing.B) {
	plan, err := binding.CompileFor[listInput, listOutput]()
	if err != nil {
		b.Fatal(err)
	}
	output := listOutput{Items: listItems(1000), Total: 1000}
	limits := wire.Limits{MaxDepth: 32, MaxBytes: 1 << 20}
	var encoder wire.Encoder
	var body []byte
	encode := func() error {
		encoder.Reset(body[:0], limits)
		if err := plan.WalkOutput(output, &encoder); err != nil {
			return err
		}
		body, err = encoder.Bytes()
		return err
	}
	var text bytes.Buffer
	toJSON := func() error {
		text.Reset()
		return json.NewEncoder(&text).Encode(output)
	}
	decode := func() error {
		var builder binding.StarlarkBuilder
		if err := wire.Decode(body, limits, &builder); err != nil {
			return err
		}
		_, err := builder.Value()
		return err
	}
	m := medians(b, max(b.N, 5), timed(b, encode), timed(b, toJSON), timed(b, decode), timed(b, func() error { return buildByHand(output) }))
	b.ReportMetric(m[0]/m[1], "row12:wire/json")
	b.ReportMetric(m[2]/m[3], "row13:decode/build")
}

func buildByHand(output listOutput) error {
	items := make([]starlark.Value, len(output.Items))
	id, active, score := starlark.String("id"), starlark.String("active"), starlark.String("score")
	for i, item := range output.Items {
		d := starlark.NewDict(3)
		if err := d.SetKey(id, starlark.String(item.ID)); err != nil {
			return err
		}
		if err := d.SetKey(active, starlark.Bool(item.Active)); err != nil {
			return err
		}
		if err := d.SetKey(score, starlark.Float(item.Score)); err != nil {
			return err
		}
		items[i] = d
	}
	root := starlark.NewDict(2)
	if err := root.SetKey(starlark.String("items"), starlark.NewList(items)); err != nil {
		return err
	}
	return root.SetKey(starlark.String("total"), starlark.MakeInt64(output.Total))
}
