//go:build !unix && !windows

package sandbox

import (
	"os"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return nil }

func environment() []string { return []string{} }

func adopt(*os.Process) (Layers, func()) { return 0, func() {} }

func transient(error) bool { return false }

func verdict(*os.ProcessState) ending { return endedOtherwise }
