package wire

import (
	"errors"
	"fmt"
)

// The decisions that a caller can make. What is wrong with a value, a payload or a frame is one of these by [errors.Is]; limits that are
// not positive and an Encoder without Reset are mistakes in the program and have errors of their own. What a [Visitor], an [io.Reader] or
// an [io.Writer] returned is passed on unchanged.
var (
	// ErrDepth says that a value nests deeper than [Limits.MaxDepth].
	ErrDepth = errors.New("wire: value is nested too deeply")

	// ErrSize says that a value is longer than [Limits.MaxBytes], or a frame is longer than its cap.
	ErrSize = errors.New("wire: too many bytes")

	// ErrMalformed says that bytes are not in the one form that the protocol allows, or that events are not one value.
	// The details are a [*MalformedError].
	ErrMalformed = errors.New("wire: malformed")

	// ErrUnexpected says that a frame is of a kind that the reader's caps leave out at this point of the conversation.
	ErrUnexpected = errors.New("wire: unexpected frame")
)

// A MalformedError says what is wrong and where. It unwraps to [ErrMalformed]. Its text never quotes the bytes that it complains about,
// so it can be logged whoever sent them.
type MalformedError struct {
	// Offset counts bytes: from the start of the payload or body for what is parsed, from the start of the value for what is encoded.
	Offset int
	// Problem is a constant text such as "dict repeats a key".
	Problem string
}

func (e *MalformedError) Error() string {
	return fmt.Sprintf("wire: byte %d: %s", e.Offset, e.Problem)
}

// Unwrap returns [ErrMalformed].
func (e *MalformedError) Unwrap() error { return ErrMalformed }

// A FrameError is a frame that was refused on sight of its header. It unwraps to [ErrUnexpected] when its kind is not allowed, and to
// [ErrSize] when its payload is over the cap.
type FrameError struct {
	Kind   Kind
	Length int64 // the announced length of the payload
	Cap    int   // the entry of [Caps] that the frame met; 0 for kinds that are refused
}

func (e *FrameError) Error() string {
	if e.Cap == 0 {
		return fmt.Sprintf("wire: frame %v: not allowed here", e.Kind)
	}
	return fmt.Sprintf("wire: frame %v: got a payload of %d bytes, want at most %d", e.Kind, e.Length, max(e.Cap, 0))
}

// Unwrap returns [ErrUnexpected] or [ErrSize].
func (e *FrameError) Unwrap() error {
	if e.Cap == 0 {
		return ErrUnexpected
	}
	return ErrSize
}
