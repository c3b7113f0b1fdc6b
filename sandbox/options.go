package sandbox

import (
	"fmt"
	"time"
)

// Defaults of [Options].
const (
	DefaultMaxWorkers  = 8
	DefaultIdle        = 2
	DefaultMemoryBytes = 256 << 20
	DefaultMaxBytes    = 1 << 20
	DefaultMaxTarget   = 1 << 10
	DefaultMaxDetail   = 4 << 10
)

// Options configure a [Pool]. The zero value of each field is the default named beside it.
type Options struct {
	// Setup is passed to [Engine.Setup] in every worker. New copies it.
	Setup []byte

	// Entry names the call that a host's main has to start with, for the text of [ProbeError]. A package that wraps [Serve] puts its own
	// function here. Default "sandbox.Serve".
	Entry string

	// MaxWorkers bounds the processes that exist at any moment: busy, idle, starting and ending ones together. Default 8.
	MaxWorkers int

	// Idle is how many workers wait ready for a job, as far as MaxWorkers leaves room. The first of them is started after the first Run.
	// Default 2: with it, two callers at once were seen to find a worker ready nine times in ten, and one in turn always; more helps only
	// more callers at once, and each costs about a megabyte beside what the engine takes. Negative: none, every job starts a process.
	Idle int

	// The largest sizes in bytes of what crosses the border. Default 1 MiB each; 1 KiB for targets, 4 KiB for details.
	MaxJobBytes      int // a job given to Run: more is refused without a worker
	MaxTargetBytes   int // the target of a call
	MaxArgumentBytes int // the arguments of a call
	MaxReplyBytes    int // the reply to a call: more ends the run with ErrReplySize
	MaxValueBytes    int // the value of a job
	MaxDetailBytes   int // the detail of a fault

	// MemoryBytes is the memory that a worker may use on top of what the freshly started binary needs. Default 256 MiB. Below 64 MiB
	// (128 MiB in cgo builds) the Go runtime of the worker may die without cause.
	MemoryBytes int64

	// CPUTime bounds the CPU time of a worker, all threads and its start included; whole seconds, rounded up. It is a backstop to the
	// caller's deadline, which counts real time. Zero or less: unbounded.
	CPUTime time.Duration

	// Require lists layers without which New fails with a [RequireError].
	Require Layers

	extraArguments []string // test binaries only
}

// resolve fills in the defaults.
func (o Options) resolve() (Options, error) {
	o.Entry = or(o.Entry, "sandbox.Serve")
	o.MaxWorkers = or(o.MaxWorkers, DefaultMaxWorkers)
	o.Idle = min(max(or(o.Idle, DefaultIdle), 0), o.MaxWorkers)
	o.MemoryBytes = or(o.MemoryBytes, DefaultMemoryBytes)
	sizes := []struct {
		name     string
		size     *int
		standard int
	}{
		{"MaxJobBytes", &o.MaxJobBytes, DefaultMaxBytes},
		{"MaxTargetBytes", &o.MaxTargetBytes, DefaultMaxTarget},
		{"MaxArgumentBytes", &o.MaxArgumentBytes, DefaultMaxBytes},
		{"MaxReplyBytes", &o.MaxReplyBytes, DefaultMaxBytes},
		{"MaxValueBytes", &o.MaxValueBytes, DefaultMaxBytes},
		{"MaxDetailBytes", &o.MaxDetailBytes, DefaultMaxDetail},
	}
	for _, s := range sizes {
		*s.size = or(*s.size, s.standard)
		if *s.size < 0 || *s.size > maxFrameBytes {
			return o, fmt.Errorf("sandbox: options: %s: got %d, want 0 to %d", s.name, *s.size, maxFrameBytes)
		}
	}
	if len(o.Setup) > maxFrameBytes {
		return o, fmt.Errorf("sandbox: options: Setup: got %d bytes, want at most %d", len(o.Setup), maxFrameBytes)
	}
	if o.MaxWorkers < 0 {
		return o, fmt.Errorf("sandbox: options: MaxWorkers: got %d, want 0 or more", o.MaxWorkers)
	}
	if o.MemoryBytes < 0 {
		return o, fmt.Errorf("sandbox: options: MemoryBytes: got %d, want 0 or more", o.MemoryBytes)
	}
	if unknown := o.Require &^ AllLayers; unknown != 0 {
		return o, fmt.Errorf("sandbox: options: Require: got %v, want a set of the layers of this package", unknown)
	}
	return o, nil
}

// maxFrameBytes bounds every variable part of a frame. It keeps sums of such parts far from the limit of the frame's length field, also where int has
// 32 bits.
const maxFrameBytes = 1 << 28

func or[T comparable](value, standard T) T {
	var zero T
	if value == zero {
		return standard
	}
	return value
}
