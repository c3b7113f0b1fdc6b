// Package noentry_test has no TestMain on purpose: it is the host that forgot
// the worker entry.
package noentry_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// starts is a file beside which every process that this test starts leaves one.
func starts(parent int) string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("codemode-noentry-%d", parent))
}

// init leaves a mark for each process that was started as a worker and went on
// as a test binary.
func init() {
	if !codemode.IsWorker() {
		return
	}
	if f, err := os.OpenFile(starts(os.Getppid()), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintln(f, os.Getpid())
		f.Close()
	}
}

func TestBuildWithoutWorkerEntry(t *testing.T) {
	mark := starts(os.Getpid())
	defer os.Remove(mark)
	begin := time.Now()
	server, err := codemode.New(codemode.Options{Authorizer: authz.AllowAll()}).Build()
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("Build took %v; its probe has five seconds", took)
	}
	if server != nil || !errors.Is(err, codemode.ErrInvalidRegistration) {
		t.Fatalf("got %v, %v, want ErrInvalidRegistration", server, err)
	}
	for _, word := range []string{"ServeWorkerAndExit", "first statement", "main"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("got %v, want it to contain %q", err, word)
		}
	}
	text, err := os.ReadFile(mark)
	if err != nil {
		t.Fatal(err)
	}
	children := strings.Fields(string(text))
	if len(children) != 1 {
		t.Errorf("%d processes were started, want one", len(children))
	}
	for _, child := range children { // none of them started one in turn
		if _, err := os.Stat(filepath.Join(os.TempDir(), "codemode-noentry-"+child)); err == nil {
			t.Errorf("process %s started others", child)
			os.Remove(filepath.Join(os.TempDir(), "codemode-noentry-"+child))
		}
	}
}
