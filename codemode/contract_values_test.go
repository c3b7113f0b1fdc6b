package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/codemode"
)

// passes reports whether a program ends well; it may only fail of a limit.
func passes(t *testing.T, server *codemode.Server, program codemode.Program) bool {
	t.Helper()
	_, err := do(t, server, program)
	if err != nil && (!errors.Is(err, codemode.ErrResourceLimit) || errors.Is(err, context.DeadlineExceeded)) {
		t.Fatalf("got %v\n%.200s", err, program)
	}
	return err == nil
}

func textAdds() []add {
	return []add{
		offer("x.text", func(_ context.Context, in struct{ N int64 }) (box[string], error) {
			return box[string]{strings.Repeat("x", int(in.N))}, nil
		}),
		offer("x.list", func(_ context.Context, in struct{ N int64 }) (box[[]int], error) {
			return box[[]int]{make([]int, in.N)}, nil
		}),
		offer("x.take", func(_ context.Context, in struct{ Text string }) (empty, error) { return empty{}, nil }),
		returning("x.none", empty{}),
		offer("x.fails", func(context.Context, struct{ Text string }) (box[string], error) {
			return box[string]{}, errors.New("no")
		}),
		returning("x.deep", box[[][]int]{[][]int{{1}}}),
	}
}

// TestMaxValueBytes finds the size at which each crossing is refused: it moves
// by as much as the limit does, and each crossing has the whole limit.
func TestMaxValueBytes(t *testing.T) {
	crossings := map[string]func(n int) codemode.Program{
		"arguments":   func(n int) codemode.Program { return body(fmt.Sprintf("x.take(Text='x' * %d)", n)) },
		"result":      func(n int) codemode.Program { return body(fmt.Sprintf("x.text(N=%d)", n)) },
		"result list": func(n int) codemode.Program { return body(fmt.Sprintf("x.list(N=%d)", n)) },
		"final value": func(n int) codemode.Program { return body(fmt.Sprintf("return 'x' * %d", n)) },
		"final list":  func(n int) codemode.Program { return body(fmt.Sprintf("return [0] * %d", n)) },
	}
	const small, large = 1000, 1100
	one := start(t, codemode.Options{Limits: codemode.Limits{MaxValueBytes: small}}, textAdds()...)
	two := start(t, codemode.Options{Limits: codemode.Limits{MaxValueBytes: large}}, textAdds()...)
	// What surrounds the text: a tag and a length of two bytes; a dict of one
	// pair and its key where there is one.
	overhead := map[string]int{"arguments": 3 + 1 + 5, "result": 3 + 1 + 2, "result list": 3 + 1 + 2, "final value": 3, "final list": 3}
	for crossing, program := range crossings {
		t.Run(crossing, func(t *testing.T) {
			at := small - overhead[crossing]
			for _, c := range []struct {
				server *codemode.Server
				n      int
				want   bool
			}{{one, at, true}, {one, at + 1, false}, {one, 5000, false}, {two, at + 1, true}, {two, at + 100, true}, {two, at + 101, false}} {
				if got := passes(t, c.server, program(c.n)); got != c.want {
					t.Errorf("%d elements of %d bytes: got %t, want %t", c.n, c.server.Limits().MaxValueBytes, got, c.want)
				}
			}
		})
	}
	t.Run("all three at the limit", func(t *testing.T) {
		if !passes(t, one, body(fmt.Sprintf("x.take(Text='x' * %d)\nx.text(N=%d)\nx.take(Text='x' * %d)\nreturn 'x' * %d", small-9, small-6, small-9, small-3))) {
			t.Error("got a resource limit")
		}
	})
	t.Run("what does not cross is not bounded", func(t *testing.T) {
		wantValue(t, one, body("s = 'x' * 100000\nreturn len(s)"), "100000")
	})
	t.Run("default", func(t *testing.T) {
		server := start(t, codemode.Options{}, textAdds()...)
		for n, want := range map[int]bool{1<<20 - 4: true, 1<<20 - 3: false} {
			if got := passes(t, server, body(fmt.Sprintf("return 'x' * %d", n))); got != want {
				t.Errorf("%d bytes: got %t, want %t", n, got, want)
			}
		}
	})
	t.Run("binding comes before the limit", func(t *testing.T) {
		wantFault(t, one, body("x.take(Text='x' * 5000, Other=1)"), codemode.ErrInvalidArguments)
		wantFault(t, one, body("x.take(Text='x' * 5000)"), codemode.ErrResourceLimit)
	})
}

// TestMaxValueDepth: inclusive, scalar 1, an empty container 1, each crossing
// by itself.
func TestMaxValueDepth(t *testing.T) {
	for _, c := range []struct {
		limit    int
		at, past []string
	}{
		{1, []string{"return None", "return 1", "return 'x'", "return 1.5", "return True", "return []", "return ()", "return {}", "return x.none()"},
			[]string{"return [1]", "return (1,)", "return {'a': 1}", "return [[]]", "return [None]", "x.take(Text='a')", "x.text(N=1)"}},
		{2, []string{"return [1]", "return (1,)", "return {'a': 1}", "return [[]]", "return {'a': ()}", "x.take(Text='a')", "return x.text(N=1)", "return x.list(N=0)"},
			[]string{"return [[1]]", "return [(1,)]", "return {'a': [1]}", "return ({'a': 1},)", "return [1, [2, [3]]]", "x.list(N=1)", "return [[[]]]"}},
		{3, []string{"return [[1]]", "return ({'a': 1},)", "x.list(N=1)"}, []string{"return [[[1]]]", "x.deep()", "return [x.list(N=1)]"}},
		{4, []string{"x.deep()", "return x.deep()", "return [x.list(N=1)]"}, []string{"return [x.deep()]"}},
	} {
		t.Run(fmt.Sprint(c.limit), func(t *testing.T) {
			server := start(t, codemode.Options{Limits: codemode.Limits{MaxValueDepth: c.limit}}, textAdds()...)
			for _, text := range c.at {
				if !passes(t, server, body(text)) {
					t.Errorf("%s: got a resource limit", text)
				}
			}
			for _, text := range c.past {
				wantFault(t, server, body(text), codemode.ErrResourceLimit)
			}
		})
	}
	t.Run("default", func(t *testing.T) {
		server := start(t, codemode.Options{})
		nested := func(n int) codemode.Program {
			return body(fmt.Sprintf("v = 1\nfor _ in range(%d): v = [v]\nreturn v", n))
		}
		if !passes(t, server, nested(31)) || passes(t, server, nested(32)) {
			t.Error("the boundary is not at 32")
		}
		wantValue(t, server, body("v = 1\nfor _ in range(10000): v = [v]\nreturn 1"), "1")
	})
}

// TestMaxIntermediateValueBytes: the exact sum of successful results, in every
// execution anew.
func TestMaxIntermediateValueBytes(t *testing.T) {
	// A result of n bytes of text is n+6 bytes long for 256 ≤ n.
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxIntermediateValueBytes: 3000, MaxValueBytes: 2000}}, textAdds()...)
	for _, c := range []struct {
		rule, text string
		want       bool
	}{
		{"one result at the per-value limit", "x.text(N=1994)", true},
		{"one result past the per-value limit while the sum has room", "x.text(N=1995)", false},
		{"the sum at the limit", "x.text(N=1994)\nx.text(N=994)", true},
		{"the sum one past the limit", "x.text(N=1994)\nx.text(N=995)", false},
		{"three results at the limit", "for _ in range(3): x.text(N=994)", true},
		{"three results past it", "for _ in range(2): x.text(N=994)\nx.text(N=995)", false},
		{"an empty result has a byte", "for _ in range(3): x.text(N=994)\nx.none()", false},
		{"and is counted with one", "x.text(N=993)\nfor _ in range(2): x.text(N=994)\nx.none()", true},
		{"arguments are not counted", "for _ in range(3): x.take(Text='x' * 1900)\nreturn x.text(N=1994)", true},
		{"the final value is not counted", "return [x.text(N=1894), len(x.text(N=1094)['v'])]", true},
		{"results that are not returned are", "x.text(N=1994)\nx.text(N=1994)\nreturn 1", false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			for range 2 {
				if got := passes(t, server, body(c.text)); got != c.want {
					t.Errorf("got %t, want %t", got, c.want)
				}
			}
		})
	}
	t.Run("smaller than one value", func(t *testing.T) {
		server := start(t, codemode.Options{Limits: codemode.Limits{MaxIntermediateValueBytes: 1}}, textAdds()...)
		if !passes(t, server, body("return x.none()")) || passes(t, server, body("x.none()\nx.none()")) || !passes(t, server, body("return 'x' * 1000")) {
			t.Error("the boundary is not at one byte")
		}
	})
}

// TestFinalValues: what main may return and what becomes of it.
func TestFinalValues(t *testing.T) {
	server := start(t, codemode.Options{}, textAdds()...)
	for source, want := range map[string]string{
		"None": "null", "True": "true", "False": "false", "''": `""`, `'\x00\u2028é😀'`: asJSON(t, "\x00\u2028é😀"), "-1": "-1", "0": "0", "9223372036854775807": "9223372036854775807",
		"-9223372036854775808": "-9223372036854775808", "1<<53|1": "9007199254740993", "1.0": "1", "1e308": "1e+308", "5e-324": "5e-324", "-0.0": "-0", "()": "[]", "[]": "[]", "{}": "{}",
		"(1, (2,), [3])": "[1,[2],[3]]", "{'b': 1, 'a': None}": `{"a":null,"b":1}`, "{'': {'': []}}": `{"":{"":[]}}`, "[True, 1, 1.5]": "[true,1,1.5]", "list(range(3))": "[0,1,2]",
		"dict(a=1)": `{"a":1}`, "'abc'.elems()": "", "[x] * 2 if False else [1]": "[1]",
	} {
		if want == "" {
			wantFault(t, server, body("return "+source), codemode.ErrInvalidProgram)
			continue
		}
		wantValue(t, server, body("return "+source), want)
	}
	wantValue(t, server, body("pass"), "null")
	wantValue(t, server, body("return"), "null")
	for _, source := range []string{
		"1<<63", "-(1<<63)-1", "1<<1000", "float('nan')", "float('inf')", "-float('inf')", "b''", "b'x'", "range(3)", "len", "lambda: 1", "main", "json", "math", "x", "x.text", "'x'.upper",
		"{1: 2}", "{None: 1}", "{b'x': 1}", "{('a',): 1}", "{True: 1}", "[b'x']", "{'a': range(1)}", "(len,)", "[[float('nan')]]", "'é'[:1]", "['é'[1:]]", "{'é'[:1]: 1}", "[1<<63]", "json.decode('1e400') if False else 1e300*1e300",
	} {
		wantFault(t, server, body("return "+source), codemode.ErrInvalidProgram)
	}
}

// TestCyclesAreFoundAtOnce, before depth and bytes run out.
func TestCyclesAreFoundAtOnce(t *testing.T) {
	server := start(t, codemode.Options{Limits: codemode.Limits{MaxValueDepth: 3, MaxValueBytes: 100}}, textAdds()...)
	for _, text := range []string{
		"a = []\na.append(a)\nreturn a", "a = {}\na['a'] = a\nreturn a", "a = []\na.append((a,))\nreturn a", "a = []\nb = {'a': a}\na.append(b)\nreturn [b]", "a = [0] * 200\na.append(a)\nreturn a",
	} {
		wantFault(t, server, body(text), codemode.ErrInvalidProgram)
	}
	wantValue(t, server, body("a = []\nreturn [a, a]"), "[[],[]]")
	wantFault(t, server, body("a = []\na.append(a)\nx.take(Text=a)"), codemode.ErrInvalidArguments)
}

// TestReturnedValuesHavePlainGoTypes: those that the documentation of Execute
// names, and no others.
func TestReturnedValuesHavePlainGoTypes(t *testing.T) {
	server := start(t, codemode.Options{})
	value, err := do(t, server, body("return [None, True, 1, 1.5, 's', (1,), {'k': [2]}]"))
	wantClass(t, err, nil)
	const want = `[]interface {}{interface {}(nil), true, 1, 1.5, "s", []interface {}{1}, map[string]interface {}{"k":[]interface {}{2}}}`
	if got := fmt.Sprintf("%#v", value); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	list := value.([]any)
	if _, ok := list[2].(int64); !ok {
		t.Errorf("got %T for an int", list[2])
	}
	if _, ok := list[3].(float64); !ok {
		t.Errorf("got %T for a float", list[3])
	}
	if again, _ := do(t, server, body("return [None, True, 1, 1.5, 's', (1,), {'k': [2]}]")); fmt.Sprint(again) != fmt.Sprint(value) {
		t.Errorf("got %v, then %v", value, again)
	}
}
