package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var update = flag.Bool("update", false, "write what the server answers into the conformance files")

// Each file is a dialogue in raw JSON-RPC: what the client sends and what the
// server answers, after a first section that names the host. Requests go out
// one at a time, so that the order of the answers is fixed.
func TestConformance(t *testing.T) {
	files, err := filepath.Glob("testdata/conformance/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("got files %v, %v, want some", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			archive := parseArchive(data)
			got := converse(t, hostOf(t, archive.section("host")), archive.section("client"))
			if *update {
				if err := os.WriteFile(file, archive.with("server", indent(t, got)), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want := messagesIn(t, archive.section("server"))
			if len(got) != len(want) {
				t.Fatalf("got %d messages, want %d:\n%s", len(got), len(want), indent(t, got))
			}
			for i := range got {
				if !reflect.DeepEqual(exact(t, got[i]), exact(t, want[i])) {
					t.Errorf("message %d: got\n%s\nwant\n%s", i, got[i], want[i])
				}
			}
		})
	}
}

// A host is a server and the revision of a handshake that precedes the dialogue.
type host struct {
	server    *mcp.Server
	handshake string
}

func converse(t *testing.T, h host, client []byte) (answers [][]byte) {
	t.Helper()
	w := dial(t, h.server)
	if h.handshake != "" {
		w.initialize(h.handshake)
	}
	for _, message := range messagesIn(t, client) {
		if idOf(t, message) == "" {
			w.send(string(message))
			continue
		}
		for _, answer := range w.roundTrip(string(message)) {
			answers = append(answers, detail.ReplaceAll(answer, []byte("${1}…")))
		}
	}
	return answers
}

// detail is what may follow the two stable prefixes, behind a position. Its
// wording belongs to the engine and has its tests there.
var detail = regexp.MustCompile(`((?:invalid program|invalid capability arguments): (?:\\u003ccodemode\\u003e:\d+:\d+: )?)(?:[^"\\]|\\.)+`)

// hostOf builds the server that a section describes, one setting a line:
// "service: sample", "service: records" for a real one, "service: fails TEXT" with the text of
// a class, "resolver: refuses", "handshake: REVISION".
func hostOf(t *testing.T, section []byte) (h host) {
	t.Helper()
	var service mcpserver.Service
	resolver := alice()
	for line := range strings.Lines(string(section)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		class, fails := strings.CutPrefix(value, "fails ")
		switch {
		case key == "service" && value == "sample":
			service = sample()
		case key == "service" && value == "records":
			service = buildRecords(t, codemode.Options{Limits: codemode.Limits{MaxNativeCalls: 2}})
		case key == "service" && fails:
			service = failing(fmt.Errorf("secret-host-detail: %w", classOf(class)))
		case key == "resolver" && value == "refuses":
			resolver = mcpserver.ContextSubject()
		case key == "handshake":
			h.handshake = value
		default:
			t.Fatalf("unknown setting %q", line)
		}
	}
	h.server = newServerAs(t, service, resolver, mcpserver.Options{Name: "conformance", Title: "Conformance", Version: "v1.0.0"})
	return h
}

// classOf returns the error that has a text of the table, or one in no class.
func classOf(text string) error {
	if class := mcpserver.FailureTexts()[text]; class != nil {
		return class
	}
	return errors.New(text)
}

// messagesIn splits a section into its JSON values, each on one line.
func messagesIn(t testing.TB, section []byte) (messages [][]byte) {
	t.Helper()
	for decoder := json.NewDecoder(bytes.NewReader(section)); decoder.More(); {
		var message json.RawMessage
		if err := decoder.Decode(&message); err != nil {
			t.Fatal(err)
		}
		var line bytes.Buffer
		if err := json.Compact(&line, message); err != nil {
			t.Fatal(err)
		}
		messages = append(messages, line.Bytes())
	}
	return messages
}

func indent(t testing.TB, messages [][]byte) []byte {
	t.Helper()
	var all bytes.Buffer
	for _, message := range messages {
		if err := json.Indent(&all, message, "", "\t"); err != nil {
			t.Fatal(err)
		}
		all.WriteByte('\n')
	}
	return all.Bytes()
}

// An archive is a file in the txtar format: a comment, then sections that
// begin with a line "-- name --".
type archive struct {
	comment  string
	sections []section
}

type section struct{ name, body string }

func parseArchive(data []byte) *archive {
	a := new(archive)
	for line := range strings.Lines(string(data)) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "-- ")
		if name, closed := strings.CutSuffix(name, " --"); ok && closed {
			a.sections = append(a.sections, section{name: name})
			continue
		}
		if n := len(a.sections); n > 0 {
			a.sections[n-1].body += line
		} else {
			a.comment += line
		}
	}
	return a
}

func (a *archive) section(name string) []byte {
	for _, s := range a.sections {
		if s.name == name {
			return []byte(s.body)
		}
	}
	return nil
}

// with returns the file with one section replaced.
func (a *archive) with(name string, body []byte) []byte {
	var file strings.Builder
	file.WriteString(a.comment)
	for _, s := range a.sections {
		if s.name == name {
			s.body = string(body)
		}
		fmt.Fprintf(&file, "-- %s --\n%s", s.name, s.body)
	}
	return []byte(file.String())
}
