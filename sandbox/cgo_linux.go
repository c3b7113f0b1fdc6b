//go:build cgo

package sandbox

const cgoEnabled = true

// threadReserve is the address space that the C library takes for the threads that the runtime may still start, two or so: a stack of 8 MiB and a
// heap of 64 MiB for each, none of which Go code touches. What a worker touches beyond its budget, the watch of the parent sees.
const threadReserve = 2 * (64 + 8) << 20
