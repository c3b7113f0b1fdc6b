package githost

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// maxStores is the number of storages that are open at once, for calls and
	// kept between them. More calls wait.
	maxStores = 4
	// Each storage holds all pack indexes, in a form that takes about
	// indexFactor times their size on disk; indexMemory is for all of them.
	indexFactor = 6
	indexMemory = 512 << 20
)

// stores is how many storages of a repository fit: one at least.
func stores(p place) int {
	indexes, _ := filepath.Glob(filepath.Join(p.common, "objects", "pack", "*.idx"))
	var size int64
	for _, file := range indexes {
		if info, err := os.Stat(file); err == nil {
			size += info.Size()
		}
	}
	return int(max(1, min(maxStores, indexMemory/(indexFactor*size+1))))
}

// A Host gives access to one repository. It is safe for concurrent use.
type Host struct {
	place place
	open  chan struct{} // one element for each storage in use
	idle  chan *store
	// writing lets one reference change at a time: the checks before a change
	// must still hold when it is made.
	writing sync.Mutex
}

// Open opens the repository that dir belongs to: dir is its working tree, a
// directory inside one, a linked worktree, or a bare repository. An empty
// repository opens; reading commits from it fails.
func Open(dir string) (*Host, error) {
	p, err := locate(dir)
	if err != nil {
		return nil, err
	}
	n := stores(p)
	h := &Host{place: p, open: make(chan struct{}, n), idle: make(chan *store, n)}
	s, err := openStore(p)
	if err != nil {
		return nil, err
	}
	h.idle <- s
	return h, nil
}

// Dir returns the directory that holds the repository's data.
func (h *Host) Dir() string { return h.place.common }

// Close closes the files that are kept open. Calls that are still running keep
// theirs until they end; later calls open new ones.
func (h *Host) Close() error {
	var errs []error
	for {
		select {
		case s := <-h.idle:
			errs = append(errs, s.Close())
		default:
			return errors.Join(errs...)
		}
	}
}

// with calls use with a storage of its own. git may repack while the host runs,
// which pulls the files from under an idle storage: objects that are missing are
// therefore looked for once more in a new one.
func (h *Host) with(ctx context.Context, use func(*store) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case h.open <- struct{}{}:
		defer func() { <-h.open }()
	case <-ctx.Done():
		return ctx.Err()
	}
	s, fresh, err := h.acquire()
	if err != nil {
		return err
	}
	err = h.run(s, use)
	if fresh || !missing(err) || ctx.Err() != nil {
		return err
	}
	if s, err = openStore(h.place); err != nil {
		return err
	}
	return h.run(s, use)
}

func missing(err error) bool {
	return errors.Is(err, plumbing.ErrObjectNotFound) || errors.Is(err, fs.ErrNotExist)
}

// run calls use and gives the storage back unless something went wrong with it.
func (h *Host) run(s *store, use func(*store) error) (err error) {
	defer func() {
		p := recover()
		if p != nil {
			err = fmt.Errorf("repository %s: damaged data: %v", h.place.common, p)
		}
		if p != nil || missing(err) {
			_ = s.Close()
			return
		}
		h.idle <- s // there is room: whoever uses a storage took it out or holds a place
	}()
	return use(s)
}

func (h *Host) acquire() (s *store, fresh bool, err error) {
	for {
		select {
		case s := <-h.idle:
			if s.current() {
				return s, false, nil
			}
			_ = s.Close()
		default:
			s, err := openStore(h.place)
			return s, true, err
		}
	}
}
