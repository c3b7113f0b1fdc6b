//go:build !unix

package sandbox_test

func stopSelf() {}

func serveStreamless() {}
