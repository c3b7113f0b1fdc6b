package binding

import (
	"errors"
	"math"
)

// maxAhead bounds what a builder allocates on the word of a count alone. Each
// of many nested containers can claim all elements that a frame has room for.
const maxAhead = 4096

// Errors of builders: what they received was not one well-formed value.
var (
	errSecondValue  = errors.New("got a second value, want one")
	errNoKey        = errors.New("got a dict's value, want its key first")
	errKey          = errors.New("got a key, want a value")
	errDuplicateKey = errors.New("got a key twice in one dict")
	errCount        = errors.New("got a negative or absurd count")
	errNotFinite    = errors.New("got a float that is not finite")
	errIncomplete   = errors.New("got an incomplete value")
)

func checkCount(n int) error {
	if n < 0 || n > math.MaxInt32 {
		return errCount
	}
	return nil
}
