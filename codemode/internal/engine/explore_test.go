package engine_test

import (
	"os"
	"strings"
	"testing"
)

func TestExplore(t *testing.T) {
	b, err := os.ReadFile(os.Getenv("CORPUS"))
	if err != nil {
		t.Skip()
	}
	h := newHost(t)
	h.limits.MaxSteps = 100000
	for _, c := range strings.Split(string(b), "\n---\n") {
		r := h.run(t, c)
		t.Logf("%s\n      => %s", strings.TrimSpace(strings.ReplaceAll(c, "\n", "\n      ")), outcome(t, r))
	}
}
