package githost

import (
	"context"
	"strings"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/tools/githost/internal/linediff"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

const (
	// maxPatch bounds the patch of one file, maxPatches those of a result.
	maxPatch   = 64 << 10
	maxPatches = 384 << 10
	aroundHunk = 3
)

// DiffInput are the arguments of repo.diff.
type DiffInput struct {
	Base  string  `json:"base"`
	Head  *string `json:"head"`
	Path  *string `json:"path"`
	Patch *bool   `json:"patch"`
	Limit *int64  `json:"limit"`
}

// DiffOutput is the difference of two revisions.
type DiffOutput struct {
	Diff Diff `json:"diff"`
}

// A Diff is what leads from one revision to another. Additions, Deletions and
// FilesChanged cover all files, also where Files was cut short.
type Diff struct {
	Base           string     `json:"base"`
	Head           string     `json:"head"`
	FilesChanged   int        `json:"files_changed"`
	Additions      int        `json:"additions"`
	Deletions      int        `json:"deletions"`
	Files          []FileDiff `json:"files"`
	FilesTruncated bool       `json:"files_truncated"`
}

// A FileDiff is a file that differs. Patch is in the unified format; there is
// none for a binary file, or when the patch was not asked for or did not fit.
type FileDiff struct {
	Path           string  `json:"path"`
	Status         string  `json:"status"`
	Additions      int     `json:"additions"`
	Deletions      int     `json:"deletions"`
	Binary         bool    `json:"binary"`
	Patch          *string `json:"patch"`
	PatchTruncated bool    `json:"patch_truncated"`
}

// Diff compares the files of two revisions, without detection of renames.
func (h *Host) Diff(ctx context.Context, _ authz.Subject, in DiffInput) (DiffOutput, error) {
	var out DiffOutput
	limit, err := bounded("limit", in.Limit, defaultFiles, maxFiles)
	if err != nil {
		return out, err
	}
	at, err := cleanPath(value(in.Path))
	if err != nil {
		return out, err
	}
	err = h.with(ctx, func(s *store) error {
		base, err := s.revision(in.Base)
		if err != nil {
			return err
		}
		head, err := s.revision(value(in.Head))
		if err != nil {
			return err
		}
		attributes, err := s.attributesOf()
		if err != nil {
			return err
		}
		d := diffing{
			store: s, attributes: attributes, limit: limit, patch: in.Patch == nil || *in.Patch,
			out: Diff{Base: base.Hash.String(), Head: head.Hash.String(), Files: []FileDiff{}},
		}
		if err := d.compare(ctx, base, head, at); err != nil {
			return err
		}
		out.Diff = d.out
		return nil
	})
	return out, err
}

type diffing struct {
	store      *store
	attributes *attributes
	limit      int
	patch      bool
	size       int
	patches    int
	out        Diff
}

func (d *diffing) compare(ctx context.Context, base, head *object.Commit, at string) error {
	x, err := d.store.find(base.TreeHash, at)
	if err != nil {
		return err
	}
	y, err := d.store.find(head.TreeHash, at)
	if err != nil {
		return err
	}
	// The entries of a pair have the name by which their path ends, or none.
	dir, name := "", at
	if i := strings.LastIndexByte(at, '/'); i >= 0 {
		dir, name = at[:i], at[i+1:]
	}
	for _, e := range []*object.TreeEntry{&x, &y} {
		if !e.Hash.IsZero() {
			e.Name = name
		}
	}
	visit := func(c change) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return d.add(c)
	}
	if (x.Mode == filemode.Dir) == (y.Mode == filemode.Dir) || x.Hash.IsZero() || y.Hash.IsZero() {
		return d.store.pair(ctx, dir, x, y, visit)
	}
	// A file became a directory, or the other way round.
	if err := d.store.pair(ctx, dir, x, object.TreeEntry{}, visit); err != nil {
		return err
	}
	return d.store.pair(ctx, dir, object.TreeEntry{}, y, visit)
}

func (d *diffing) add(c change) error {
	f, script, err := d.store.measure(c, d.attributes)
	if err != nil {
		return err
	}
	d.out.FilesChanged++
	d.out.Additions += f.Additions
	d.out.Deletions += f.Deletions
	if d.size += len(f.Path) + 100; len(d.out.Files) >= d.limit || d.size > maxPage {
		d.out.FilesTruncated = true
		return nil
	}
	file := FileDiff{
		Path: f.Path, Status: f.Status, Additions: f.Additions, Deletions: f.Deletions, Binary: f.Binary,
	}
	if d.patch && script != nil {
		text, whole := unified(script, min(maxPatch, maxPatches-d.patches))
		d.patches += len(text)
		file.Patch, file.PatchTruncated = &text, !whole
	}
	d.out.Files = append(d.out.Files, file)
	return nil
}

// unified writes as many hunks as fit.
func unified(script *linediff.Script, room int) (text string, whole bool) {
	var buf []byte
	for _, hunk := range script.Hunks(aroundHunk) {
		n := len(buf)
		if buf = script.AppendHunk(buf, hunk); len(buf) > room {
			return string(buf[:n]), false
		}
	}
	return string(buf), true
}
