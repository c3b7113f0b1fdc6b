// Package mcpserver serves the capabilities of a CodeMode service to MCP
// clients through three tools: search_api finds them, describe_api shows how
// to call them, execute runs a program that does.
//
//	func main() {
//		codemode.ServeWorkerAndExit()
//		service := build() // codemode.New, codemode.Register, Build
//		server, err := mcpserver.New(service, mcpserver.StaticSubject(authz.Subject{ID: "me"}))
//		if err != nil {
//			log.Fatal(err)
//		}
//		log.Print(server.Run(context.Background(), &mcp.StdioTransport{}))
//	}
//
// The server is one of the official Go SDK and speaks every protocol revision
// and transport that the SDK does.
//
// # One call
//
//	tools/call ─▶ input schema ─▶ InvocationResolver ─▶ Service ─▶ result
//	              SDK: refused     "unauthenticated"     a text of
//	              before anybody                         the table
//	              is asked
//
// The input of each tool is one required string. The resolver runs once for
// every valid call, before the service is asked anything, and never sees tool
// arguments. [StaticSubject] is for one user and one process; [ContextSubject]
// reads what the host's authentication stored.
//
// # Results
//
// A successful call has structured content that its listed output schema
// describes, and one text item with the same JSON. Integers keep all their
// digits in both, past 2^53 too, and lists are never null.
//
//	search_api    {results: [{name, signature, summary}], truncated}
//	describe_api  {name, signature, summary, description, input, output}
//	execute       {result: what main returned}
//
// # Failures
//
// A call that fails is a successful response of the protocol with isError set
// and one of these texts, to which only the two marked ones may add what the
// engine said about the submitted program:
//
//	unauthenticated                resolver failed, or a subject without ID
//	capability not found           codemode.ErrNotFound
//	invalid program [: …]          codemode.ErrInvalidProgram
//	invalid capability arguments [: …]  codemode.ErrInvalidArguments
//	permission denied              codemode.ErrPermissionDenied
//	authorization policy failure   codemode.ErrPolicyFailure
//	resource limit exceeded        codemode.ErrResourceLimit
//	capability failed              codemode.ErrCapabilityFailure
//	context canceled               context.Canceled
//	context deadline exceeded      context.DeadlineExceeded alone
//	internal failure               everything else, and recovered panics
//
// An error in several classes has the text of one, always the same. The words
// of a custom service or a resolver never reach a client; [Options.Logger]
// receives the causes of what would otherwise be lost. A panic or
// runtime.Goexit in either ends that call alone.
//
// # What models and clients are told
//
// The tool descriptions and the server's instructions are the manual from
// which a model learns to work with the tools. The annotations of execute
// follow from what a service says about itself; see [Service]. To a client
// that sends a progress token, execute reports how many native calls have
// completed. A call that the client cancels, or whose connection closes, is
// canceled in the service; [CancelWithRequest] adds the end of an HTTP request.
// [Options.PortableSchemas] is for clients that refuse Boolean schemas, those
// of the official TypeScript SDK among them.
//
// # Concurrency
//
// The server may be connected to any number of transports at once, and calls
// of one session run concurrently.
//
// # What it is not
//
// It does not authenticate, listen, choose a transport or shut down: the host
// does, with the SDK. It keeps no state between calls. [mcp.Server.Run] that
// is told to stop waits for running calls, but the SDK no longer sends their
// results; a host that wants them answered ends them first, with the Close
// method of its [codemode.Server].
package mcpserver
