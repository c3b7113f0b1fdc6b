package codemode_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/sandbox"
)

// TestCheckRunsNothing and finds what can be found without.
func TestCheckRunsNothing(t *testing.T) {
	w := newWorld(t, codemode.Options{Limits: codemode.Limits{MaxSourceBytes: 500}})
	for _, c := range []struct {
		program codemode.Program
		want    []string // positions and a word each, in order
	}{
		{body("return records.lookup(key='a')"), nil},
		{body("return 1 // 0"), nil},
		{body(endless), nil},
		{body("return records.lookup(**{'nope': 1})"), nil},
		{body("records = 1\nreturn records.lookup"), nil},
		{body("f = records.lookup\nreturn f(1, 2)"), nil},
		{body("k = 1\nreturn records.lookup(key=k)"), nil},
		{body("return records.lookup(kee='a')"), []string{"2:26 kee"}},
		{body("return records.lookup(key=1, limit='a')"), []string{"2:26 key"}},
		{body("return records.lookup('a')"), []string{"2:26 positional"}},
		{body("return records.lookup(key='a', key='b')"), []string{"2:36 key"}},
		{body("return records.lookip(key='a')"), []string{"2:19 lookip"}},
		{body("return a1, records.lookup()\n"), []string{"2:12 a1", "2:30 key"}},
		{"def other(): return 1\n", []string{"1:1 main"}},
		{"def main(a): return 1\n", []string{"1:5 parameters"}},
		{"records.lookup(key='a')\ndef main(): return 1\n", []string{"1:15 main"}},
		{"def main(:\n", []string{"1:11 "}},
		{"load('a', 'b')\ndef main(): return 1\n", []string{"1:1 load"}},
		{"def main(): return '\xff'", []string{"1:21 UTF-8"}},
	} {
		problems, err := w.Check(t.Context(), c.program)
		wantClass(t, err, nil)
		if len(problems) != len(c.want) {
			t.Errorf("%q: got %v, want %v", c.program, problems, c.want)
			continue
		}
		for i, p := range problems {
			at, word, _ := strings.Cut(c.want[i], " ")
			if fmt.Sprintf("%d:%d", p.Line, p.Column) != at || !strings.Contains(p.Message, word) {
				t.Errorf("%q: got %v, want %s", c.program, p, c.want[i])
			}
		}
	}
	if w.authorized.Load() != 0 || w.handled.Load() != 0 {
		t.Error("a check called host code")
	}
	t.Run("classes", func(t *testing.T) {
		//lint:ignore SA1012 a nil context is the case, as with Execute
		_, err := w.Check(nil, body("return 1"))
		wantClass(t, err, codemode.ErrInternal)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = w.Check(ctx, body("return 1"))
		wantClass(t, err, context.Canceled)
		_, err = w.Check(t.Context(), codemode.Program(strings.Repeat("#", 501)))
		wantClass(t, err, codemode.ErrResourceLimit)
	})
}

func TestProgressAndCallIdentity(t *testing.T) {
	var calls []codemode.Call
	note := func(ctx context.Context) {
		call, ok := codemode.CallFromContext(ctx)
		if !ok {
			t.Error("host code has no call in its context")
		}
		calls = append(calls, call)
	}
	server := start(t, codemode.Options{Authorizer: authorizerFunc(func(ctx context.Context, _ authz.AuthorizationInput) error { note(ctx); return nil })},
		offer("x.y", func(ctx context.Context, _ empty) (empty, error) { note(ctx); return empty{}, nil }), offer("x.fails", func(context.Context, empty) (empty, error) { return empty{}, errors.New("no") }))
	var progress []int
	_, err := server.Execute(codemode.WithProgress(t.Context(), func(n int) { progress = append(progress, n) }), alice, body("x.y()\nx.y()\nx.fails()"))
	wantClass(t, err, codemode.ErrCapabilityFailure)
	if !slices.Equal(progress, []int{1, 2}) {
		t.Errorf("got progress %v", progress)
	}
	for i, want := range []uint64{1, 1, 2, 2, 3} {
		if len(calls) != 5 || calls[i].Number != want || calls[i].ExecutionID != calls[0].ExecutionID || calls[i].ExecutionID == "" {
			t.Fatalf("got %+v", calls)
		}
	}
	first := calls[0].ExecutionID
	calls = nil
	_, err = server.Execute(codemode.WithProgress(t.Context(), nil), alice, body("x.y()"))
	wantClass(t, err, nil)
	if calls[0].ExecutionID == first {
		t.Error("two executions have one ID")
	}
	_, err = server.Execute(codemode.WithProgress(t.Context(), func(int) { panic("secret") }), alice, body("x.y()"))
	wantClass(t, err, codemode.ErrInternal)
	wantNoSecret(t, err)
}

func TestEffects(t *testing.T) {
	for effect, want := range map[codemode.Effect]string{
		codemode.EffectUnknown: "unknown false true false", codemode.EffectReadOnly: "read-only true false true", codemode.EffectAdditive: "additive false false false", codemode.EffectDestructive: "destructive false true false",
		codemode.EffectDestructive | codemode.EffectIdempotent: "destructive, idempotent false true true", codemode.EffectIdempotent: "unknown, idempotent false true true",
	} {
		if got := fmt.Sprint(effect, " ", effect.ReadOnly(), effect.Destructive(), effect.Idempotent()); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	with := func(name string, effect codemode.Effect) add {
		return registering(func(c *sample) { c.Name, c.Effect = codemode.CapabilityName(name), effect })
	}
	adds := []add{with("x.unknown", 0), with("x.reads", codemode.EffectReadOnly), with("x.adds", codemode.EffectAdditive), with("x.destroys", codemode.EffectDestructive), with("y.unknown", 0)}
	server := start(t, codemode.Options{ReadOnly: true}, adds...)
	wantValue(t, server, body("return dir(x)"), `["reads"]`)
	wantFault(t, server, body("return y"), codemode.ErrInvalidProgram)
	_, err := server.Describe("x.adds")
	wantClass(t, err, codemode.ErrNotFound)
	if got := found(t, server, "does"); got != "x.reads" {
		t.Errorf("got %q", got)
	}
	if info := server.Info(); fmt.Sprint(info) != "{[{x 1}] read-only}" {
		t.Errorf("got %v", info)
	}
	if info := start(t, codemode.Options{}, adds...).Info(); fmt.Sprint(info) != "{[{x 4} {y 1}] unknown}" {
		t.Errorf("got %v", info)
	}
	refused(t, codemode.Options{}, []string{"x.y", "Effect"}, with("x.y", 4))
}

// TestConfinementCanBeRequired, and what is required is then reported.
func TestConfinementCanBeRequired(t *testing.T) {
	server := start(t, codemode.Options{})
	have := server.Confinement().Layers
	again := start(t, codemode.Options{Confinement: have})
	if got := again.Confinement().Layers; got&have != have {
		t.Errorf("got %v, want %v", got, have)
	}
	if missing := ^sandbox.Layers(0) &^ have; missing != 0 {
		refused(t, codemode.Options{Confinement: missing}, nil)
	}
}

func TestIdleWorkersChangeNoResult(t *testing.T) {
	for _, idle := range []int{-1, 0, 1, 100} {
		server := start(t, codemode.Options{IdleWorkers: idle, Limits: codemode.Limits{MaxConcurrentExecutions: 2}}, returning("x.y", box[int]{1}))
		for range 4 {
			wantValue(t, server, body("return x.y()['v']"), "1")
			wantFault(t, server, body("return x.y(1)"), codemode.ErrInvalidArguments)
		}
	}
}
