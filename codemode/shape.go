package codemode

import "github.com/codemode-go/codemode/binding"

// maxShapeBytes bounds the notation of one output, which repeats a struct
// wherever it is used: thirty small ones, of which each uses the one before
// twice, would take more memory than there is.
const maxShapeBytes = 4 << 20

// shapeBytes returns what the notation of t takes at most, or a number above
// maxShapeBytes. Types are shared, so known keeps it from taking every path.
func shapeBytes(t *binding.Type, known map[*binding.Type]int) int {
	if n, ok := known[t]; ok {
		return n
	}
	n := len("dict[str, ] | None")
	switch t.Kind {
	case binding.List, binding.Dict:
		n += shapeBytes(t.Elem, known)
	case binding.Struct:
		for _, f := range t.Fields {
			n = min(n+len(f.Name)+len("?: , ")+shapeBytes(f.Type, known), maxShapeBytes+1)
		}
	}
	known[t] = n
	return n
}
