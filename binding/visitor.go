package binding

// A Visitor receives one value, piece by piece. Everything here that reads a
// value pushes it into a Visitor, and everything that builds one is a Visitor,
// so a value crosses from any form to any other without a tree in between.
//
// List and Dict announce how many elements follow; nothing announces the end.
// A Dict of n is followed by n times Key and one value. The first error ends
// the walk and is returned unchanged.
type Visitor interface {
	Null() error
	Bool(value bool) error
	Int(value int64) error
	Float(value float64) error
	String(value string) error
	List(n int) error
	Dict(n int) error
	Key(name string) error
}
