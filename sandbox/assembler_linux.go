//go:build amd64 || arm64

package sandbox

import "golang.org/x/sys/unix"

// An assembler appends instructions. Jumps count instructions from the next one.
type assembler struct{ code []unix.SockFilter }

func (a *assembler) load(offset uint32) {
	a.code = append(a.code, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset})
}

// when jumps yes or no instructions ahead, by what test says of the loaded word and k.
func (a *assembler) when(test uint16, k uint32, yes, no uint8) {
	a.code = append(a.code, unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, Jt: yes, Jf: no, K: k})
}

func (a *assembler) act(do uint32) {
	a.code = append(a.code, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: do})
}

// A segment says what happens to the calls whose numbers start at from and end before the next segment's.
type segment struct {
	from uint32
	do   uint32 // where there are no tests
	// tests, if there are any, allow the call when all pass; otherwise do happens.
	tests func()
}

// search acts on the loaded number by binary search among segments, which are sorted and whose first takes all numbers before it as well. A list of tests
// would be as right, but the kernel walks through the program for every number that there is when it is installed: that took a tenth
// of a worker's start.
func (a *assembler) search(segments []segment) {
	if len(segments) == 1 {
		a.segment(segments[0])
		return
	}
	middle := len(segments) / 2
	branch := len(a.code)
	a.when(unix.BPF_JGE, segments[middle].from, 0, 0)
	a.search(segments[:middle])
	a.code[branch].Jt = distance(branch, len(a.code))
	a.search(segments[middle:])
}

func (a *assembler) segment(s segment) {
	start := len(a.code)
	if s.tests != nil {
		s.tests()
		a.act(doAllow)
	}
	refusal := len(a.code)
	a.act(s.do)
	// The target of a test that fails is known only now.
	for i := start; i < refusal; i++ {
		if a.code[i].Jt == toRefusal {
			a.code[i].Jt = distance(i, refusal)
		}
		if a.code[i].Jf == toRefusal {
			a.code[i].Jf = distance(i, refusal)
		}
	}
}

func distance(from, to int) uint8 {
	if d := to - from - 1; d < toRefusal {
		return uint8(d)
	}
	panic("sandbox: filter has a jump that is too long")
}

const toRefusal = 255

// half loads the low (0) or high (1) half of an argument.
func (a *assembler) half(argument int, which uint32) {
	a.load(offsetArguments + 8*uint32(argument) + 4*which)
}

// below: the argument is less than k. Descriptors are ints: the high half has no meaning to the kernel.
func (a *assembler) below(argument int, k uint32) {
	a.half(argument, 0)
	a.when(unix.BPF_JGE, k, toRefusal, 0)
}

// equals: the argument, an int to the kernel, is k.
func (a *assembler) equals(argument int, k uint32) {
	a.half(argument, 0)
	a.when(unix.BPF_JEQ, k, 0, toRefusal)
}

// oneOf: the argument, an int to the kernel, is k or other.
func (a *assembler) oneOf(argument int, k, other uint32) {
	a.half(argument, 0)
	a.when(unix.BPF_JEQ, k, 1, 0)
	a.when(unix.BPF_JEQ, other, 0, toRefusal)
}

// clear: no bit of mask is set in the argument, and none in its high half.
func (a *assembler) clear(argument int, mask uint32) {
	a.half(argument, 0)
	a.when(unix.BPF_JSET, mask, toRefusal, 0)
	a.half(argument, 1)
	a.when(unix.BPF_JEQ, 0, 0, toRefusal)
}

// contains: every bit of mask is set in the argument.
func (a *assembler) contains(argument int, mask uint32) {
	a.half(argument, 0)
	for bit := uint32(1); bit != 0; bit <<= 1 {
		if mask&bit != 0 {
			a.when(unix.BPF_JSET, bit, 0, toRefusal)
		}
	}
}
