package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

type outputFlags struct{ json bool }

func (f *outputFlags) add(cmd *cobra.Command, usage string) {
	cmd.Flags().BoolVar(&f.json, "json", false, usage)
}

// A printer writes for a person, coloured where one sits, or JSON for a script.
type printer struct {
	io.Writer
	json   bool
	colour bool
}

func (f *outputFlags) printer(w io.Writer) *printer {
	return &printer{w, f.json, !f.json && isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// value prints JSON: on one line for a script, else indented.
func (p *printer) value(data json.RawMessage) error {
	var buf bytes.Buffer
	indent := json.Compact
	if !p.json {
		indent = func(dst *bytes.Buffer, src []byte) error { return json.Indent(dst, src, "", "  ") }
	}
	if err := indent(&buf, data); err != nil {
		return fail(err)
	}
	buf.WriteByte('\n')
	out := buf.Bytes()
	if p.colour {
		out = colourJSON(out)
	}
	_, err := p.Write(out)
	return fail(err)
}

// A style is an ANSI rendition.
type style string

const (
	bold  style = "1"
	dim   style = "2"
	green style = "32"
	cyan  style = "36"
	amber style = "33"
)

// paint renders a text where colours are wanted.
func (p *printer) paint(s style, text string) string {
	if !p.colour || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// colourJSON paints the strings of indented JSON: keys apart from values.
func colourJSON(data []byte) []byte {
	var out []byte
	for i := 0; i < len(data); {
		if data[i] != '"' {
			out = append(out, data[i])
			i++
			continue
		}
		end := i + 1
		for data[end] != '"' {
			if data[end] == '\\' {
				end++
			}
			end++
		}
		end++
		s := green
		if end < len(data) && data[end] == ':' {
			s = cyan
		}
		out = append(out, "\x1b["+string(s)+"m"...)
		out = append(out, data[i:end]...)
		out = append(out, "\x1b[0m"...)
		i = end
	}
	return out
}
