// Package binding joins Go structs and Starlark values.
package binding
