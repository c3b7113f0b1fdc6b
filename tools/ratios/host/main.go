// Command host is a host that links the facade and nothing else. "codemode
// bench" builds and starts it, since the codemode command itself links OPA.
package main

import (
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/tools/ratios"
)

func main() {
	codemode.ServeWorkerAndExit()
	ratios.Child()
}
