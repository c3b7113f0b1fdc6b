package sandbox

import (
	"fmt"
	"strings"
)

// Layers is a set of things that a worker cannot do because the operating system keeps it from doing them. The zero value is the
// empty set.
type Layers uint32

// The layers. What enforces each differs between systems and kernels; [Report] says what holds here.
const (
	Memory      Layers = 1 << iota // use more than the memory budget: the operating system refuses, without the parent's help
	Files                          // open, create or change a file
	Network                        // open a socket
	SystemCalls                    // use a system call that a computing Go process does not need
	Processes                      // start a process or a program
	CPU                            // use more than the CPU time of the options, without the parent's help
	ParentDeath                    // outlive its parent, however that dies
	Privileges                     // gain privileges, be traced, leave a core file

	// AllLayers is every layer.
	AllLayers = Memory | Files | Network | SystemCalls | Processes | CPU | ParentDeath | Privileges
)

var layerNames = [...]string{
	"memory", "files", "network", "system calls", "processes", "CPU time", "parent death", "privileges",
}

// Has reports whether every layer of want is in l.
func (l Layers) Has(want Layers) bool { return l&want == want }

// String returns the names of the layers with commas between them, "none" for the empty set.
func (l Layers) String() string {
	var names []string
	for i, name := range layerNames {
		if l&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if rest := l &^ AllLayers; rest != 0 {
		names = append(names, fmt.Sprintf("Layers(%#x)", uint32(rest)))
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// MemoryCap says what keeps a worker within its memory budget, the strongest mechanism that holds.
type MemoryCap uint8

// The memory caps, from the weakest.
const (
	MemoryUncapped MemoryCap = iota
	MemorySoft               // the worker's collector works harder near the budget; nothing stops a worker that passes it
	MemoryWatched            // the parent looks every two milliseconds and kills a worker that has passed it
	MemoryHard               // the operating system refuses memory beyond it; the parent watches as well where it can
)

// String returns "none", "soft", "watched" or "hard".
func (m MemoryCap) String() string {
	switch m {
	case MemoryUncapped:
		return "none"
	case MemorySoft:
		return "soft"
	case MemoryWatched:
		return "watched"
	case MemoryHard:
		return "hard"
	}
	return fmt.Sprintf("MemoryCap(%d)", uint8(m))
}

// A Report says what is enforced on the workers of a pool. It is what a worker said of itself before it read anything, and every later
// worker of the pool that says less is ended before it reads a job.
type Report struct {
	Layers   Layers
	Memory   MemoryCap
	Landlock int // the version of Landlock that is in force, 0 where there is none
}

// String returns one line such as "memory hard; enforced: memory, files, …; not enforced: network".
func (r Report) String() string {
	text := "memory " + r.Memory.String() + "; enforced: " + r.Layers.String()
	if missing := AllLayers &^ r.Layers; missing != 0 {
		text += "; not enforced: " + missing.String()
	}
	if r.Landlock > 0 {
		text += fmt.Sprintf("; Landlock %d", r.Landlock)
	}
	return text
}

// encode is the body of the Hello frame: the layers, four bytes, most significant first; the memory cap; the Landlock version.
func (r Report) encode() []byte {
	l := r.Layers
	return []byte{byte(l >> 24), byte(l >> 16), byte(l >> 8), byte(l), byte(r.Memory), byte(r.Landlock)}
}

const reportSize = 6

func parseReport(body []byte) (Report, bool) {
	if len(body) != reportSize || MemoryCap(body[4]) > MemoryHard {
		return Report{}, false
	}
	l := Layers(body[0])<<24 | Layers(body[1])<<16 | Layers(body[2])<<8 | Layers(body[3])
	if l&^AllLayers != 0 || l.Has(Memory) != (MemoryCap(body[4]) == MemoryHard) {
		return Report{}, false
	}
	return Report{Layers: l, Memory: MemoryCap(body[4]), Landlock: int(body[5])}, true
}

// covers reports whether r enforces at least what other does.
func (r Report) covers(other Report) bool {
	return r.Layers.Has(other.Layers) && r.Memory >= other.Memory && r.Landlock >= other.Landlock
}
