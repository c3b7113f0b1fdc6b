// Package codemode lets an agent write one small program instead of chaining
// tool calls. A host registers plain typed Go functions; the agent finds them,
// reads their signatures and result shapes, and runs one Starlark program that
// calls several of them, filters, combines and returns one value.
//
//	func main() {
//		codemode.ServeWorkerAndExit()
//		builder := codemode.New(codemode.Options{Authorizer: authz.AllowAll()})
//		codemode.Register(builder, codemode.Capability[LookupInput, LookupOutput]{
//			Name:    "records.lookup",
//			Summary: "Look up one record by key.",
//			Handler: lookup,
//		})
//		server, err := builder.Build()
//		…
//		value, err := server.Execute(ctx, subject, `def main(): return records.lookup(key="a")`)
//	}
//
// # Capabilities
//
// A capability is a [Handler] over two structs with a dotted name. All that a
// model sees of it (signature, input and output shapes) is derived from the
// two types by [Register], so it cannot drift from the code. [Builder.Build]
// reports every fault of every capability in one error and returns an
// immutable [Server].
//
// # Executions
//
// [Server.Execute] runs each program in a process of its own, which is the
// running binary started again: [ServeWorkerAndExit], the first statement of
// main, is where it goes another way. Before the process sees a program it has
// given up what the operating system lets it give up; [Server.Confinement]
// says what that is on this machine. It holds the interpreter and the input
// shapes; subjects, policies, handlers and secrets stay in the host.
//
// # Native calls
//
// Every call of a capability takes the same five steps, in this order:
//
//	worker   binds the keyword arguments against the input shape
//	host     binds them again, to the Go input, and to a fresh canonical map
//	host     authorizes the canonical map
//	host     runs the handler
//	host     encodes the output, within its limits; the worker decodes it
//
// The host counts calls, bytes and time itself and believes nothing that a
// worker says about them.
//
// # Failures
//
// Every error is one of the sentinels of this package, or
// [context.Canceled]. What an authorizer or a handler said is never in it:
//
//	ErrInvalidProgram      the program; a *ProgramError may say what and where
//	ErrInvalidArguments    one of its calls; a *ProgramError may say which argument
//	ErrPermissionDenied    the authorizer denied a call
//	ErrPolicyFailure       the authorizer failed
//	ErrCapabilityFailure   a handler failed, or returned NaN, an infinity or an unsigned beyond int64
//	ErrResourceLimit       a field of Limits; also matches context.DeadlineExceeded for time
//	ErrUnauthenticated     the subject is empty
//	ErrNotFound            Describe: no such enabled name
//	ErrInvalidRegistration Build
//	ErrInternal            a panic of a handler, a worker that broke off
//
// An [Observer] sees the trusted causes, every call and what it cost.
//
// # What it is not
//
// It is no policy language (package rego is one way to have one), no MCP
// server (package mcpserver is), no scheduler and no store: a Server keeps no
// state between executions.
package codemode
