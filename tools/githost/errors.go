package githost

import "errors"

// Errors that a caller may want to tell apart. They are for the host: a model
// learns only that the capability failed.
var (
	// ErrNoRepository is wrapped by Open's error about a directory outside of any.
	ErrNoRepository = errors.New("not a git repository, nor inside one")
	// ErrEmpty is wrapped by errors about HEAD in a repository without commits.
	ErrEmpty = errors.New("HEAD has no commits yet")
	// ErrRevision is wrapped by errors about a revision that names no commit.
	ErrRevision = errors.New("no such commit")
	// ErrPath is wrapped by errors about a path that is no file there.
	ErrPath = errors.New("no such file")
	// ErrArgument is wrapped by errors about an argument that makes no sense.
	ErrArgument = errors.New("invalid argument")
	// ErrRefused is wrapped when a write would lose or overwrite something.
	ErrRefused = errors.New("refused")
)
