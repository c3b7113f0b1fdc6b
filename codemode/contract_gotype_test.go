package codemode_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// TestReportedTypesBuildOrNot are the reported cases of types and handlers,
// each registered alone as x.y.
func TestReportedTypesBuildOrNot(t *testing.T) {
	type shapes = []codemode.FieldShape
	for _, c := range []struct {
		id       string
		register add
		input    shapes
		output   shapes
		class    error
		arg, ret string
	}{
		{id: "go-nan-f32", register: returning("x.y", struct {
			R float32 `json:"r"`
		}{float32(math.NaN())}), class: codemode.ErrCapabilityFailure},
		{id: "go-byte-array-named", register: returning("x.y", struct {
			B [3]namedByte `json:"b"`
		}{}), output: shapes{{Name: "b", Type: "list[int]", Required: true}}, ret: `{"b":[0,0,0]}`},
		{id: "go-duration", register: offer("x.y", func(_ context.Context, in struct {
			D time.Duration `json:"d"`
		}) (struct {
			D time.Duration `json:"d"`
		}, error) {
			return in, nil
		}),
			input: shapes{{Name: "d", Type: "int", Required: true}}, output: shapes{{Name: "d", Type: "int", Required: true}}, arg: "d=7", ret: `{"d":7}`},
		{id: "go-anon-structs", register: returning("x.y", struct {
			A []struct {
				K string `json:"k"`
			} `json:"a"`
			B struct {
				V int `json:"v"`
			} `json:"b"`
		}{}), output: shapes{{Name: "a", Type: "list[{k: str}]", Required: true}, {Name: "b", Type: "{v: int}", Required: true}}, ret: `{"a":null,"b":{"v":0}}`},
		{id: "go-ptr-list", register: returning("x.y", struct {
			V *[]*string `json:"v"`
		}{}), output: shapes{{Name: "v", Type: "list[str | None] | None", Required: true}}, ret: `{"v":null}`},
		{id: "go-default-name", register: returning("x.y", struct{ UserID string }{}), output: shapes{{Name: "UserID", Type: "str", Required: true}}, ret: `{"UserID":""}`},
		{id: "go-int8-list", register: returning("x.y", struct {
			V []int8 `json:"v"`
		}{[]int8{-1, 5}}), ret: `{"v":[-1,5]}`},
		{id: "go-handler-deadline", register: failing(fmt.Errorf("upstream: %w", context.DeadlineExceeded)), class: codemode.ErrCapabilityFailure},
		{id: "a handler's context.Canceled", register: failing(context.Canceled), class: codemode.ErrCapabilityFailure},
		{id: "go-handler-denied", register: failing(fmt.Errorf("x: %w", authz.ErrDenied)), class: codemode.ErrCapabilityFailure},
		{id: "go-handler-sentinel", register: failing(codemode.ErrNotFound), class: codemode.ErrCapabilityFailure},
		{id: "a handler's ErrResourceLimit", register: failing(codemode.ErrResourceLimit), class: codemode.ErrCapabilityFailure},
		{id: "a handler's ErrInvalidArguments", register: failing(codemode.ErrInvalidArguments), class: codemode.ErrCapabilityFailure},
		{id: "a handler's ErrInternal", register: failing(codemode.ErrInternal), class: codemode.ErrCapabilityFailure},
		{id: "a handler's value beside an error", register: offer("x.y", func(context.Context, empty) (box[int], error) { return box[int]{1}, fmt.Errorf("x") }), class: codemode.ErrCapabilityFailure},
	} {
		t.Run(c.id, func(t *testing.T) {
			server := start(t, codemode.Options{}, c.register)
			d, err := server.Describe("x.y")
			wantClass(t, err, nil)
			if c.input != nil && !reflect.DeepEqual(d.Input, c.input) || c.output != nil && !reflect.DeepEqual(d.Output, c.output) {
				t.Errorf("got %+v, %+v", d.Input, d.Output)
			}
			if program := body("return x.y(" + c.arg + ")"); c.class != nil {
				wantFault(t, server, program, c.class)
			} else if c.ret != "" {
				wantValue(t, server, program, c.ret)
			}
		})
	}
	for id, register := range map[string]add{
		"go-tag-dash": returning("x.y", struct {
			A string `json:"a"`
			B string `json:"-"`
		}{}),
		"go-tag-string": returning("x.y", struct {
			ID int64 `json:"id,string"`
		}{}),
		"go-tag-dup": returning("x.y", struct {
			A  string `json:"ID"` // go vet refuses two equal tags
			ID string
		}{}),
		"go-embedded": returning("x.y", struct {
			Embedded
			N int `json:"n"`
		}{}),
		"go-ptr-marshaler": returning("x.y", struct {
			L pointerMarshaler `json:"l"`
		}{}),
		"go-cycle-map": returning("x.y", viaMap{}),
		"go-cycle-named-slice": returning("x.y", struct {
			L cyclicSlice `json:"l"`
		}{}),
		"go-in-int": offer("x.y", func(context.Context, struct {
			N int `json:"n"`
		}) (empty, error) {
			return empty{}, nil
		}),
		"go-in-slice": offer("x.y", func(context.Context, struct {
			IDs []string `json:"ids"`
		}) (empty, error) {
			return empty{}, nil
		}),
	} {
		t.Run(id, func(t *testing.T) { refused(t, codemode.Options{}, []string{"x.y"}, register) })
	}
	t.Run("go-name-keyword", func(t *testing.T) {
		refused(t, codemode.Options{}, []string{"records.import"}, returning("records.import", empty{}))
	})
	t.Run("go-legal-roots", func(t *testing.T) {
		server := start(t, codemode.Options{}, returning("time.now", box[int]{1}), returning("stats.sum", box[int]{2}), returning("git.list", box[int]{3}))
		wantValue(t, server, body("return [time.now()['v'], stats.sum()['v'], git.list()['v'], sum([1, 2])]"), "[1,2,3,3]")
	})
}

func failing(err error) add {
	return offer("x.y", func(context.Context, empty) (empty, error) { return empty{}, err })
}
