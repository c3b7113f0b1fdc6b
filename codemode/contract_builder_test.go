package codemode_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

type (
	nilMap  map[string]bool
	nilFunc func()
	byValue struct{}
)

func (nilMap) Authorize(context.Context, authz.AuthorizationInput) error  { return nil }
func (nilFunc) Authorize(context.Context, authz.AuthorizationInput) error { return nil }
func (byValue) Authorize(context.Context, authz.AuthorizationInput) error { return nil }

func TestAuthorizerIsRequired(t *testing.T) {
	for rule, authorizer := range map[string]authz.Authorizer{
		"nil": nil, "nil pointer": (*nilAuthorizer)(nil), "nil map": nilMap(nil), "nil function": nilFunc(nil), "nil adapter": authorizerFunc(nil),
	} {
		_, err := codemode.New(codemode.Options{Authorizer: authorizer}).Build()
		wantClass(t, err, codemode.ErrInvalidRegistration)
		if err == nil || !strings.Contains(err.Error(), "Authorizer") {
			t.Errorf("%s: got %v", rule, err)
		}
	}
	for rule, authorizer := range map[string]authz.Authorizer{
		"struct": byValue{}, "pointer": &nilAuthorizer{}, "empty map": nilMap{}, "AllowAll": authz.AllowAll(), "AllowAllAuthorizer": authz.AllowAllAuthorizer{},
	} {
		server, err := codemode.New(codemode.Options{Authorizer: authorizer}).Build()
		if err != nil {
			t.Errorf("%s: %v", rule, err)
			continue
		}
		_ = server.Close()
	}
}

func TestBuilderLifecycle(t *testing.T) {
	t.Run("a failed Build closes the builder", func(t *testing.T) {
		b := codemode.New(codemode.Options{})
		for range 3 {
			server, err := b.Build()
			wantClass(t, err, codemode.ErrInvalidRegistration)
			if server != nil {
				t.Error("got a server beside an error")
			}
		}
		wantPanic(t, func() { registering(nil)(b) })
	})
	t.Run("a Build that succeeds closes the builder", func(t *testing.T) {
		b := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
		server, err := b.Build()
		wantClass(t, err, nil)
		defer server.Close()
		_, err = b.Build()
		wantClass(t, err, codemode.ErrInvalidRegistration)
		wantPanic(t, func() { registering(nil)(b) })
		wantValue(t, server, body("return 1"), "1")
	})
	t.Run("Register with a nil builder panics, also for a faulty capability", func(t *testing.T) {
		wantPanic(t, func() { registering(nil)(nil) })
		wantPanic(t, func() { output[chan int](nil) })
	})
	t.Run("Register itself reports nothing", func(t *testing.T) {
		b := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
		output[chan int](b)
		named("")(b)
	})
	t.Run("no capabilities are enough", func(t *testing.T) {
		server := start(t, codemode.Options{})
		wantValue(t, server, body("return 1"), "1")
		response, err := server.Search("anything")
		if err != nil || response.Results == nil || len(response.Results) != 0 || response.Truncated {
			t.Errorf("got %+v, %v", response, err)
		}
	})
}

// TestLimitsAreResolved: zero means default, negative is refused, each alone.
func TestLimitsAreResolved(t *testing.T) {
	if got, want := codemode.DefaultLimits(), (codemode.Limits{
		MaxSourceBytes: 65536, MaxExecutionSteps: 1000000, MaxExecutionTime: 5 * time.Second, MaxNativeCalls: 100, MaxValueDepth: 32, MaxValueBytes: 1048576,
		MaxIntermediateValueBytes: 8388608, MaxSearchQueryBytes: 256, MaxSearchResults: 20, MaxConcurrentExecutions: 8, MaxWorkerMemoryBytes: 256 << 20,
	}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	wantClass(t, codemode.DefaultLimits().Validate(), nil)
	wantClass(t, codemode.Limits{}.Validate(), codemode.ErrInvalidRegistration)
	fields := reflect.TypeFor[codemode.Limits]()
	for i := range fields.NumField() {
		name := fields.Field(i).Name
		t.Run(name, func(t *testing.T) {
			limits := codemode.DefaultLimits()
			reflect.ValueOf(&limits).Elem().Field(i).SetZero()
			err := limits.Validate()
			wantClass(t, err, codemode.ErrInvalidRegistration)
			if !strings.Contains(err.Error(), name) {
				t.Errorf("got %v, want it to name %s", err, name)
			}
			if fields.Field(i).Type.Kind() == reflect.Uint64 {
				return
			}
			for _, negative := range []int64{-1, math.MinInt32} {
				limits := codemode.Limits{}
				reflect.ValueOf(&limits).Elem().Field(i).SetInt(negative)
				refused(t, codemode.Options{Limits: limits}, []string{name})
				limits = codemode.DefaultLimits()
				reflect.ValueOf(&limits).Elem().Field(i).SetInt(negative)
				wantClass(t, limits.Validate(), codemode.ErrInvalidRegistration)
			}
		})
	}
	t.Run("greatest limits", func(t *testing.T) {
		server := start(t, codemode.Options{Limits: codemode.Limits{MaxExecutionSteps: math.MaxUint64, MaxNativeCalls: math.MaxUint64, MaxExecutionTime: math.MaxInt64,
			MaxIntermediateValueBytes: math.MaxInt, MaxSearchQueryBytes: math.MaxInt, MaxSearchResults: math.MaxInt, MaxValueDepth: 1 << 20}}, returning("x.y", box[int]{1}))
		wantValue(t, server, body("return x.y()['v']"), "1")
		response, err := server.Search("y")
		if err != nil || len(response.Results) != 1 {
			t.Errorf("got %v, %v", response, err)
		}
	})
	t.Run("a frame that cannot be", func(t *testing.T) {
		refused(t, codemode.Options{Limits: codemode.Limits{MaxValueBytes: math.MaxInt}}, []string{"MaxValueBytes"}, registering(nil))
		refused(t, codemode.Options{Limits: codemode.Limits{MaxSourceBytes: math.MaxInt}}, []string{"MaxSourceBytes"}, registering(nil))
	})
}

// TestStaticFiltering: a disabled capability is absent from all four.
func TestStaticFiltering(t *testing.T) {
	list := []codemode.CapabilityID{"the.id", "x.named"}
	var handled int
	counted := func(name, id string) add {
		return func(b *codemode.Builder) {
			codemode.Register(b, codemode.Capability[empty, empty]{Name: codemode.CapabilityName(name), ID: codemode.CapabilityID(id), Summary: "Zebra.",
				Handler: func(context.Context, authz.Subject, empty) (empty, error) { handled++; return empty{}, nil }})
		}
	}
	adds := []add{counted("x.hidden", "the.id"), counted("x.named", ""), counted("x.kept", ""), counted("gone.all", "gone")}
	server := start(t, codemode.Options{DisabledCapabilities: append(list, "gone")}, append(adds, func(*codemode.Builder) { list[0] = "x.kept" })...)
	response, err := server.Search("zebra")
	if err != nil || len(response.Results) != 1 || response.Results[0].Name != "x.kept" || response.Truncated {
		t.Errorf("got %+v, %v", response, err)
	}
	for _, name := range []string{"x.hidden", "x.named", "gone.all"} {
		_, err := server.Describe(codemode.CapabilityName(name))
		wantClass(t, err, codemode.ErrNotFound)
		response, err := server.Search(name)
		if err != nil || len(response.Results) != 0 && response.Results[0].Name == name {
			t.Errorf("got %+v, %v", response, err)
		}
		wantFault(t, server, body("return "+name+"()"), codemode.ErrInvalidProgram)
	}
	wantValue(t, server, body("return [dir(x), hasattr(x, 'hidden'), type(x.kept)]"), `[["kept"],false,"builtin_function_or_method"]`)
	if handled != 0 {
		t.Errorf("a disabled handler ran")
	}
	wantFault(t, server, body("return gone"), codemode.ErrInvalidProgram)
	for rule, ids := range map[string][]codemode.CapabilityID{
		"unknown": {"nothing"}, "the name where there is an ID": {"x.hidden"}, "twice": {"the.id", "the.id"}, "empty": {""}, "other case": {"The.id"}, "white space": {"the.id "},
	} {
		t.Run(rule, func(t *testing.T) {
			refused(t, codemode.Options{DisabledCapabilities: ids}, []string{"DisabledCapabilities"}, adds...)
		})
	}
	refused(t, codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"x.hidden"}}, []string{`"x.hidden" is the name`, `its ID "the.id"`}, adds...)
}

// Each level doubles what describes the type.
type (
	twice[T any]   struct{ A, B []T }
	twice5[T any]  twice[twice[twice[twice[twice[T]]]]]
	twice10[T any] twice5[twice5[T]]
)

// TestHardBuildBounds: what is checked before static filtering, and after.
func TestHardBuildBounds(t *testing.T) {
	big := func(name string, size int) add {
		return registering(func(c *sample) { c.Name = codemode.CapabilityName(name); c.Description = strings.Repeat("d", size) })
	}
	wide := func(summary int) add {
		return registering(func(c *sample) { c.Name = "x.wide"; c.Summary = strings.Repeat("s", summary); c.Description = "d" })
	}
	t.Run("disabling does not reduce the metadata", func(t *testing.T) {
		refused(t, codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"x.big"}}, []string{"bytes of names"}, big("x.big", 16<<20))
	})
	t.Run("the metadata of all capabilities count together", func(t *testing.T) {
		var adds []add
		for i := range 64 {
			adds = append(adds, big(fmt.Sprintf("x.c%d", i), 256<<10))
		}
		refused(t, codemode.Options{}, []string{"bytes of names"}, adds...)
	})
	t.Run("a disabled capability need not fit a response", func(t *testing.T) {
		server := start(t, codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"x.wide"}}, wide(1<<20))
		wantValue(t, server, body("return 1"), "1")
	})
	t.Run("an enabled one must, and what just fits is found", func(t *testing.T) {
		low, high := 1, 1<<20 // accepted, refused
		for low+1 < high {
			middle := (low + high) / 2
			server, err := tryStart(codemode.Options{}, wide(middle))
			if err != nil {
				high = middle
				continue
			}
			low = middle
			_ = server.Close()
		}
		refused(t, codemode.Options{}, []string{"x.wide"}, wide(high))
		server := start(t, codemode.Options{}, wide(low))
		response, err := server.Search("x.wide")
		if err != nil || len(response.Results) != 1 || response.Truncated || len(response.Results[0].Summary) != low {
			t.Errorf("got %d results, %v", len(response.Results), err)
		}
	})
	t.Run("a shape that no memory holds is refused, not written", func(t *testing.T) {
		refused(t, codemode.Options{}, []string{`"x.vast"`, "output"}, returning("x.vast", twice10[twice10[twice10[int]]]{}))
		start(t, codemode.Options{}, returning("x.large", twice10[int]{}))
	})
	t.Run("all that do not fit are named", func(t *testing.T) {
		long := func(name string) add {
			return registering(func(c *sample) { c.Name, c.Summary = codemode.CapabilityName(name), strings.Repeat("s", 64<<10) })
		}
		refused(t, codemode.Options{}, []string{"x.first", "x.second"}, long("x.first"), named("x.fits"), long("x.second"))
	})
	t.Run("the size is that of the JSON", func(t *testing.T) {
		refused(t, codemode.Options{}, []string{"x.y"}, registering(func(c *sample) { c.Summary = strings.Repeat("\x01", 20<<10) })) // six bytes each in JSON
	})
}
