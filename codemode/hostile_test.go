package codemode_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codemode-go/codemode/codemode"
)

var long = flag.Bool("codemode.long", false, "run the whole hostile corpus against the default limits, and the full mixed load")

type hostileProgram struct {
	name, source string
	classes      []string // acceptable ends
}

// settled are the programs whose first line a later decision overrides: a cycle
// is found at once, and text that is cut within a character is no value.
var settled = map[string]string{
	"146_cycle_return.star":       "invalid program",
	"147_cycle_dict_return.star":  "invalid program",
	"176_invalid_utf8_slice.star": "invalid program",
}

// closeToLimits are the programs that take seconds, or nearly all memory, and so end
// well on one machine and at a limit on another.
var closeToLimits = []string{
	"070_int_square_22_str.star", "071_int_parse_1e6_digits.star", "076_int_divmod_huge.star", // 1 to 4 s of CPU time
	"227_int_hex_parse.star", // within a megabyte of the memory cap, as the collector has it
}

// readHostile reads programs whose first line says how a worker must end.
func readHostile(t *testing.T, dir string) []hostileProgram {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.star"))
	if err != nil {
		t.Fatal(err)
	}
	var programs []hostileProgram
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(source), "\n")
		p := hostileProgram{name: filepath.Base(file), source: string(source)}
		for _, class := range []string{"ok", "invalid program", "resource limit exceeded"} {
			if override := settled[p.name]; override == class || override == "" && strings.Contains(first, class) {
				p.classes = append(p.classes, class)
			}
		}
		if slices.Contains(closeToLimits, p.name) {
			p.classes = []string{"ok", "resource limit exceeded"}
		}
		programs = append(programs, p)
	}
	return programs
}

// TestHostile runs some of the hostile programs with a short deadline.
func TestHostile(t *testing.T) {
	programs := readHostile(t, "testdata/hostile")
	if len(programs) == 0 {
		t.Fatal("no programs")
	}
	runHostile(t, programs, codemode.Limits{MaxExecutionTime: 300 * time.Millisecond}, true)
}

// TestAllHostile runs the whole corpus against the default limits.
func TestAllHostile(t *testing.T) {
	if !*long {
		t.Skip("runs for minutes: needs -codemode.long")
	}
	dir := filepath.Join("..", "..", "shared", "hostile")
	programs := readHostile(t, dir)
	if len(programs) == 0 {
		t.Skipf("%s is not there", dir)
	}
	runHostile(t, programs, codemode.Limits{}, false)
}

// runHostile runs programs two at a time. short accepts a resource limit where
// the deadline may come first; otherwise a program that may end well gets a
// second try with the machine to itself.
func runHostile(t *testing.T, programs []hostileProgram, limits codemode.Limits, short bool) {
	w := newWorld(t, codemode.Options{Limits: limits})
	before := hostMemory()
	var running sync.WaitGroup
	slots := make(chan struct{}, 2)
	again := make(chan hostileProgram, len(programs))
	for _, p := range programs {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			err := p.run(t, w, short)
			if !short && errors.Is(err, codemode.ErrResourceLimit) && slices.Equal(p.classes, []string{"ok"}) {
				again <- p
				return
			}
			p.check(t, err, short)
		})
	}
	running.Wait()
	close(again)
	for p := range again {
		p.check(t, p.run(t, w, short), short)
	}
	if grown := hostMemory() - before; grown > mostGrowth {
		t.Errorf("the host took %d MiB from the system, want at most %d", grown>>20, mostGrowth>>20)
	}
}

// run runs a program, which must end on time, and then one that must work.
func (p hostileProgram) run(t *testing.T, w *world, short bool) error {
	start := time.Now()
	_, err := w.Execute(t.Context(), alice, codemode.Program(p.source))
	if took, most := time.Since(start), w.Limits().MaxExecutionTime+endMargin; took > most {
		t.Errorf("%s: took %v, want at most %v", p.name, took, most)
	}
	value, after := w.Execute(t.Context(), alice, "def main(): return 1")
	late := short && errors.Is(after, codemode.ErrResourceLimit) // on a busy machine
	if value != int64(1) && !late {
		t.Errorf("%s: the execution after it: got %v, %v", p.name, value, after)
	}
	return err
}

const (
	// endMargin is what Execute may take beyond its time on a busy machine. It
	// is there to find a program that holds its caller, not to measure.
	endMargin = 3 * time.Second

	// mostGrowth leaves room for the values and texts of two executions at a
	// time, and nothing for what programs make of them.
	mostGrowth = 64 << 20
)

// hostMemory is what this process has ever taken from the system.
func hostMemory() int64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.Sys)
}

func (p hostileProgram) check(t *testing.T, err error, short bool) {
	got := "ok"
	for _, class := range []error{codemode.ErrInvalidProgram, codemode.ErrResourceLimit, codemode.ErrInternal, codemode.ErrInvalidArguments} {
		if errors.Is(err, class) {
			got = class.Error()
		}
	}
	if !slices.Contains(p.classes, got) && !(short && got == "resource limit exceeded") {
		t.Errorf("%s: got %v, want %q", p.name, err, p.classes)
	}
	if err != nil && (len(err.Error()) > 5000 || strings.ContainsAny(err.Error(), "\n\r\x00")) {
		t.Errorf("%s: the error is %d bytes of more than one line", p.name, len(err.Error()))
	}
}
