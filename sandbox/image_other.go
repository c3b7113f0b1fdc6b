//go:build !linux

package sandbox

import "os"

// image returns what to start a worker from.
func image() (string, error) { return os.Executable() }
