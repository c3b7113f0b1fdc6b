package binding_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/binding"
)

// Types of reported cases, in Go. Each stands beside the rule that it showed.
type (
	caseBase      struct{ ID string }
	caseOctet     uint8
	caseMarshaler struct{ N int }
	caseTree      struct {
		Sub map[string]caseTree `json:"sub"`
	}
	caseList []caseList
)

func (*caseMarshaler) MarshalJSON() ([]byte, error) { return nil, nil }

type goCase struct {
	id            string
	input, output reflect.Type
	bad           bool
	inputShapes   []binding.Shape
	outputShapes  []binding.Shape
}

var goCases = []goCase{
	{id: "go-nan-f32", output: typ[struct {
		R float32 `json:"r"`
	}](), outputShapes: []binding.Shape{{Name: "r", Type: "float", Required: true}}},
	{id: "go-byte-array-named", output: typ[struct {
		B [3]caseOctet `json:"b"`
	}](), outputShapes: []binding.Shape{{Name: "b", Type: "list[int]", Required: true}}},
	{id: "go-tag-dash", bad: true, output: reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: typ[string](), Tag: `json:"a"`}, {Name: "B", Type: typ[string](), Tag: `json:"-"`},
	})},
	{id: "go-tag-string", bad: true, output: oneField("ID", `json:"id,string"`, typ[int64]())},
	{id: "go-tag-dup", bad: true, output: reflect.StructOf([]reflect.StructField{
		{Name: "A", Type: typ[string](), Tag: `json:"id"`}, {Name: "B", Type: typ[string](), Tag: `json:"id"`},
	})},
	{id: "go-embedded", bad: true, output: typ[struct {
		caseBase
		N int `json:"n"`
	}]()},
	{id: "go-duration", input: typ[struct {
		D time.Duration `json:"d"`
	}](), output: typ[struct {
		D time.Duration `json:"d"`
	}](), inputShapes: []binding.Shape{{Name: "d", Type: "int", Required: true}}, outputShapes: []binding.Shape{{Name: "d", Type: "int", Required: true}}},
	{id: "go-ptr-marshaler", bad: true, output: typ[struct {
		L caseMarshaler `json:"l"`
	}]()},
	{id: "go-cycle-map", bad: true, output: typ[caseTree]()},
	{id: "go-cycle-named-slice", bad: true, output: typ[struct {
		L caseList `json:"l"`
	}]()},
	{id: "go-anon-structs", output: typ[struct {
		A []struct {
			K string `json:"k"`
		} `json:"a"`
		B struct {
			V int `json:"v"`
		} `json:"b"`
	}](), outputShapes: []binding.Shape{{Name: "a", Type: "list[{k: str}]", Required: true}, {Name: "b", Type: "{v: int}", Required: true}}},
	{id: "go-ptr-list", output: typ[struct {
		V *[]*string `json:"v"`
	}](), outputShapes: []binding.Shape{{Name: "v", Type: "list[str | None] | None", Required: true}}},
	{id: "go-in-int", bad: true, input: typ[struct {
		N int `json:"n"`
	}]()},
	{id: "go-in-slice", bad: true, input: typ[struct {
		IDs []string `json:"ids"`
	}]()},
	{id: "go-default-name", output: typ[struct{ UserID string }](), outputShapes: []binding.Shape{{Name: "UserID", Type: "str", Required: true}}},
	{id: "go-map-order", output: typ[struct {
		M map[string]int `json:"m"`
	}](), outputShapes: []binding.Shape{{Name: "m", Type: "dict[str, int]", Required: true}}},
	{id: "go-int8-list", output: typ[struct {
		V []int8 `json:"v"`
	}](), outputShapes: []binding.Shape{{Name: "v", Type: "list[int]", Required: true}}},
}

func (c goCase) compile() (*binding.Plan, error) {
	input, output := c.input, c.output
	if input == nil {
		input = typ[none]()
	}
	if output == nil {
		output = typ[none]()
	}
	return binding.Compile(input, output)
}

func TestReportedTypes(t *testing.T) {
	for _, c := range goCases {
		t.Run(c.id, func(t *testing.T) {
			plan, err := c.compile()
			if (err != nil) != c.bad {
				t.Fatalf("got %v, want a fault: %t", err, c.bad)
			}
			if err != nil {
				return
			}
			if c.inputShapes != nil && !slices.Equal(plan.InputShapes(), c.inputShapes) {
				t.Errorf("input: got %v, want %v", plan.InputShapes(), c.inputShapes)
			}
			if !slices.Equal(plan.OutputShapes(), c.outputShapes) {
				t.Errorf("output: got %v, want %v", plan.OutputShapes(), c.outputShapes)
			}
		})
	}
}

// TestReportedTypesAgree compares the table with the collection that it was
// made from, where that lies beside the repository. Cases about names,
// handlers and policies are not this module's.
func TestReportedTypesAgree(t *testing.T) {
	file, err := os.Open(filepath.Join("..", "..", "shared", "cases", "cases.jsonl"))
	if err != nil {
		t.Skip("the collection of cases is not beside the repository")
	}
	defer file.Close()
	known := make(map[string]goCase)
	for _, c := range goCases {
		known[c.id] = c
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct {
			ID, Kind string
			Input    struct{ Go string }
			Expected struct {
				Build  string   `json:"build_error"`
				Input  [][3]any `json:"describe_input"`
				Output [][3]any `json:"describe_output"`
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil || c.Kind != "gotype" || !strings.HasPrefix(c.Input.Go, "type ") {
			continue
		}
		entry, ok := known[c.ID]
		if !ok {
			t.Errorf("%s: not in the table: %s", c.ID, c.Input.Go)
			continue
		}
		if entry.bad != (c.Expected.Build != "") {
			t.Errorf("%s: got a fault: %t, want %q", c.ID, entry.bad, c.Expected.Build)
		}
		for _, side := range []struct {
			want [][3]any
			got  []binding.Shape
		}{{c.Expected.Input, entry.inputShapes}, {c.Expected.Output, entry.outputShapes}} {
			if side.want == nil {
				continue
			}
			var got [][3]any
			for _, shape := range side.got {
				got = append(got, [3]any{shape.Name, shape.Type, shape.Required})
			}
			if !reflect.DeepEqual(got, side.want) {
				t.Errorf("%s: got %v, want %v", c.ID, got, side.want)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
}
