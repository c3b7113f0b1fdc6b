package engine_test

import (
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/codemode/internal/engine"
)

// TestOneLongLineCostsAsMuchAsManyLines: hints look at the first word of a
// line, and a program may be one line in which every word asks for that.
func TestOneLongLineCostsAsMuchAsManyLines(t *testing.T) {
	e, err := engine.New(engine.AppendManifest(nil, engine.Limits{MaxSteps: 1, MaxCalls: 1, MaxValueDepth: 1, MaxValueBytes: 1}, nil))
	if err != nil {
		t.Fatal(err)
	}
	const words = 20_000
	check := func(source string) time.Duration {
		fastest := time.Hour
		for range 3 {
			start := time.Now()
			if problems := e.Check([]byte(source)); len(problems) == 0 {
				t.Fatal("got no problems")
			}
			fastest = min(fastest, time.Since(start))
		}
		return fastest
	}
	many := check(strings.Repeat("x with\n", words))
	one := check("x " + strings.Repeat("with ", words))
	if one > 3*many { // five times as long when every word went back to the first; a seventh since
		t.Errorf("got %v for one line and %v for %d lines", one, many, words)
	}
}
