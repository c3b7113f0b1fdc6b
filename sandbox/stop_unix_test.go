//go:build unix

package sandbox_test

import "syscall"

func stopSelf() { syscall.Kill(syscall.Getpid(), syscall.SIGSTOP) }
