// Package githost serves the history of one git repository as CodeMode
// capabilities. It is the host behind the command codemode, and it is meant to
// be read by those who write a host of their own.
//
//	host, err := githost.Open(".")
//	if err != nil {
//		return err
//	}
//	defer host.Close()
//	builder := codemode.New(codemode.Options{
//		Authorizer: authz.AllowAll(),
//		ReadOnly:   true,
//	})
//	host.Register(builder)
//	server, err := builder.Build()
//
// # How it is laid out
//
// One file holds one capability: its input, its output and the method of
// [Host] that does the work ([Host.Commits] is repo.commits). Those methods are
// ordinary Go and are tested as such. [Host.Register] in register.go is the only
// place that knows CodeMode: there each method gets its name, its effect
// and the words by which a model finds it.
//
// # What makes a good capability
//
//   - A result is a struct that names what it holds: commits, branches, files.
//     A program reads it without guessing, and fields can be added later.
//   - Everything is bounded, in the default and at most. Where more can follow,
//     the result says so and holds a cursor to go on.
//   - A handler's error reaches the observer of the host, never the model, which
//     only learns that the capability failed. What a program may want to
//     decide on is therefore part of the result: a path that a revision does
//     not have ([TreeOutput]), a binary file ([FileOutput]).
//   - Effects are stated, so that the host may withhold what writes.
//   - Words are those of the task ("who wrote", "churn"), not of the API.
//
// # Safety
//
// Paths are names inside git trees and are never opened on disk, so nothing
// outside the repository can be named. Handlers are called concurrently; go-git's
// storages are not safe for that, so every call has one to itself. Contexts are
// honoured between objects. Data that makes go-git panic comes back as an error.
//
// # Numbers
//
// Added and removed lines are those of "git log --numstat --no-renames": renames
// are a removal and an addition, merges count nothing. A file that the attributes
// of HEAD declare binary (-diff) counts nothing either; diff drivers and the
// user's own attributes file are not asked.
package githost
