//go:build linux

package sandbox_test

import (
	"testing"

	"github.com/codemode-go/codemode/sandbox"
	"golang.org/x/sys/unix"
)

var forks = map[uint32]bool{unix.SYS_FORK: true, unix.SYS_VFORK: true}

func TestFilterKillsNumbersOfX32(t *testing.T) {
	for _, n := range []uint32{0, unix.SYS_GETPID, 500} {
		if got, _ := sandbox.Filter(filterPid, sandbox.NativeArch, n|0x40000000); got != sandbox.FilterKills {
			t.Errorf("call %d: got %s, want %s", n, got, sandbox.FilterKills)
		}
	}
	if n := sandbox.FilterSize(); n > 300 {
		t.Errorf("the filter has %d instructions, want few: every start installs it", n)
	}
}
