//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// The names of what the filter does with a call.
const (
	FilterAllows  = "allow"
	FilterRefuses = "refuse"
	FilterKills   = "kill"
)

// FilterSize is the number of instructions of the filter.
func FilterSize() int { return len(filterProgram(1)) }

// NativeArch is the architecture that the filter lets pass.
const NativeArch = auditArch

// Filter runs the filter's program for a call of the process pid, as the kernel would.
func Filter(pid int, arch, number uint32, arguments ...uint64) (verdict string, steps int) {
	data := map[uint32]uint32{offsetNumber: number, offsetArch: arch}
	for i := range 6 {
		var a uint64
		if i < len(arguments) {
			a = arguments[i]
		}
		data[offsetArguments+8*uint32(i)] = uint32(a)
		data[offsetArguments+8*uint32(i)+4] = uint32(a >> 32)
	}
	program, word := filterProgram(pid), uint32(0)
	for at := 0; at < len(program); at++ {
		steps++
		in := program[at]
		switch in.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			loaded, known := data[in.K]
			if !known {
				return fmt.Sprintf("load of offset %d", in.K), steps
			}
			word = loaded
		case unix.BPF_RET | unix.BPF_K:
			return map[uint32]string{doAllow: FilterAllows, doRefuse: FilterRefuses, doKill: FilterKills}[in.K], steps
		default:
			yes := map[uint16]bool{unix.BPF_JEQ: word == in.K, unix.BPF_JGE: word >= in.K, unix.BPF_JSET: word&in.K != 0}[in.Code&0xf0]
			if yes {
				at += int(in.Jt)
			} else {
				at += int(in.Jf)
			}
		}
	}
	return "runs off its end", steps
}
