package wire

import (
	"io"
)

// readAhead is the size of a Reader's first buffer. Frames that fit cost one Read, header and payload together.
const readAhead = 4096

// A Reader reads frames. It reads ahead within its buffer, so nothing else may read from the same source. It is not safe for concurrent use.
type Reader struct {
	r        io.Reader
	buf      []byte // buf[from:to] was read and is not yet consumed
	from, to int
}

// NewReader returns a Reader of r. It allocates its buffer on the first Next.
func NewReader(r io.Reader) *Reader { return &Reader{r: r} }

// Next returns the next frame if caps allow it. The payload is valid until the next call.
//
// A frame that caps do not allow is a [*FrameError] as soon as its header is there; its payload is neither awaited nor allocated for. It
// is left where it is: the same call again gives the same error. A larger payload that caps do allow makes the buffer grow
// by doubling as its bytes arrive, never by the announced length alone and never beyond it.
//
// [io.EOF] means an end between two frames, [io.ErrUnexpectedEOF] an end inside one. Other errors of the source are returned unchanged; no
// byte is lost by them, so that Next may be called again after a read deadline.
func (r *Reader) Next(caps Caps) (Frame, error) {
	if err := r.fill(HeaderSize); err != nil {
		return Frame{}, err
	}
	length, err := caps.check(r.buf[r.from : r.from+HeaderSize])
	if err != nil {
		return Frame{}, err
	}
	size := HeaderSize + length
	if err := r.fill(size); err != nil {
		return Frame{}, err
	}
	frame := r.buf[r.from : r.from+size : r.from+size]
	r.from += size
	return Frame{Kind: Kind(frame[4]), Payload: frame[HeaderSize:]}, nil
}

// Buffered returns the number of bytes that were read and belong to frames not yet returned by Next.
func (r *Reader) Buffered() int { return r.to - r.from }

// fill reads until size bytes are buffered.
func (r *Reader) fill(size int) error {
	const maxEmptyReads = 100 // as in bufio
	for empty := 0; r.to-r.from < size; {
		r.makeRoom(size)
		n, err := r.r.Read(r.buf[r.to:])
		if n < 0 || n > len(r.buf)-r.to {
			panic("wire: source returned an impossible count from Read")
		}
		r.to += n
		if r.to-r.from >= size {
			return nil // an error that came along will come again
		}
		switch {
		case err == io.EOF && r.to > r.from:
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		case n > 0:
			empty = 0
		case empty == maxEmptyReads:
			return io.ErrNoProgress
		default:
			empty++
		}
	}
	return nil
}

// makeRoom makes sure that at least one more byte can be read, of size that are wanted.
func (r *Reader) makeRoom(size int) {
	if r.from > 0 && (r.from == r.to || r.from+size > len(r.buf)) {
		r.to = copy(r.buf, r.buf[r.from:r.to])
		r.from = 0
	}
	if r.to < len(r.buf) {
		return
	}
	grown := make([]byte, max(readAhead, min(size, 2*len(r.buf))))
	copy(grown, r.buf[:r.to])
	r.buf = grown
}
