package binding_test

import (
	"reflect"
	"testing"

	"github.com/codemode-go/codemode/binding"
)

// Tags are text, so they are tested on types made of text.
func oneField(name string, tag reflect.StructTag, typ reflect.Type) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: name, Type: typ, Tag: tag}})
}

func TestTags(t *testing.T) {
	str, pointer := typ[string](), typ[*string]()
	tests := []struct {
		rule string
		tag  reflect.StructTag
		typ  reflect.Type
		want string // the notation, or what a fault contains after "A: "
		bad  bool
	}{
		{"no tag", ``, str, "{A: str}", false},
		{"blanks are no tag", `  `, str, "{A: str}", false},
		{"a name", `json:"user_id"`, str, "{user_id: str}", false},
		{"a name in another script", `json:"größe"`, str, "{größe: str}", false},
		{"a name that starts with an underscore", `json:"_x"`, str, "{_x: str}", false},
		{"names of the universe are identifiers", `json:"None"`, str, "{None: str}", false},
		{"an empty name", `json:""`, str, "{A: str}", false},
		{"omitempty without a name", `json:",omitempty"`, pointer, "{A?: str}", false},
		{"omitempty with a name", `json:"a,omitempty"`, pointer, "{a?: str}", false},
		{"blanks around a tag", ` json:"a" `, str, "{a: str}", false},
		{"an escaped name", `json:"\x61"`, str, "{a: str}", false},

		{"ignored", `json:"-"`, str, `got tag "-"`, true},
		{"named dash", `json:"-,"`, str, `got tag option ""`, true},
		{"string option", `json:"a,string"`, str, `got tag option "string", want omitempty or none`, true},
		{"omitzero option", `json:"a,omitzero"`, pointer, `got tag option "omitzero"`, true},
		{"inline option", `json:",inline"`, pointer, `got tag option "inline"`, true},
		{"an option in capitals", `json:"a,OmitEmpty"`, pointer, `got tag option "OmitEmpty"`, true},
		{"a blank before an option", `json:"a, omitempty"`, pointer, `got tag option " omitempty"`, true},
		{"an empty option", `json:"a,"`, str, `got tag option ""`, true},
		{"omitempty twice", `json:"a,omitempty,omitempty"`, pointer, "got omitempty twice", true},
		{"omitempty on a string", `json:"a,omitempty"`, str, "got omitempty on string, want it on pointers only", true},
		{"omitempty on a slice", `json:"a,omitempty"`, typ[[]string](), "got omitempty on []string", true},
		{"omitempty on a map", `json:"a,omitempty"`, typ[map[string]int](), "got omitempty on map[string]int", true},
		{"omitempty on a struct", `json:"a,omitempty"`, typ[none](), "got omitempty on binding_test.none", true},
		{"another key", `yaml:"a"`, str, `got tag key "yaml", want json only`, true},
		{"another key beside json", `json:"a" validate:"required"`, str, `got tag key "validate"`, true},
		{"another key before json", `db:"a" json:"a"`, str, `got tag key "db"`, true},
		{"json in capitals", `JSON:"a"`, str, `got tag key "JSON"`, true},
		{"two json tags", `json:"a" json:"b"`, str, "got two json tags", true},
		{"no quotes", `json:a`, str, `got tag "json:a", want json:"name"`, true},
		{"no end", `json:"a`, str, "want json:", true},
		{"backquotes", "json:`a`", str, "want json:", true},
		{"no key", `:"a"`, str, "want json:", true},
		{"a word", `json`, str, `got tag "json"`, true},
		{"a blank before the value", `json: "a"`, str, "want json:", true},
		{"a keyword", `json:"for"`, str, `got name "for"`, true},
		{"a reserved word", `json:"import"`, str, `got name "import"`, true},
		{"a dash in a name", `json:"user-id"`, str, `got name "user-id"`, true},
		{"a dot in a name", `json:"a.b"`, str, `got name "a.b"`, true},
		{"a blank in a name", `json:"a b"`, str, `got name "a b"`, true},
		{"a blank after a name", `json:"a "`, str, `got name "a "`, true},
		{"a digit first", `json:"1a"`, str, `got name "1a"`, true},
		{"a number", `json:"1"`, str, `got name "1"`, true},
		{"a literal", `json:"'a'"`, str, `got name "'a'"`, true},
		{"brackets", `json:"(a)"`, str, `got name "(a)"`, true},
		{"a comment", `json:"a#b"`, str, `got name "a#b"`, true},
		{"a newline", `json:"a\n"`, str, `got name "a\n"`, true},
		{"a NUL", `json:"a\x00"`, str, `got name "a\x00"`, true},
		{"invalid UTF-8", `json:"\xff"`, str, `got name "\xff"`, true},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			root := oneField("A", test.tag, test.typ)
			plan, err := binding.Compile(typ[none](), root)
			if test.bad {
				checkFaults(t, err, "output", []string{"A: " + test.want})
				// Inputs have the same tags.
				if _, err := binding.Compile(root, typ[none]()); err == nil {
					t.Error("as an input: got nil, want the fault")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := plan.Output().String(); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestNamesAreDistinct(t *testing.T) {
	_, err := binding.CompileFor[none, struct {
		A string
		B string `json:"A"`
		D []struct {
			X int
			Y int `json:"X"`
		}
	}]()
	checkFaults(t, err, "output", []string{
		`B: got name "A", which field A has already`,
		`D[].Y: got name "X", which field X has already`,
	})
	// Case makes a difference, as everywhere in Starlark.
	if _, err := binding.CompileFor[none, struct {
		ID string
		Id string
		I  string `json:"id"`
	}](); err != nil {
		t.Error(err)
	}
}
