package main

import (
	"testing"

	"github.com/codemode-go/codemode/docs/internal/hosttest"
)

func TestMain(m *testing.M) { hosttest.Main(m, main) }

func TestHello(t *testing.T) {
	host := hosttest.Start(t)
	host.Finds(t, "greet a person", "people.greet")
	host.Returns(t, `
def main():
    return [people.greet(name=n)["greeting"] for n in ["Ada", "Grace"]]
`, `["Hello, Ada!", "Hello, Grace!"]`)
	host.Fails(t, "def main(): return people.greet(nane='Ada')", "invalid capability arguments: ")
}
