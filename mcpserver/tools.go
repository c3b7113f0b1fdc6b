package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func searchTool() *mcp.Tool {
	return tool("search_api", "Search APIs", searchDescription, searchOutput, discovery)
}

func describeTool() *mcp.Tool {
	return tool("describe_api", "Describe an API", describeDescription, describeOutput, discovery)
}

// executeTool is as safe as the catalog: what a program may do is what the
// capabilities together may do. What they reach beyond the host is unknown.
func executeTool(effect codemode.Effect, portable bool) *mcp.Tool {
	output := executeOutput
	if portable {
		output = portableExecuteOutput
	}
	return tool("execute", "Run a program", executeDescription, output, hints{
		readOnly: effect.ReadOnly(), destructive: effect.Destructive(), idempotent: effect.Idempotent(), openWorld: true,
	})
}

type hints struct{ readOnly, destructive, idempotent, openWorld bool }

// discovery reads a catalog that cannot change.
var discovery = hints{readOnly: true, idempotent: true}

func tool(name, title, description string, output json.RawMessage, h hints) *mcp.Tool {
	return &mcp.Tool{
		Name:         name,
		Title:        title,
		Description:  description,
		OutputSchema: output,
		Annotations: &mcp.ToolAnnotations{
			Title:           title,
			ReadOnlyHint:    h.readOnly,
			DestructiveHint: &h.destructive,
			IdempotentHint:  h.idempotent,
			OpenWorldHint:   &h.openWorld,
		},
	}
}

// An adapter turns tool calls into calls of the service.
type adapter struct {
	service  Service
	resolver InvocationResolver
	log      *slog.Logger
}

// An operation does the work of one tool for a resolved subject and returns
// the structured result.
type operation[In any] func(ctx context.Context, req *mcp.CallToolRequest, subject authz.Subject, in In) (any, error)

// addTool registers a tool. In is typed, so that the SDK refuses malformed
// arguments before the handler; Out is any and stays nil, because the SDK sends
// a typed result through float64, which rounds integers past 2^53.
func addTool[In any](server *mcp.Server, a *adapter, t *mcp.Tool, work operation[In]) {
	mcp.AddTool(server, t, func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		ctx, cancel := withRequest(ctx, req.Session)
		defer cancel()
		return a.answer(ctx, t.Name, func(subject authz.Subject) (any, error) { return work(ctx, req, subject, in) }), nil, nil
	})
}

func (a *adapter) search(_ context.Context, _ *mcp.CallToolRequest, _ authz.Subject, in searchInput) (any, error) {
	response, err := a.service.Search(in.Query)
	response.Results = notNil(response.Results)
	return response, err
}

func (a *adapter) describe(_ context.Context, _ *mcp.CallToolRequest, _ authz.Subject, in describeInput) (any, error) {
	description, err := a.service.Describe(codemode.CapabilityName(in.Name))
	description.Input = notNil(description.Input)
	description.Output = notNil(description.Output)
	return description, err
}

func (a *adapter) execute(ctx context.Context, req *mcp.CallToolRequest, subject authz.Subject, in executeInput) (any, error) {
	run := ctx
	if token := req.Params.GetProgressToken(); token != nil {
		p := startProgress(ctx, req.Session, token)
		defer p.stop(ctx)
		run = codemode.WithProgress(ctx, p.report)
	}
	value, err := a.service.Execute(run, subject, codemode.Program(in.Source))
	return executeResult{value}, err
}

type executeResult struct {
	Result any `json:"result"`
}

// notNil keeps a list of a careless service from becoming null.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// answer resolves the subject, does the work and puts its outcome into words.
// All of it happens inside the fence: errors and values of a custom service
// bring methods of their own.
func (a *adapter) answer(ctx context.Context, tool string, work func(authz.Subject) (any, error)) *mcp.CallToolResult {
	var result *mcp.CallToolResult
	if stopped := fence(func() { result = a.outcome(ctx, tool, work) }); stopped != nil {
		// What panicked may do so again when it is asked for its text.
		_ = fence(func() {
			a.log.ErrorContext(ctx, internalFailure, "tool", tool, "cause", stopped.Error(), "stack", string(stopped.stack))
		})
		return failure(internalFailure)
	}
	return result
}

var (
	errNobody   = errors.New("the resolver returned a subject without ID")
	errObserved = errors.New("see the Observer of the codemode server, which is told the cause")
)

func (a *adapter) outcome(ctx context.Context, tool string, work func(authz.Subject) (any, error)) *mcp.CallToolResult {
	subject, err := a.resolver.Resolve(ctx)
	if err != nil || subject.ID == "" {
		text, _ := failureText(codemode.ErrUnauthenticated)
		if err == nil {
			err = errNobody
		}
		a.log.WarnContext(ctx, text, "tool", tool, "cause", err)
		return failure(text)
	}
	value, err := work(subject)
	text, known := failureText(err)
	if err == nil {
		result, malformed := success(value)
		if malformed == nil {
			return result
		}
		err = malformed // Whatever it wraps, a value that is no JSON is no class.
	}
	if err == codemode.ErrInternal { // the class alone: its cause never leaves codemode
		err = errObserved
	}
	if !known {
		a.log.ErrorContext(ctx, text, "tool", tool, "subject", subject.ID, "cause", err)
	}
	return failure(text)
}

// success returns value as structured content and, byte for byte, as text.
func success(value any) (*mcp.CallToolResult, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // The text is read by models, not by browsers.
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	body := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	return &mcp.CallToolResult{
		StructuredContent: json.RawMessage(body),
		Content:           []mcp.Content{&mcp.TextContent{Text: string(body)}},
	}, nil
}
