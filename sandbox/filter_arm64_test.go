//go:build linux

package sandbox_test

var forks = map[uint32]bool{} // there are no such calls
