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

// number acts on calls of one number. The number is loaded.
func (a *assembler) number(n, do uint32) {
	a.when(unix.BPF_JEQ, n, 0, 1)
	a.act(do)
}

// section allows calls of one number if all tests of their arguments pass, and otherwise does what is given. The number is loaded, and
// is loaded again for what follows.
func (a *assembler) section(n, otherwise uint32, tests func()) {
	start := len(a.code)
	a.when(unix.BPF_JEQ, n, 0, 0) // patched: past the section
	tests()
	a.act(doAllow)
	refusal := len(a.code)
	a.act(otherwise)
	// A test that fails was written as a jump of 255; now its distance is known.
	for i := start + 1; i < refusal; i++ {
		if a.code[i].Jt == toRefusal {
			a.code[i].Jt = uint8(refusal - i - 1)
		}
		if a.code[i].Jf == toRefusal {
			a.code[i].Jf = uint8(refusal - i - 1)
		}
	}
	a.code[start].Jf = uint8(len(a.code) - start - 1)
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
