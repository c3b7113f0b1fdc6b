package rego_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/rego"
)

func Example() {
	const policy = `package codemode.authz

default allow := false

allow if {
	input.capability.id == "records.entry.lookup"
	input.arguments.owner == input.subject.id
}
`
	authorizer, err := rego.New(context.Background(), "data.codemode.authz.allow", map[string]string{"policy.rego": policy})
	if err != nil {
		log.Fatal(err)
	}
	for _, owner := range []string{"alice", "bob"} {
		err := authorizer.Authorize(context.Background(), authz.AuthorizationInput{
			Subject:        authz.Subject{ID: "alice"},
			CapabilityID:   "records.entry.lookup",
			CapabilityName: "records.lookup",
			Arguments:      map[string]any{"owner": owner},
		})
		fmt.Println(owner, err)
	}
	// Output:
	// alice <nil>
	// bob permission denied
}

// A policy that uses what policies do not have is refused when the host starts, not
// when the first call arrives.
func ExampleNew() {
	_, err := rego.New(context.Background(), "data.codemode.authz.allow", map[string]string{"policy.rego": `package codemode.authz

default allow := false

allow if http.send({"method": "get", "url": "https://directory.example/allow"}).status_code == 200
`})
	fmt.Println(err)
	// Output:
	// rego: 1 error occurred: policy.rego:5: rego_type_error: undefined function http.send
}

// Without a default, what no rule mentions is a mistake of the policy and not a denial.
func ExampleAuthorizer_Authorize() {
	authorizer, err := rego.New(context.Background(), "data.codemode.authz.allow", map[string]string{"policy.rego": `package codemode.authz

allow if input.subject.id == "alice"
`})
	if err != nil {
		log.Fatal(err)
	}
	err = authorizer.Authorize(context.Background(), authz.AuthorizationInput{Subject: authz.Subject{ID: "mallory"}})
	fmt.Println(err)
	fmt.Println("denied:", errors.Is(err, authz.ErrDenied))
	// Output:
	// rego: decision is undefined
	// denied: false
}
