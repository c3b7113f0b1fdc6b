// Package engine runs one Starlark program against a set of capabilities. It
// knows neither processes nor policies: a native call is a function that it is
// given, so everything here can be driven in process.
package engine
