package sandbox_test
import ("testing";"github.com/codemode-go/codemode/sandbox";"os")
func TestZZCold(t *testing.T){ var a []string; if os.Getenv("WITHOUT")!="" { a=[]string{"without="+os.Getenv("WITHOUT")} }
 cold := newPool(t, sandbox.WithArguments(sandbox.Options{Idle: -1, MaxWorkers: 1},a...)); for range 300 { cold.Run(t.Context(), []byte("echo hello"), nil) } }
func TestZZNothing(t *testing.T){ for range 300 { startNothing(t) } }
