//go:build !linux

package sandbox_test

func startElsewhere() {}

func serveParent() {}
