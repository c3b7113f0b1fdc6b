// Command observe prints, as JSON, what the reference pages say about running
// code: classes of errors as clients see them, limits, the language surface and
// the list of tools. Nothing in it is written down twice: all of it is asked
// of a server that runs.
//
// It is a program of its own, and not a part of repo, so that repo works while
// the modules do not compile.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	codemode.ServeWorkerAndExit()
	seen, err := observe(context.Background())
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(seen)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "observe:", err)
		os.Exit(1)
	}
}

// An Observation is what observe prints.
type Observation struct {
	Errors   []Class
	Limits   []Limit
	Language Language
	Tools    []*mcp.Tool
}

// A Limit is a field of codemode.Limits.
type Limit struct{ Name, Type, Default string }

type lookupInput struct {
	Key   string `json:"key"`
	Limit *int64 `json:"limit"`
}

type lookupOutput struct {
	Count int64 `json:"count"`
}

var subject = authz.Subject{ID: "reader"}

func observe(ctx context.Context) (*Observation, error) {
	builder := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
	codemode.Register(builder, codemode.Capability[lookupInput, lookupOutput]{
		Name: "records.lookup", Summary: "Look up one record by key.", Effect: codemode.EffectReadOnly,
		Handler: func(context.Context, authz.Subject, lookupInput) (lookupOutput, error) { return lookupOutput{3}, nil },
	})
	server, err := builder.Build()
	if err != nil {
		return nil, err
	}
	defer server.Close()
	seen := &Observation{Limits: limits()}
	if seen.Errors, err = classes(ctx, server); err != nil {
		return nil, err
	}
	if seen.Language, err = language(ctx, server); err != nil {
		return nil, err
	}
	seen.Tools, err = tools(ctx, server)
	return seen, err
}

func limits() []Limit {
	var list []Limit
	defaults := reflect.ValueOf(codemode.DefaultLimits())
	for i := range defaults.NumField() {
		field := defaults.Type().Field(i)
		list = append(list, Limit{field.Name, field.Type.String(), fmt.Sprint(defaults.Field(i).Interface())})
	}
	return list
}
