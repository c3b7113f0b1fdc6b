package wire_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/wire"
)

// block returns the lines of the fenced block of PROTOCOL.md with the given name.
func block(t *testing.T, name string) []string {
	t.Helper()
	file, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(file), "\r\n", "\n")
	_, rest, found := strings.Cut(text, "\n```"+name+"\n")
	body, _, closed := strings.Cut(rest, "\n```\n")
	if !found || !closed {
		t.Fatalf("PROTOCOL.md has no block %q", name)
	}
	return strings.Split(body, "\n")
}

var example = regexp.MustCompile(`^((?:[0-9a-f]{2} )*)\s+(\S.*)$`)

// columns splits a line into its bytes and what is said of them.
func columns(t *testing.T, line string) (body []byte, text string) {
	t.Helper()
	match := example.FindStringSubmatch(line)
	if match == nil {
		t.Fatalf("line %q: want bytes and a text", line)
	}
	body, err := hex.DecodeString(strings.ReplaceAll(match[1], " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return body, match[2]
}

func (e event) notation() string {
	switch v := e.value.(type) {
	case nil:
		return e.name
	case string:
		return fmt.Sprintf("%s(%q)", e.name, v)
	case uint64:
		return fmt.Sprintf("%s(%s)", e.name, strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64))
	default:
		return fmt.Sprintf("%s(%v)", e.name, v)
	}
}

func TestProtocolValues(t *testing.T) {
	for _, line := range block(t, "values") {
		body, want := columns(t, line)
		events, err := decode(body, generous)
		var got []string
		for _, e := range events {
			got = append(got, e.notation())
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("% x: got %s, %v, want %s", body, strings.Join(got, " "), err, want)
		}
		if again, err := encode(events, generous); err != nil || !slices.Equal(again, body) {
			t.Errorf("%s: got % x, %v, want % x", want, again, err, body)
		}
	}
}

func TestProtocolRefusals(t *testing.T) {
	for _, line := range block(t, "refused") {
		body, want := columns(t, line)
		_, err := decode(body, generous)
		var malformed *wire.MalformedError
		if !errors.As(err, &malformed) || malformed.Problem != want {
			t.Errorf("% x: got %v, want %q", body, err, want)
		}
	}
}

func TestProtocolConversation(t *testing.T) {
	golden, err := os.ReadFile("testdata/conversation.golden")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(golden))
	if got := strings.Fields(strings.Join(block(t, "conversation"), "\n")); !slices.Equal(got, want) {
		t.Errorf("got %v, want testdata/conversation.golden: %v", got, want)
	}
}

var kindRow = regexp.MustCompile(`(?m)^\| (\d) \| (\w+) \| (worker|parent) \|`)

func TestProtocolKinds(t *testing.T) {
	file, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := kindRow.FindAllStringSubmatch(string(file), -1)
	if len(rows) != int(wire.KindFault) {
		t.Fatalf("got %d kinds, want %d", len(rows), wire.KindFault)
	}
	for _, row := range rows {
		number, err := strconv.Atoi(row[1])
		if err != nil || wire.Kind(number).String() != row[2] {
			t.Errorf("kind %d: got %s, want %v", number, row[2], wire.Kind(number))
		}
		for _, frame := range talk {
			if frame.kind == wire.Kind(number) && frame.worker != (row[3] == "worker") {
				t.Errorf("%v: got %s as its sender", frame.kind, row[3])
			}
		}
	}
}

func TestProtocolEnvelopes(t *testing.T) {
	file, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int{
		"Hello": wire.MaxHelloEnvelope, "Call": wire.MaxCallEnvelope, "Result": wire.MaxResultEnvelope,
		"Done": wire.MaxDoneEnvelope, "Fault": wire.MaxFaultEnvelope,
	} {
		if row := fmt.Sprintf("\n| %s | %d |", name, size); !strings.Contains(string(file), row) {
			t.Errorf("PROTOCOL.md lacks the row %q", row)
		}
	}
}
