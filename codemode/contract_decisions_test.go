package codemode_test

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

// TestFurtherProblems: up to four problems more may follow the first, each with
// its position in the submitted source.
func TestFurtherProblems(t *testing.T) {
	server := start(t, codemode.Options{}, named("x.y"))
	position := regexp.MustCompile(`<codemode>:(\d+):(\d+): `)
	for _, c := range []struct {
		rule, text string
		class      error
		at         []string // positions, in order
	}{
		{"one", "return a1", codemode.ErrInvalidProgram, []string{"2:12"}},
		{"two names", "return a1 + b1", codemode.ErrInvalidProgram, []string{"2:12", "2:17"}},
		{"five", "return [a1, b1, c1, d1, e1]", codemode.ErrInvalidProgram, []string{"2:13", "2:17", "2:21", "2:25", "2:29"}},
		{"never more than five", "return [a1, b1, c1, d1, e1, f1, g1, h1]", codemode.ErrInvalidProgram, []string{"2:13", "2:17", "2:21", "2:25", "2:29"}},
		{"a call that comes later", "x.y()\nx.y(key=1)", codemode.ErrInvalidArguments, []string{"2:8", "3:8"}},
		{"columns count characters", "return ['é😀', a1]", codemode.ErrInvalidProgram, []string{"2:19"}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := do(t, server, body(c.text))
			wantClass(t, err, c.class)
			var at []string
			for _, m := range position.FindAllStringSubmatch(err.Error(), -1) {
				at = append(at, m[1]+":"+m[2])
			}
			if strings.Join(at, " ") != strings.Join(c.at, " ") {
				t.Errorf("got %v in %q, want %v", at, err, c.at)
			}
		})
	}
	t.Run("load is refused with its position", func(t *testing.T) {
		_, err := do(t, server, "X = 1\nload('a.star', 'b')\ndef main(): return 1\n")
		wantClass(t, err, codemode.ErrInvalidProgram)
		if !strings.Contains(err.Error(), "<codemode>:2:") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the class survives the sort whose key failed, with the place of the fault", func(t *testing.T) {
		_, err := do(t, server, "def key(v):\n    return v // 0\n\ndef main():\n    return sorted([1], key=key)\n")
		wantClass(t, err, codemode.ErrInvalidProgram)
		if !strings.Contains(err.Error(), "<codemode>:2:14: ") {
			t.Errorf("got %v", err)
		}
	})
}

// TestWorkersThatDie of what a program does: never a signal, a status or a
// stack in the error, and the next execution is fine.
func TestWorkersThatDie(t *testing.T) {
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxExecutionTime: 3 * time.Second, MaxWorkerMemoryBytes: 64 << 20}})
	for rule, text := range map[string]string{
		"memory of one text": "a = 'x' * (1 << 29)\nreturn len(a + a)", "memory of many": "return len([('x' + str(i)) * 1000000 for i in range(1000)])", "memory of lists": "a = [0] * 1000\nfor _ in range(40): a = a + a",
		"a deep value": "v = []\nfor _ in range(300000): v = [v]\nreturn len(str(v))", "huge integers": "n = 3\nfor _ in range(40): n = n * n\nreturn n > 1",
	} {
		t.Run(rule, func(t *testing.T) {
			_, err := do(t, server, body(text))
			wantClass(t, err, codemode.ErrResourceLimit)
			if err.Error() != "resource limit exceeded" {
				t.Errorf("got %v, which tells how the worker died", err)
			}
			wantNoSecret(t, err)
			wantValue(t, server, body("return 1"), "1")
		})
	}
	for _, mib := range []int64{64, 128} { // the runtime's own unit, which leaves it nothing
		server := start(t, codemode.Options{Limits: codemode.Limits{MaxWorkerMemoryBytes: mib << 20}})
		for range 15 {
			wantValue(t, server, body("return 1"), "1")
		}
	}
}

// TestTinyLimitsStillBuild: the probe has a clock of its own.
func TestTinyLimitsStillBuild(t *testing.T) {
	tiny := codemode.Limits{MaxSourceBytes: 1, MaxExecutionSteps: 1, MaxExecutionTime: 1, MaxNativeCalls: 1, MaxValueDepth: 1, MaxValueBytes: 1, MaxIntermediateValueBytes: 1, MaxSearchQueryBytes: 1, MaxSearchResults: 1, MaxConcurrentExecutions: 1}
	server := start(t, codemode.Options{Limits: tiny}, named("x.y"), named("x.z"))
	_, err := do(t, server, "x")
	wantClass(t, err, codemode.ErrResourceLimit)
	response, err := server.Search("x")
	if err != nil || len(response.Results) != 1 || !response.Truncated {
		t.Errorf("got %+v, %v", response, err)
	}
	small := start(t, codemode.Options{Limits: codemode.Limits{MaxValueBytes: 1, MaxValueDepth: 1, MaxNativeCalls: 1, MaxConcurrentExecutions: 1}}, returning("x.none", empty{}))
	wantValue(t, small, body("return x.none()"), "{}")
	wantValue(t, small, body("return 63"), "63")
	wantFault(t, small, body("return 64"), codemode.ErrResourceLimit)
	hasty := start(t, codemode.Options{Limits: codemode.Limits{MaxExecutionTime: 1}})
	_, err = do(t, hasty, body("return 1"))
	wantDeadline(t, err)
}

// TestLongestIDCountsInTheFrame, if it is enabled.
func TestLongestIDCountsInTheFrame(t *testing.T) {
	long := registering(func(c *sample) { c.ID = codemode.CapabilityID("id" + strings.Repeat("x", 4000)); c.Name = "x.long" })
	limits := codemode.Limits{MaxValueBytes: 1<<28 - 2000}
	start(t, codemode.Options{Limits: limits}, named("x.y"))
	refused(t, codemode.Options{Limits: limits}, []string{"MaxValueBytes"}, named("x.y"), long)
	start(t, codemode.Options{Limits: limits, DisabledCapabilities: []codemode.CapabilityID{codemode.CapabilityID("id" + strings.Repeat("x", 4000))}}, named("x.y"), long)
	server := start(t, codemode.Options{}, long)
	wantValue(t, server, body("return x.long(key='a')"), "{}")
}

// TestUnicode passes through every border unchanged.
func TestUnicode(t *testing.T) {
	texts := []string{"é", "e\u0301", "日本語", "👩‍👩‍👧‍👦", "\u2028\u2029", "\u0000\u0001\u007f\u0085", "\ufeff", "\ufffd", "\U0010ffff", "\u202eabc", "İıẞßǅ", strings.Repeat("😀", 1000)}
	var authorized []any
	server := start(t, codemode.Options{Authorizer: authorizerFunc(func(_ context.Context, in authz.AuthorizationInput) error {
		authorized = append(authorized, in.Arguments["Text"])
		return nil
	})}, offer("x.echo", func(_ context.Context, in struct{ Text string }) (map1, error) {
		return map1{map[string]string{in.Text: in.Text}}, nil
	}))
	for _, text := range texts {
		authorized = nil
		literal := strings.ReplaceAll(fmt.Sprintf("%q", text), `\ufeff`, "\ufeff")
		if strings.Contains(text, "\x00") {
			literal = `"\x00\x01\x7f\u0085"`
		}
		value, err := do(t, server, body("t = "+literal+"\nreturn [t, x.echo(Text=t)['M'], {t: t}, t == list(x.echo(Text=t)['M'])[0]]"))
		wantClass(t, err, nil)
		if got, want := asJSON(t, value), asJSON(t, []any{text, map[string]string{text: text}, map[string]string{text: text}, true}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if len(authorized) != 2 || authorized[0] != text {
			t.Errorf("the authorizer got %q", authorized)
		}
	}
	for _, name := range []string{"x.e\u0301", "x.👍", "x.a\u200d", "x.\u0660"} { // no letters, or not at the start
		refused(t, codemode.Options{}, nil, named(name))
	}
	wantFault(t, server, body("return x.echo(Text='é'[:1])"), codemode.ErrInvalidArguments)
	wantFault(t, server, body("return x.echo(Text='a' + '\\xed\\xa0\\x80')") /* no such escape in text */, codemode.ErrInvalidProgram)
}

type map1 struct{ M map[string]string }

// TestIntegersStayExact beyond what a float64 can tell apart.
func TestIntegersStayExact(t *testing.T) {
	server := start(t, codemode.Options{}, offer("x.next", func(_ context.Context, in box[int64]) (box[int64], error) { return box[int64]{in.V + 1}, nil }))
	for _, n := range []int64{0, 63, 64, 127, 128, -1, -16, -17, 1 << 31, -1 << 31, 1<<53 - 1, 1 << 53, 1<<53 + 1, -1<<53 - 1, 1<<62 + 1, math.MaxInt64 - 1, math.MinInt64} {
		wantValue(t, server, body(fmt.Sprintf("return x.next(v=%d)['v']", n)), fmt.Sprint(n+1))
		wantValue(t, server, body(fmt.Sprintf("return [%d, {'k': %d}]", n, n)), fmt.Sprintf(`[%d,{"k":%d}]`, n, n))
	}
}

// TestZeroServer: an unexpected state is an internal failure, not a crash.
func TestZeroServer(t *testing.T) {
	for _, server := range []*codemode.Server{nil, {}} {
		_, err := server.Search("x")
		wantClass(t, err, codemode.ErrInternal)
		_, err = server.Describe("x.y")
		wantClass(t, err, codemode.ErrInternal)
		_, err = server.Execute(t.Context(), alice, body("return 1"))
		wantClass(t, err, codemode.ErrInternal)
		_, err = server.Check(t.Context(), body("return 1"))
		wantClass(t, err, codemode.ErrInternal)
		wantClass(t, server.Close(), nil)
	}
}
