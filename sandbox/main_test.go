package sandbox_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

func TestMain(m *testing.M) {
	serveFloors()
	serveParent()
	serveForgetful(m)
	serveStreamless()
	serveHostile()
	startElsewhere()
	sandbox.Serve(&engine{})
	os.Exit(m.Run())
}

// engine does what a job names: "name argument".
type engine struct{ setup string }

func (e *engine) Setup(setup []byte) error {
	e.setup = string(setup)
	if text, bad := strings.CutPrefix(e.setup, "refuse "); bad {
		return fmt.Errorf("%s", text)
	}
	return nil
}

func (e *engine) Run(job []byte, call sandbox.CallFunc) sandbox.Outcome {
	name, argument, _ := bytes.Cut(job, []byte(" "))
	do := jobs[string(name)]
	if do == nil {
		return fault(1, "unknown job "+string(name))
	}
	return do(e, string(argument), call)
}

func value(text string) sandbox.Outcome {
	return sandbox.Outcome{Value: []byte(text), Units: uint64(len(text))}
}

func fault(class byte, detail string) sandbox.Outcome {
	return sandbox.Outcome{Units: 7, Fault: &sandbox.Fault{Class: class, Detail: detail}}
}

type job func(e *engine, argument string, call sandbox.CallFunc) sandbox.Outcome

var jobs = map[string]job{
	"echo":  func(_ *engine, argument string, _ sandbox.CallFunc) sandbox.Outcome { return value(argument) },
	"setup": func(e *engine, _ string, _ sandbox.CallFunc) sandbox.Outcome { return value(e.setup) },
	"fault": func(_ *engine, argument string, _ sandbox.CallFunc) sandbox.Outcome { return fault(9, argument) },
	"panic": func(_ *engine, argument string, _ sandbox.CallFunc) sandbox.Outcome { panic(argument) },
	"exit": func(_ *engine, argument string, _ sandbox.CallFunc) sandbox.Outcome {
		status, _ := strconv.Atoi(argument)
		os.Exit(status)
		return sandbox.Outcome{}
	},
	"pid": func(*engine, string, sandbox.CallFunc) sandbox.Outcome { return value(strconv.Itoa(os.Getpid())) },
	"spin": func(*engine, string, sandbox.CallFunc) sandbox.Outcome {
		spin(time.Hour)
		return value("spun")
	},
	"burn": func(_ *engine, argument string, _ sandbox.CallFunc) sandbox.Outcome {
		d, _ := time.ParseDuration(argument)
		spin(d)
		return value("spun")
	},
	"stack": func(*engine, string, sandbox.CallFunc) sandbox.Outcome { return value(strconv.Itoa(deep(1))) },
	"memory": func(_ *engine, argument string, _ sandbox.CallFunc) sandbox.Outcome {
		mib, _ := strconv.Atoi(argument)
		return value(strconv.Itoa(touch(mib)))
	},
	"calls": func(_ *engine, argument string, call sandbox.CallFunc) sandbox.Outcome {
		n, _ := strconv.Atoi(argument)
		return repeat(n, call)
	},
	"print": func(_ *engine, argument string, _ sandbox.CallFunc) sandbox.Outcome {
		fmt.Println("on standard output:", argument)
		fmt.Fprintln(os.Stderr, "on standard error:", argument)
		panic("to show it")
	},
	"value": func(_ *engine, argument string, _ sandbox.CallFunc) sandbox.Outcome {
		n, _ := strconv.Atoi(argument)
		return value(strings.Repeat("v", n))
	},
	"detail": func(_ *engine, argument string, _ sandbox.CallFunc) sandbox.Outcome {
		n, _ := strconv.Atoi(argument)
		return fault(1, strings.Repeat("d", n))
	},
	"one": func(_ *engine, argument string, call sandbox.CallFunc) sandbox.Outcome {
		reply, class, err := call("target", []byte(argument))
		switch {
		case err != nil:
			return fault(2, err.Error())
		case class != 0:
			return fault(class, "refused")
		}
		return sandbox.Outcome{Value: bytes.Clone(reply)}
	},
}

// repeat makes n calls and returns the sum of the lengths of the replies.
func repeat(n int, call sandbox.CallFunc) sandbox.Outcome {
	total := 0
	for i := range n {
		reply, class, err := call("target", []byte(strconv.Itoa(i)))
		if err != nil || class != 0 {
			return fault(class, fmt.Sprint(err))
		}
		total += len(reply)
	}
	return value(strconv.Itoa(total))
}

// spin computes for d.
func spin(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		spun++
	}
}

var spun int

// deep recurses until the stack ends.
func deep(n int) int {
	if n < 0 {
		return n
	}
	return deep(n+1) + 1
}

// touch takes memory in steps of a MiB and writes to every page.
func touch(mib int) int {
	var kept [][]byte
	for range mib {
		block := make([]byte, 1<<20)
		for i := 0; i < len(block); i += 4096 {
			block[i] = 1
		}
		kept = append(kept, block)
	}
	return len(kept)
}

// newPool returns a pool that is closed with the test.
func newPool(t testing.TB, o sandbox.Options) *sandbox.Pool {
	t.Helper()
	p, err := sandbox.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func within(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func echoCall(_ context.Context, call sandbox.Call) (sandbox.Reply, error) {
	return sandbox.Reply{Value: call.Arguments}, nil
}

// expectEcho runs a plain job: whatever came before, the next job is served.
func expectEcho(t testing.TB, p *sandbox.Pool) {
	t.Helper()
	outcome, _, err := p.Run(within(t, 20*time.Second), []byte("echo hello"), nil)
	if err != nil || string(outcome.Value) != "hello" {
		t.Fatalf("echo: got %q, %v, want hello", outcome.Value, err)
	}
}
