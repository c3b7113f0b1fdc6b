//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package sandbox

import "golang.org/x/sys/unix"

// limit sets both limits of a resource to value, or to the hard limit if that is lower, and reports whether that holds.
func limit(resource int, value int64) bool {
	var l unix.Rlimit
	if unix.Getrlimit(resource, &l) != nil {
		return false
	}
	if uint64(value) < uint64(l.Max) {
		set(&l.Max, value)
	}
	l.Cur = l.Max
	return unix.Setrlimit(resource, &l) == nil
}

// set bridges the two types that a limit has on different systems.
func set[T int64 | uint64](field *T, value int64) { *field = T(value) }
