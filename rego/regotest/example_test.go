package regotest_test

import (
	"context"
	"fmt"
	"log"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/rego/regotest"
)

// Tools can explain decisions outside of tests.
func ExampleCompile() {
	policy, err := regotest.Compile(context.Background(), "data.codemode.authz.allow", map[string]string{"policy.rego": `package codemode.authz

default allow := false

# METADATA
# title: readers may look up
allow if {
	input.subject.id in {"alice", "bob"}
	input.capability.id == "records.entry.lookup"
}
`})
	if err != nil {
		log.Fatal(err)
	}
	for _, subject := range []authz.SubjectID{"alice", "mallory"} {
		fmt.Println(subject, policy.Explain(context.Background(), authz.AuthorizationInput{
			Subject:      authz.Subject{ID: subject},
			CapabilityID: "records.entry.lookup",
		}))
	}
	// Output:
	// alice allow
	//   by   policy.rego:7: readers may look up
	// mallory deny
	//   by   policy.rego:3: default allow := false
}
