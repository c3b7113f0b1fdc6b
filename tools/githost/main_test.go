package githost_test

import (
	"os"
	"testing"

	"github.com/codemode-go/codemode/codemode"
)

func TestMain(m *testing.M) {
	codemode.ServeWorkerAndExit()
	os.Exit(m.Run())
}
