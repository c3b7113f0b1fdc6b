package wire

import (
	"fmt"
	"math"
)

// MaxLength is the largest payload of a frame and the largest body of a value, whatever the caps and limits say: 2^31 − 1 bytes.
const MaxLength = math.MaxInt32

// Limits bound one value. Both are required: a field that is not positive is an error, never "unlimited".
type Limits struct {
	// MaxDepth is inclusive. A scalar counts 1; a list or dict counts one more than the deepest value inside it, an empty one 1.
	MaxDepth int
	// MaxBytes bounds the encoded body of the value, without any frame or envelope around it. Beyond [MaxLength] it has no effect.
	MaxBytes int
}

func (l Limits) check() error {
	if l.MaxDepth <= 0 || l.MaxBytes <= 0 {
		return fmt.Errorf("wire: limits of depth %d and %d bytes: want both positive", l.MaxDepth, l.MaxBytes)
	}
	return nil
}
