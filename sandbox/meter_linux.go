package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

var pageSize = int64(os.Getpagesize())

// A meter looks at a worker from outside. It keeps /proc/PID/statm open: a poll is one system call, and the descriptor never comes
// to mean another process. Its methods are safe for concurrent use, also after close.
type meter struct {
	mu    sync.Mutex
	pid   int
	statm int // -1: nothing to read
	peak  int64
	start int64         // private memory when the worker was ready
	ready time.Duration // CPU time at that moment
}

func (m *meter) open(pid int) {
	m.pid = pid
	fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/statm", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		fd = -1
	}
	m.statm = fd
}

func (m *meter) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.statm >= 0 {
		unix.Close(m.statm)
	}
	m.statm = -1
}

// works reports whether the worker's memory can be watched.
func (m *meter) works() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.statm >= 0
}

// base remembers what the worker has before its job.
func (m *meter) base() {
	private, cpu := m.poll(), m.cpu()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.start, m.ready = private, cpu
}

// readyCPU returns the CPU time that the worker had used when it was ready; 0 if that is not known.
func (m *meter) readyCPU() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ready
}

// used returns the private memory that the worker has taken since base.
func (m *meter) used() int64 {
	private := m.poll()
	m.mu.Lock()
	defer m.mu.Unlock()
	return private - m.start
}

// poll returns the resident memory that is the worker's own, without pages of files, and follows the peak of all resident memory.
func (m *meter) poll() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.statm < 0 {
		return 0
	}
	var buf [128]byte
	n, err := unix.Pread(m.statm, buf[:], 0)
	if err != nil || n <= 0 {
		return 0
	}
	_, rest, _ := nextNumber(buf[:n]) // all address space
	resident, rest, _ := nextNumber(rest)
	shared, _, _ := nextNumber(rest)
	m.peak = max(m.peak, resident*pageSize)
	return (resident - shared) * pageSize
}

// final returns the peak of the resident memory. The kernel's own high-water mark costs more to read than a short job takes, so only long ones
// pay for it; within a short one a last poll is as good.
func (m *meter) final(ran time.Duration) int64 {
	m.poll()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.statm >= 0 && ran > watchInterval {
		m.peak = max(m.peak, highWater(m.pid))
	}
	return m.peak
}

// highest returns the peak that polls have seen.
func (m *meter) highest() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.peak
}

// highWater reads VmHWM; 0 if it cannot.
func highWater(pid int) int64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, after, found := bytes.Cut(status, []byte("\nVmHWM:"))
	if !found {
		return 0
	}
	kib, _, _ := nextNumber(after)
	return kib << 10
}

// cpu returns the CPU time of all threads so far, by the clock that the kernel keeps for every process.
func (m *meter) cpu() time.Duration {
	const scheduled = 2 // CPUCLOCK_SCHED; see clock_getcpuclockid
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.statm < 0 {
		return 0 // the worker may be reaped and its number another's
	}
	var t unix.Timespec
	if unix.ClockGettime(int32(^m.pid)<<3|scheduled, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// nextNumber parses the decimal number after leading blanks.
func nextNumber(text []byte) (n int64, rest []byte, ok bool) {
	text = bytes.TrimLeft(text, " \t")
	for len(text) > 0 && text[0] >= '0' && text[0] <= '9' {
		n, text, ok = n*10+int64(text[0]-'0'), text[1:], true
	}
	return n, text, ok
}
