package binding_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/codemode-go/codemode/binding"
)

// A tree need not come from Go types.
func TestTypesArePlainValues(t *testing.T) {
	tree := &binding.Type{Kind: binding.Dict, Nullable: true, Elem: &binding.Type{Kind: binding.List, Elem: &binding.Type{
		Kind: binding.Struct,
		Fields: []binding.Field{
			{Name: "a", Type: &binding.Type{Kind: binding.Bytes}},
			{Name: "b", Type: &binding.Type{Kind: binding.Float, Nullable: true}, Optional: true},
		},
	}}}
	const want = "dict[str, list[{a: list[int], b?: float | None}]] | None"
	if got := tree.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	var back *binding.Type
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, tree) {
		t.Errorf("got %v and %v, want %s", back, err, want)
	}
}

func TestUnfinishedTypesHaveANotation(t *testing.T) {
	for _, test := range []struct {
		tree *binding.Type
		want string
	}{
		{nil, "invalid"},
		{&binding.Type{}, "invalid"},
		{&binding.Type{Kind: binding.List}, "list[invalid]"},
		{&binding.Type{Kind: binding.Dict, Nullable: true}, "dict[str, invalid] | None"},
		{&binding.Type{Kind: binding.Struct, Fields: []binding.Field{{Name: "a"}}}, "{a: invalid}"},
	} {
		if got := test.tree.String(); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	if got := binding.Struct.String() + " " + binding.Kind(99).String(); got != "struct invalid" {
		t.Errorf("got %s, want struct invalid", got)
	}
}
