package codemode_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
)

type citiesOutput struct {
	Cities []city `json:"cities"`
}

type city struct {
	Name       string `json:"name"`
	Population int64  `json:"population"`
}

func cities(context.Context, authz.Subject, struct{}) (citiesOutput, error) {
	return citiesOutput{Cities: []city{{"Bern", 134_000}, {"Basel", 173_000}, {"Chur", 38_000}}}, nil
}

// A host registers functions; a program loops over their results. In a real
// host, ServeWorkerAndExit is the first statement of main.
func Example() {
	builder := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
	codemode.Register(builder, codemode.Capability[struct{}, citiesOutput]{
		Name:    "geo.cities",
		Summary: "List the cities with their population.",
		Effect:  codemode.EffectReadOnly,
		Handler: cities,
	})
	server, err := builder.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()

	description, _ := server.Describe("geo.cities")
	fmt.Println(description.Signature, description.Output)

	value, err := server.Execute(context.Background(), authz.Subject{ID: "ada"}, `
def main():
    large = [c for c in geo.cities()["cities"] if c["population"] > 100000]
    return {"large": [c["name"] for c in large], "people": sum([c["population"] for c in large])}
`)
	fmt.Println(value, err)
	// Output:
	// geo.cities() [{cities list[{name: str, population: int}] true}]
	// map[large:[Bern Basel] people:307000] <nil>
}

// What a program did wrong is told to whoever sent it; other causes are not.
func ExampleProgramError() {
	builder := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
	server, err := builder.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	_, err = server.Execute(context.Background(), authz.Subject{ID: "ada"}, "def main():\n    return 1 // 0\n")
	var fault *codemode.ProgramError
	fmt.Println(errors.As(err, &fault), errors.Is(err, codemode.ErrInvalidProgram))
	fmt.Println(fault.Detail())
	// Output:
	// true true
	// <codemode>:2:14: floored division by zero
}
