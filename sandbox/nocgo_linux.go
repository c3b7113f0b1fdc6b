//go:build !cgo

package sandbox

const cgoEnabled = false

const threadReserve = 0
