package sandbox

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

const (
	stderrHead = 1 << 10 // a crashing Go process says why first and then prints stacks
	stderrTail = 4 << 10
)

// A capture keeps the beginning and the end of what a worker writes to standard error, and recognises on the way the lines
// with which a Go process dies of memory or stack: they may lie between the two.
type capture struct {
	mu      sync.Mutex
	head    []byte
	tail    []byte // the last bytes after head, at most twice stderrTail of them
	dropped bool
	line    []byte // the beginning of the current line
	limit   bool   // such a line was seen
}

// drain reads until the end, or until r is closed or its deadline passes. A pipe that nobody reads would stall a dying worker.
func (c *capture) drain(r io.Reader) {
	var buf [1024]byte
	for {
		n, err := r.Read(buf[:])
		c.write(buf[:n])
		if err != nil {
			return
		}
	}
}

func (c *capture) write(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.recognise(p)
	if room := stderrHead - len(c.head); room > 0 {
		n := min(room, len(p))
		c.head = append(c.head, p[:n]...)
		p = p[n:]
	}
	c.tail = append(c.tail, p...)
	if len(c.tail) > 2*stderrTail {
		c.tail = append(c.tail[:0], c.tail[len(c.tail)-stderrTail:]...)
		c.dropped = true
	}
}

// recognise looks at the first bytes of every line.
func (c *capture) recognise(p []byte) {
	const longest = 256
	for len(p) > 0 {
		part, rest, ended := bytes.Cut(p, []byte("\n"))
		if room := longest - len(c.line); room > 0 {
			c.line = append(c.line, part[:min(room, len(part))]...)
		}
		if !ended {
			return
		}
		c.limit = c.limit || isLimitLine(c.line)
		c.line = c.line[:0]
		p = rest
	}
}

// isLimitLine knows how the Go runtime (and its C half) says that memory or stack ran out.
func isLimitLine(line []byte) bool {
	text := string(line)
	if fatal, ok := strings.CutPrefix(text, "fatal error: "); ok {
		for _, reason := range limitReasons {
			if strings.Contains(fatal, reason) {
				return true
			}
		}
		return false
	}
	return strings.Contains(text, "goroutine stack exceeds") || strings.Contains(text, "pthread_create failed")
}

var limitReasons = []string{
	"out of memory", "cannot allocate memory", "stack overflow",
	"failed to reserve",      // of the allocator's own tables
	"failed to commit pages", // Windows
}

// hitLimit reports whether the worker said that memory or stack ran out.
func (c *capture) hitLimit() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.limit || isLimitLine(c.line)
}

// String returns what was kept, valid UTF-8.
func (c *capture) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	tail, gap := c.tail, ""
	if len(tail) > stderrTail {
		tail = tail[len(tail)-stderrTail:]
		c.dropped = true
	}
	if c.dropped {
		gap = "\n…\n"
	}
	return strings.ToValidUTF8(string(c.head)+gap+string(tail), "\uFFFD")
}
