package binding_test

import (
	"errors"
	"fmt"
	"strings"
)

// A trace is a visitor that writes down what it receives, one word for each
// event: {2 key: "alpha" limit: 2 is a dict of two entries.
type trace struct {
	words []string
	fail  int // the event that fails with errStop, counted from 1
}

var errStop = errors.New("stop")

func (t *trace) add(format string, args ...any) error {
	t.words = append(t.words, fmt.Sprintf(format, args...))
	if len(t.words) == t.fail {
		return errStop
	}
	return nil
}

func (t *trace) Null() error           { return t.add("None") }
func (t *trace) Bool(v bool) error     { return t.add("%t", v) }
func (t *trace) Int(v int64) error     { return t.add("%d", v) }
func (t *trace) Float(v float64) error { return t.add("%gf", v) }
func (t *trace) String(v string) error { return t.add("%q", v) }
func (t *trace) List(n int) error      { return t.add("[%d", n) }
func (t *trace) Dict(n int) error      { return t.add("{%d", n) }
func (t *trace) Key(v string) error    { return t.add("%s:", v) }
func (t *trace) text() string          { return strings.Join(t.words, " ") }

// discard counts events and nothing else.
type discard struct{ events int }

func (d *discard) Null() error         { d.events++; return nil }
func (d *discard) Bool(bool) error     { d.events++; return nil }
func (d *discard) Int(int64) error     { d.events++; return nil }
func (d *discard) Float(float64) error { d.events++; return nil }
func (d *discard) String(string) error { d.events++; return nil }
func (d *discard) List(int) error      { d.events++; return nil }
func (d *discard) Dict(int) error      { d.events++; return nil }
func (d *discard) Key(string) error    { d.events++; return nil }
