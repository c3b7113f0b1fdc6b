package rego_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/rego"
	"github.com/open-policy-agent/opa/v1/topdown"
)

func TestAuthorizeOrdinaryErrorsInsteadOfPanics(t *testing.T) {
	var (
		none       context.Context
		nothing    *rego.Authorizer
		authorizer = newAuthorizer(t, allowEverything)
	)
	for name, authorize := range map[string]func() error{
		"nil receiver": func() error { return nothing.Authorize(t.Context(), lookup(nil)) },
		"zero value":   func() error { return new(rego.Authorizer).Authorize(t.Context(), lookup(nil)) },
		"nil context":  func() error { return authorizer.Authorize(none, lookup(nil)) },
		"both":         func() error { return nothing.Authorize(none, lookup(nil)) },
		"NaN":          func() error { return authorizer.Authorize(t.Context(), lookup(map[string]any{"x": math.NaN()})) },
		"infinity":     func() error { return authorizer.Authorize(t.Context(), lookup(map[string]any{"x": math.Inf(-1)})) },
		"channel":      func() error { return authorizer.Authorize(t.Context(), lookup(map[string]any{"x": make(chan int)})) },
	} {
		t.Run(name, func(t *testing.T) {
			err := authorize()
			if err == nil || errors.Is(err, authz.ErrDenied) || !strings.HasPrefix(err.Error(), "rego: ") {
				t.Errorf("got %v, want an ordinary error", err)
			}
		})
	}
}

func TestAuthorizeWrapsEvaluationFailures(t *testing.T) {
	authorizer := newAuthorizer(t, "package codemode.authz\n\nallow if 1 / input.arguments.x > 0\n")
	err := authorizer.Authorize(t.Context(), lookup(map[string]any{"x": int64(0)}))
	var evaluation *topdown.Error
	if !errors.As(err, &evaluation) || evaluation.Code != topdown.BuiltinErr {
		t.Errorf("got %v, want OPA's builtin error in it", err)
	}
}

func TestArgumentsKeepKindAndValue(t *testing.T) {
	tests := []struct {
		name      string
		argument  any
		condition string
	}{
		{"integer", int64(2), "x == 2"},
		{"integer in a set", int64(2), "x in {1, 2, 3}"},
		{"integer as a key", int64(2), `{2: "two"}[x] == "two"`},
		{"integer is no string", int64(2), `x != "2"`},
		{"integer prints as one", int64(2), `sprintf("%v", [x]) == "2"`},
		{"zero", int64(0), "x == 0"},
		{"largest int64", int64(math.MaxInt64), "x == 9223372036854775807; x != 9223372036854775806"},
		{"largest int64 plus one", int64(math.MaxInt64), "x + 1 == 9223372036854775808"},
		{"smallest int64", int64(math.MinInt64), "x == -9223372036854775808; x != -9223372036854775807"},
		{"2^53+1", int64(1<<53 + 1), "x == 9007199254740993; x != 9007199254740992; x - 1 == 9007199254740992"},
		{"2^53+1 in a set", int64(1<<53 + 1), "x in {9007199254740993}; not x in {9007199254740992}"},
		{"whole float", 2.0, "x == 2; x == 2.0; x in {2}; is_number(x)"},
		{"whole float as a key", 2.0, `{2: "two"}[x] == "two"`},
		{"whole float prints as JSON would", 2.0, `sprintf("%v", [x]) == "2"`},
		{"fraction", 1.5, "x == 1.5; x > 1; x < 2"},
		{"fraction without an exact double", 0.1, "x == 0.1"},
		{"negative zero", math.Copysign(0, -1), "x == 0"},
		{"largest float", math.MaxFloat64, "x == 1.7976931348623157e308; x > 1e308"},
		{"smallest float", math.SmallestNonzeroFloat64, "x == 5e-324; x > 0"},
		{"million", 1e6, "x == 1000000"},
		{"1e21", 1e21, "x == 1000000000000000000000"},
		{"small", 1e-7, "x == 0.0000001"},
		{"true", true, "x == true; x != 1"},
		{"false", false, "x == false; not x"},
		{"string", "2", `x == "2"; x != 2`},
		{"empty string", "", `x == ""`},
		{"string beyond ASCII", "é\u0000\U0001F600\"\\", `x == "é\u0000😀\"\\"; count(x) == 5`},
		// Not canonical, but a caller may write them into the map by hand.
		{"int", 2, "x == 2"},
		{"uint64", uint64(math.MaxUint64), "x == 18446744073709551615"},
		{"json.Number", json.Number("9007199254740993"), "x == 9007199254740993"},
		{"nil", nil, "x == null"},
		{"list", []string{"a", "b"}, `x == ["a", "b"]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			authorizer := newAuthorizer(t, "package codemode.authz\n\ndefault allow := false\n\nx := input.arguments.x\n\nallow if {\n\t"+
				strings.ReplaceAll(test.condition, "; ", "\n\t")+"\n}\n")
			if err := authorizer.Authorize(t.Context(), lookup(map[string]any{"x": test.argument})); err != nil {
				t.Errorf("%v: %v", test.condition, err)
			}
		})
	}
}

func TestArgumentsAreBorrowed(t *testing.T) {
	authorizer := newAuthorizer(t, "package codemode.authz\n\nallow if object.union(input.arguments, {\"key\": 1}).key == 1\n")
	arguments := map[string]any{"key": "alpha", "limit": int64(2), "score": 1.5, "active": true, "list": []any{1, "x"}}
	before := maps.Clone(arguments)
	delete(before, "list")
	if err := authorizer.Authorize(t.Context(), lookup(arguments)); err != nil {
		t.Fatal(err)
	}
	if list, ok := arguments["list"].([]any); !ok || list[0] != 1 || list[1] != "x" {
		t.Errorf("got %v, want the list as it was", arguments["list"])
	}
	delete(arguments, "list")
	if !maps.Equal(arguments, before) {
		t.Errorf("got %v, want %v", arguments, before)
	}
}

func TestAuthorizeReturnsTheContextsError(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	expired, cancel := context.WithDeadline(t.Context(), time.Unix(1, 0))
	defer cancel()
	for name, module := range map[string]string{
		"allows":     allowEverything,
		"denies":     "package codemode.authz\n\nallow := false\n",
		"undefined":  "package codemode.authz\n",
		"fails":      "package codemode.authz\n\nallow if 1 / input.arguments.x > 0\n",
		"loops long": loopsLong,
	} {
		t.Run(name, func(t *testing.T) {
			authorizer := newAuthorizer(t, module)
			input := lookup(map[string]any{"x": int64(0)})
			if err := authorizer.Authorize(canceled, input); err != canceled.Err() {
				t.Errorf("canceled: got %v, want %v", err, canceled.Err())
			}
			if err := authorizer.Authorize(expired, input); err != expired.Err() {
				t.Errorf("expired: got %v, want %v", err, expired.Err())
			}
		})
	}
}

// loopsLong would run for hours.
const loopsLong = `package codemode.authz

default allow := false

allow if {
	some x in numbers.range(1, 3000)
	some y in numbers.range(1, 3000)
	some z in numbers.range(1, 3000)
	x + y + z == 0
}
`

func TestCancellationDuringEvaluation(t *testing.T) {
	authorizer := newAuthorizer(t, loopsLong)
	parent, cancel := context.WithCancel(t.Context())
	defer cancel()
	ctx := &watchedContext{Context: parent, evaluating: make(chan struct{})}
	result := make(chan error, 1)
	go func() { result <- authorizer.Authorize(ctx, lookup(nil)) }()
	await(t, ctx.evaluating, "the evaluation to start")
	cancel()
	if err := await(t, result, "Authorize to return"); err != context.Canceled {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestDeadlineDuringEvaluation(t *testing.T) {
	authorizer := newAuthorizer(t, loopsLong)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	result := make(chan error, 1)
	go func() { result <- authorizer.Authorize(ctx, lookup(nil)) }()
	if err := await(t, result, "Authorize to return"); err != context.DeadlineExceeded {
		t.Errorf("got %v, want context.DeadlineExceeded", err)
	}
}

// watchedContext tells when an evaluation is well under way: it has asked a thousand
// times whether to go on.
type watchedContext struct {
	context.Context
	polls      int // Authorize asks from one goroutine
	evaluating chan struct{}
}

func (c *watchedContext) Err() error {
	if c.polls++; c.polls == 1000 {
		close(c.evaluating)
	}
	return c.Context.Err()
}

func await[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(time.Minute):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

func TestCancellationAtAnyMoment(t *testing.T) {
	for name, module := range map[string]string{
		"allows": allowEverything,
		"denies": "package codemode.authz\n\ndefault allow := false\n\nallow if input.subject.id == \"bob\"\n",
		"fails":  "package codemode.authz\n\nallow if 1 / 0 > 0\n",
	} {
		t.Run(name, func(t *testing.T) {
			authorizer := newAuthorizer(t, module)
			counting := &endingContext{Context: t.Context(), endsAt: 1 << 60}
			_ = authorizer.Authorize(counting, lookup(nil))
			// The last time is after the evaluation.
			for endsAt := int64(1); endsAt <= counting.polls; endsAt++ {
				ctx := &endingContext{Context: t.Context(), endsAt: endsAt}
				if err := authorizer.Authorize(ctx, lookup(nil)); err != context.Canceled {
					t.Errorf("ended at poll %d of %d: got %v, want context.Canceled", endsAt, counting.polls, err)
				}
			}
		})
	}
}

func TestAuthorizeConcurrently(t *testing.T) {
	authorizer := newAuthorizer(t, smallPolicy)
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := range 200 {
				limit := int64(worker*200 + i)
				err := authorizer.Authorize(t.Context(), lookup(map[string]any{"key": "alpha", "limit": limit}))
				if want := limit <= 100; (err == nil) != want || err != nil && !errors.Is(err, authz.ErrDenied) {
					t.Errorf("limit %d: got %v, want allowed %v", limit, err, want)
				}
			}
		})
	}
	group.Wait()
}

func TestAuthorizeAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties OPA's pools at random")
	}
	authorizer := newAuthorizer(t, smallPolicy)
	allocations := testing.AllocsPerRun(200, func() {
		if err := authorizer.Authorize(t.Context(), benchInput); err != nil {
			t.Error(err)
		}
	})
	if allocations > 120 {
		t.Errorf("got %v allocations, want at most 120", allocations)
	}
}
