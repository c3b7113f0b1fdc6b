package rego_test

import (
	"slices"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/metrics"
	oparego "github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// smallPolicy is what a host with a handful of rules evaluates for each call.
const smallPolicy = `package codemode.authz

default allow := false

readers := {"alice", "bob"}

allow if {
	input.capability.id == "records.entry.lookup"
	input.subject.id in readers
	input.arguments.limit <= 100
	startswith(input.arguments.key, "al")
}
`

var benchInput = authz.AuthorizationInput{
	Subject:        authz.Subject{ID: "alice"},
	CapabilityID:   "records.entry.lookup",
	CapabilityName: "records.lookup",
	Arguments:      map[string]any{"key": "alpha", "limit": int64(2)},
}

// benchDocument is what benchInput becomes.
const benchDocument = `{
	"subject": {"id": "alice"},
	"capability": {"id": "records.entry.lookup", "name": "records.lookup"},
	"arguments": {"key": "alpha", "limit": 2},
}`

func BenchmarkAuthorize(b *testing.B) {
	authorizer := newAuthorizer(b, smallPolicy)
	b.ReportAllocs()
	for b.Loop() {
		if err := authorizer.Authorize(b.Context(), benchInput); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAuthorizeParallel(b *testing.B) {
	authorizer := newAuthorizer(b, smallPolicy)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := authorizer.Authorize(b.Context(), benchInput); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkAuthorizeRatio takes turns between Authorize and the same query prepared with
// OPA's own package and given a constant input, and reports how the two compare:
// x/constant as OPA evaluates by default, x/bare when OPA too is spared its goroutine and its
// timers, so that only building the input is left between the two.
func BenchmarkAuthorizeRatio(b *testing.B) {
	authorizer := newAuthorizer(b, smallPolicy)
	prepared, err := oparego.New(
		oparego.Query(decision),
		oparego.Module("policy.rego", smallPolicy),
		oparego.StrictBuiltinErrors(true),
	).PrepareForEval(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	constant := oparego.EvalParsedInput(ast.MustParseTerm(benchDocument).Value)
	evaluate := func(options ...oparego.EvalOption) func() error {
		return func() error {
			results, err := prepared.Eval(b.Context(), options...)
			if err == nil && !results.Allowed() {
				err = authz.ErrDenied
			}
			return err
		}
	}
	turns := []func() error{
		func() error { return authorizer.Authorize(b.Context(), benchInput) },
		evaluate(constant),
		evaluate(constant, oparego.EvalMetrics(metrics.NoOp()), oparego.EvalExternalCancel(topdown.NewCancel())),
	}
	const calls = 200
	var againstConstant, againstBare []float64
	for b.Loop() {
		var took [3]time.Duration
		for i, turn := range turns {
			start := time.Now()
			for range calls {
				if err := turn(); err != nil {
					b.Fatal(err)
				}
			}
			took[i] = time.Since(start)
		}
		againstConstant = append(againstConstant, float64(took[0])/float64(took[1]))
		againstBare = append(againstBare, float64(took[0])/float64(took[2]))
	}
	b.ReportMetric(median(againstConstant), "x/constant")
	b.ReportMetric(median(againstBare), "x/bare")
	b.ReportMetric(testing.AllocsPerRun(100, func() { _ = turns[0]() }), "allocs/authorize")
	b.ReportMetric(testing.AllocsPerRun(100, func() { _ = turns[1]() }), "allocs/constant")
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
