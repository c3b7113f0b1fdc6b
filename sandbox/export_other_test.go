//go:build !unix

package sandbox

func StopIdle(*Pool)    {}
func KillStopped(*Pool) {}
