package wire

// BufferSize tells how much memory a Reader holds.
func (r *Reader) BufferSize() int { return len(r.buf) }
