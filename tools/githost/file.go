package githost

import (
	"bytes"
	"context"
	"fmt"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/tools/githost/internal/linediff"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// maxText bounds the text of one file that is returned.
const maxText = 256 << 10

// FileInput are the arguments of repo.file.
type FileInput struct {
	Path      string  `json:"path"`
	Revision  *string `json:"revision"`
	FirstLine *int64  `json:"first_line"`
	LastLine  *int64  `json:"last_line"`
}

// FileOutput is the text of a file.
type FileOutput struct {
	File File `json:"file"`
}

// A File is the text of a file at a revision. A binary file has none. Text may
// be a part of the file: the lines from FirstLine to LastLine, counted from 1;
// both are 0 when there are none. Truncated reports that lines after LastLine
// were asked for but did not fit.
type File struct {
	Path      string  `json:"path"`
	Commit    string  `json:"commit"`
	Size      int64   `json:"size"`
	Lines     int     `json:"lines"`
	Binary    bool    `json:"binary"`
	Text      *string `json:"text"`
	FirstLine int     `json:"first_line"`
	LastLine  int     `json:"last_line"`
	Truncated bool    `json:"truncated"`
}

// File returns the text of a file, or of some of its lines, at a revision.
func (h *Host) File(ctx context.Context, _ authz.Subject, in FileInput) (FileOutput, error) {
	var out FileOutput
	first, last := value(in.FirstLine), value(in.LastLine)
	if first < 0 || last < 0 || last > 0 && last < first {
		return out, fmt.Errorf("%w: first_line and last_line: got %d to %d", ErrArgument, first, last)
	}
	err := h.with(ctx, func(s *store) error {
		c, err := s.revision(value(in.Revision))
		if err != nil {
			return err
		}
		name, entry, err := s.file(c, in.Path)
		if err != nil {
			return err
		}
		f := File{Path: name, Commit: c.Hash.String()}
		if f.Size, err = s.size(entry.Hash); err != nil {
			return fmt.Errorf("path %q: %w", name, err)
		}
		data, large, err := s.blob(entry.Hash)
		if err != nil {
			return err
		}
		if f.Binary = large || isBinary(data); !f.Binary {
			f.cut(data, int(first), int(last))
		}
		out.File = f
		return nil
	})
	return out, err
}

// file finds a path that must be a file.
func (s *store) file(c *object.Commit, given string) (string, object.TreeEntry, error) {
	name, err := cleanPath(given)
	if err != nil {
		return "", object.TreeEntry{}, err
	}
	e, err := s.find(c.TreeHash, name)
	switch {
	case err != nil:
		return "", e, err
	case e.Hash == plumbing.ZeroHash:
		return "", e, fmt.Errorf("%w: %q in commit %s", ErrPath, given, c.Hash)
	case e.Mode == filemode.Dir, e.Mode == filemode.Submodule:
		return "", e, fmt.Errorf("%w: %q in commit %s is a %s", ErrPath, given, c.Hash, kind(e.Mode))
	}
	return name, e, nil
}

// cut takes the lines from first to last, 0 meaning the ends, as far as they fit.
// A single line that does not fit is cut itself.
func (f *File) cut(data []byte, first, last int) {
	lines := linediff.Split(data)
	f.Lines = len(lines)
	if last == 0 || last > len(lines) {
		last = len(lines)
	}
	first = max(first, 1)
	var text []byte
	for i := first; i <= last && !f.Truncated; i++ {
		line := lines[i-1]
		switch {
		case len(text)+len(line) <= maxText:
			text = append(text, line...)
		case len(text) == 0:
			text = bytes.ToValidUTF8(line[:maxText], nil)
			f.Truncated = true
		default:
			f.Truncated = true
			continue
		}
		f.FirstLine, f.LastLine = first, i
	}
	t := string(text)
	f.Text = &t
}
