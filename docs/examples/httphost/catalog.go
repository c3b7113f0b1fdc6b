package main

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/rego"
)

//go:embed policy.rego
var policy string

type (
	listInput struct {
		Customer string `json:"customer"`
	}
	listOutput struct {
		Orders []order `json:"orders"`
	}
	order struct {
		ID    int64  `json:"id"`
		Lines []line `json:"lines"`
		Paid  bool   `json:"paid"`
	}
	line struct {
		Article string  `json:"article"`
		Pieces  int64   `json:"pieces"`
		Price   float64 `json:"price"`
	}
	getInput struct {
		ID int64 `json:"id"`
	}
	getOutput struct {
		Customer string `json:"customer"`
		Order    order  `json:"order"`
	}
	contactOutput struct {
		Name  string `json:"name"`
		Email string `json:"email"`
	}
)

// newService registers the catalog under its policy.
func newService(ctx context.Context, c *config) (*codemode.Server, error) {
	authorizer, err := rego.New(ctx, "data.orders.allow", map[string]string{"policy.rego": policy})
	if err != nil {
		return nil, err
	}
	builder := codemode.New(codemode.Options{
		Authorizer: authorizer,
		Observer:   codemode.NewSlogObserver(c.log, codemode.SlogOptions{}),
		Limits:     codemode.Limits{MaxExecutionTime: c.maxExecutionTime, MaxConcurrentExecutions: c.maxExecutionCount},
	})
	codemode.Register(builder, codemode.Capability[listInput, listOutput]{
		Name:        "orders.list",
		Summary:     "List the orders of one customer.",
		Description: "List the orders of one customer, oldest first. An unknown customer has none.",
		SearchTerms: []string{"find purchases", "order history"},
		Effect:      codemode.EffectReadOnly,
		Handler:     listOrders,
	})
	codemode.Register(builder, codemode.Capability[getInput, getOutput]{
		Name:    "orders.get",
		Summary: "Get one order by its number, with its customer.",
		Effect:  codemode.EffectReadOnly,
		Handler: getOrder,
	})
	codemode.Register(builder, codemode.Capability[listInput, contactOutput]{
		Name:    "customers.contact",
		Summary: "Get the contact details of one customer.",
		Effect:  codemode.EffectReadOnly,
		Handler: contact,
	})
	return builder.Build()
}

// The data set is small and fixed, so that every replica has the same one. A
// host of your own asks its database here, with the subject it is given.
var customers = []struct {
	id, name, email string
	orders          []order
}{
	{"c1", "Ada", "ada@example.com", []order{
		{ID: 1001, Paid: true, Lines: []line{{"keyboard", 1, 79.5}, {"cable", 3, 4.25}}},
		{ID: 1004, Paid: false, Lines: []line{{"screen", 2, 249}}},
	}},
	{"c2", "Grace", "grace@example.com", []order{
		{ID: 1002, Paid: true, Lines: []line{{"desk", 1, 410}}},
	}},
}

func listOrders(_ context.Context, _ authz.Subject, in listInput) (listOutput, error) {
	out := listOutput{Orders: []order{}}
	for _, customer := range customers {
		if customer.id == in.Customer {
			out.Orders = append(out.Orders, customer.orders...)
		}
	}
	return out, nil
}

func getOrder(_ context.Context, _ authz.Subject, in getInput) (getOutput, error) {
	for _, customer := range customers {
		for _, order := range customer.orders {
			if order.ID == in.ID {
				return getOutput{Customer: customer.id, Order: order}, nil
			}
		}
	}
	return getOutput{}, fmt.Errorf("no order %d", in.ID)
}

func contact(_ context.Context, _ authz.Subject, in listInput) (contactOutput, error) {
	for _, customer := range customers {
		if customer.id == in.Customer {
			return contactOutput{Name: customer.name, Email: customer.email}, nil
		}
	}
	return contactOutput{}, fmt.Errorf("no customer %q", in.Customer)
}
