package ratios

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/codemode-go/codemode/binding"
	"github.com/codemode-go/codemode/wire"
	"go.starlark.net/starlark"
)

// codecs returns the terms of the two directions that a result takes.
func codecs() ([]term, error) {
	plan, err := binding.CompileFor[listInput, listOutput]()
	if err != nil {
		return nil, err
	}
	var encoder wire.Encoder
	var body []byte
	var text bytes.Buffer
	encode := func() error {
		encoder.Reset(body[:0], limits)
		if err := plan.WalkOutput(thousand, &encoder); err != nil {
			return err
		}
		var err error
		body, err = encoder.Bytes()
		return err
	}
	toJSON := func() error {
		text.Reset()
		return json.NewEncoder(&text).Encode(thousand)
	}
	decode := func() error {
		var builder binding.StarlarkBuilder
		if err := wire.Decode(body, limits, &builder); err != nil {
			return err
		}
		_, err := builder.Value()
		return err
	}
	return []term{{"wire", steady(encode)}, {"json", steady(toJSON)}, {"decode", steady(decode)}, {"build", steady(buildByHand)}}, encode()
}

// buildByHand builds what decoding does, with nothing to read from.
func buildByHand() error {
	id, active, score := starlark.String("id"), starlark.String("active"), starlark.String("score")
	items := make([]starlark.Value, len(thousand.Items))
	for i, item := range thousand.Items {
		d := starlark.NewDict(3)
		err := errors.Join(d.SetKey(id, starlark.String(item.ID)), d.SetKey(active, starlark.Bool(item.Active)), d.SetKey(score, starlark.Float(item.Score)))
		if err != nil {
			return err
		}
		items[i] = d
	}
	return starlark.NewDict(1).SetKey(starlark.String("items"), starlark.NewList(items))
}
