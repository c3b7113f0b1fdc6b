package sandbox_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/codemode-go/codemode/sandbox"
)

// A host makes one pool and runs jobs in it. The engine of these examples, in TestMain, takes "one TEXT" as: ask the parent for TEXT
// and return its answer.
func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	pool, err := sandbox.New(ctx, sandbox.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()

	answer := func(_ context.Context, call sandbox.Call) (sandbox.Reply, error) {
		return sandbox.Reply{Value: []byte(strings.ToUpper(string(call.Arguments)))}, nil
	}
	outcome, usage, err := pool.Run(ctx, []byte("one hello"), answer)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s after %d call\n", outcome.Value, usage.Calls)
	// Output: HELLO after 1 call
}

// A fault is what the engine says about a job; it is no error of the run.
func ExamplePool_Run_fault() {
	ctx := context.Background()
	pool, err := sandbox.New(ctx, sandbox.Options{Idle: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer pool.Close()
	outcome, _, err := pool.Run(ctx, []byte("fault the job makes no sense"), nil)
	fmt.Println(err, outcome.Fault.Detail)
	// Output: <nil> the job makes no sense
}

func ExampleLayers() {
	want := sandbox.Files | sandbox.Network
	fmt.Println(want)
	fmt.Println(want.Has(sandbox.Files), want.Has(sandbox.Memory))
	// Output:
	// files, network
	// true false
}
