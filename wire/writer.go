package wire

import (
	"encoding/binary"
	"fmt"
	"io"
)

// A Writer writes frames. It is not safe for concurrent use.
type Writer struct {
	w   io.Writer
	buf []byte
	err error
}

// NewWriter returns a Writer to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes one frame whose payload is the parts in a row, in a single call of the underlying Write. It keeps nothing of parts, and
// allocates nothing once its buffer has held a frame as large.
//
// A kind that does not exist and a payload over [MaxLength] are refused, and nothing is written. An error of the underlying Write is returned by
// this and every later call: the stream may end inside a frame.
func (w *Writer) Write(kind Kind, parts ...[]byte) error {
	if w.err != nil {
		return w.err
	}
	if !kind.known() {
		return fmt.Errorf("%w: cannot write %v", ErrUnexpected, kind)
	}
	length := 0
	for _, part := range parts {
		if len(part) > MaxLength-length {
			return &FrameError{Kind: kind, Length: int64(length) + int64(len(part)), Cap: MaxLength}
		}
		length += len(part)
	}
	w.buf = append(binary.BigEndian.AppendUint32(w.buf[:0], uint32(length)), byte(kind))
	for _, part := range parts {
		w.buf = append(w.buf, part...)
	}
	n, err := w.w.Write(w.buf)
	if err == nil && n < len(w.buf) {
		err = io.ErrShortWrite
	}
	w.err = err
	return err
}
