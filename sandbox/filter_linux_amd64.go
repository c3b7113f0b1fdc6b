package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch  = unix.AUDIT_ARCH_X86_64
	foreignBit = 0x40000000 // x32: the same architecture with other numbers
)

var hostileHere = []uint32{unix.SYS_FORK, unix.SYS_VFORK}
