package binding

import (
	"reflect"
	"strconv"
	"strings"
)

// declaration is what a struct field says about itself, apart from its type.
type declaration struct {
	name string
	omit bool // omitempty
}

// declare reads a field's name and tag. Problems are for the author; with any,
// the declaration is not to be used.
func declare(field reflect.StructField) (d declaration, problems []string) {
	d.name = field.Name
	tag, tagged, problem := jsonTag(field.Tag)
	if problem != "" {
		return d, []string{problem}
	}
	if tagged {
		problems = d.apply(tag)
	}
	if len(problems) == 0 && !isIdentifier(d.name) {
		problems = append(problems, "got name "+quote(d.name)+", want a Starlark identifier that is not a keyword")
	}
	if d.omit && field.Type.Kind() != reflect.Pointer {
		problems = append(problems, "got omitempty on "+goTypeName(field.Type)+", want it on pointers only")
	}
	return d, problems
}

// apply reads the value of a json tag: one name and at most omitempty.
func (d *declaration) apply(tag string) (problems []string) {
	if tag == "-" {
		return []string{`got tag "-", want every field to be part of the value`}
	}
	name, options, more := strings.Cut(tag, ",")
	if name != "" {
		d.name = name
	}
	for more {
		var option string
		option, options, more = strings.Cut(options, ",")
		switch {
		case option != "omitempty":
			problems = append(problems, "got tag option "+quote(option)+", want omitempty or none")
		case d.omit:
			problems = append(problems, "got omitempty twice")
		}
		d.omit = d.omit || option == "omitempty"
	}
	return problems
}

// jsonTag returns the one json tag of a field. Lookup of reflect.StructTag
// would pass over other keys and over what is not in the conventional form:
// both would be tags that silently do nothing.
func jsonTag(tag reflect.StructTag) (value string, found bool, problem string) {
	rest := strings.TrimLeft(string(tag), " ")
	for rest != "" {
		key, quoted, ok := strings.Cut(rest, ":")
		if !ok || key == "" || strings.ContainsAny(key, " \"\t\n\r\x7f") {
			return "", false, "got tag " + quote(string(tag)) + ", want json:\"name\""
		}
		literal, err := strconv.QuotedPrefix(quoted)
		if err != nil || literal[0] != '"' {
			return "", false, "got tag " + quote(string(tag)) + ", want json:\"name\""
		}
		if key != "json" {
			return "", false, "got tag key " + quote(key) + ", want json only"
		}
		if found {
			return "", false, "got two json tags, want one"
		}
		value, err = strconv.Unquote(literal)
		if err != nil {
			return "", false, "got tag " + quote(string(tag)) + ", want json:\"name\""
		}
		found = true
		rest = strings.TrimLeft(quoted[len(literal):], " ")
	}
	return value, found, ""
}
