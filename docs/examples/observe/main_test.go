package main

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/docs/internal/hosttest"
)

func TestMain(m *testing.M) { hosttest.Main(m, main) }

func TestNumbersAndAudit(t *testing.T) {
	address := freeAddress(t)
	host := hosttest.Start(t, "-metrics", address)
	host.Returns(t, `def main(): return [sensors.read(sensor=s)["celsius"] for s in ["cellar", "attic"]]`, `[11.5, 24.25]`)
	host.Fails(t, `def main(): return sensors.read(sensor="roof")`, "capability failed")
	host.Fails(t, `def main(): return oops`, "invalid program")

	var vars struct {
		Codemode struct {
			Calls, Executions map[string]int
		}
	}
	if err := json.Unmarshal([]byte(get(t, "http://"+address+"/debug/vars")), &vars); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"sensors.read ok": 2, "sensors.read capability_failed": 1} {
		if got := vars.Codemode.Calls[name]; got != want {
			t.Errorf("calls %q: got %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string]int{"ok": 1, "capability_failed": 1, "invalid_program": 1} {
		if got := vars.Codemode.Executions[name]; got != want {
			t.Errorf("executions %q: got %d, want %d", name, got, want)
		}
	}

	host.Close()
	audit := lines(t, host.Log())
	if n := len(audit["native call"]); n != 3 {
		t.Errorf("got %d lines of calls, want 3:\n%s", n, host.Log())
	}
	// The cause, which no client sees, and the handler's own line name the same call.
	failed := audit["native call"][2]
	if failed["cause"] != "the bus has no sensor roof" || failed["execution"] != audit["unknown sensor"][0]["execution"] {
		t.Errorf("got %v beside %v", failed, audit["unknown sensor"])
	}
	if strings.Contains(host.Log(), "cellar") {
		t.Error("the audit log holds the value of an argument")
	}
}

// lines returns the lines of a JSON log by message.
func lines(t *testing.T, log string) map[string][]map[string]any {
	t.Helper()
	found := make(map[string][]map[string]any)
	for line := range strings.Lines(log) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		message, _ := entry["msg"].(string)
		found[message] = append(found[message], entry)
	}
	return found
}

func get(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
