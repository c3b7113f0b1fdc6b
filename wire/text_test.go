package wire_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/codemode-go/codemode/wire"
)

// Text is checked whatever its length and wherever the byte is that makes it invalid.
func TestTextIsUTF8Everywhere(t *testing.T) {
	for n := range 80 {
		text := bytes.Repeat([]byte("a"), n)
		checkText(t, string(text), nil)
		for i := range text {
			text[i] = 0xff
			checkText(t, string(text), wire.ErrMalformed)
			if i+1 < n {
				text[i], text[i+1] = 0xc3, 0xa9
				checkText(t, string(text), nil)
				text[i+1] = 'a'
				checkText(t, string(text), wire.ErrMalformed)
			}
			text[i] = 'a'
		}
	}
}

func checkText(t *testing.T, text string, want error) {
	t.Helper()
	for _, events := range []tape{seq(str(text)), seq(dict(1), key(text), null())} {
		if _, err := encode(events, generous); !errors.Is(err, want) {
			t.Errorf("encoding %q: got %v, want %v", text, err, want)
		}
		if _, err := decode(rawText(events), generous); !errors.Is(err, want) {
			t.Errorf("decoding %q: got %v, want %v", text, err, want)
		}
	}
}

// rawText encodes a text, or a dict with one key, without looking at the text.
func rawText(events tape) []byte {
	if events[0].name == "Dict" {
		return raw(events)
	}
	text := events[0].value.(string)
	if len(text) < 64 {
		return append([]byte{0x40 | byte(len(text))}, text...)
	}
	return append(wire.AppendDone([]byte{0xc6}, wire.Done{Units: uint64(len(text))}), text...)
}
