//go:build !unix

package sandbox

func StopIdle(*Pool)    {}
func Taken(*Pool) bool  { return true }
func KillStopped(*Pool) {}
