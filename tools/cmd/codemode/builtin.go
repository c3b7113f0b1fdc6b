package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/codemode-go/codemode/rego"
	"github.com/codemode-go/codemode/tools/githost"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
)

// hostFlags configure the built-in server.
type hostFlags struct {
	git         string
	allowWrites bool
	relaxed     bool
	maxCalls    uint64
	timeout     time.Duration
	policies    []string
	decision    string
	subject     string
	log         logFlags

	// anywhere is for a command that asks about the machine: outside of a
	// repository, and with none named, its server offers nothing.
	anywhere bool
}

func (f *hostFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.git, "git", ".", "serve the git repository of this `directory`")
	flags.BoolVar(&f.allowWrites, "allow-writes", false, "also offer what changes the repository")
	flags.BoolVar(&f.relaxed, "relaxed-search", false, "search finds what matches any word, best first")
	flags.Uint64Var(&f.maxCalls, "max-calls", 1000, "largest `number` of calls that one program may make")
	flags.DurationVar(&f.timeout, "timeout", 30*time.Second, "longest `duration` that one program may run")
	flags.StringArrayVar(&f.policies, "policy", nil, "decide on every call by this Rego `file` (repeatable)")
	flags.StringVar(&f.decision, "decision", "data.codemode.authz.allow", "the Boolean `reference` in the policy that allows a call")
	flags.StringVar(&f.subject, "subject", "local", "the `ID` on whose behalf programs run")
	f.log.add(cmd)
	must(cmd.MarkFlagDirname("git"))
	must(cmd.MarkFlagFilename("policy", "rego"))
}

// A builtin is the built-in server.
type builtin struct {
	host     *githost.Host // nil for none; see hostFlags.anywhere
	service  *codemode.Server
	logger   *slog.Logger
	subject  authz.Subject
	resolver mcpserver.InvocationResolver
}

// open builds the server. Programs run as the --subject.
func (f *hostFlags) open(cmd *cobra.Command) (*builtin, error) {
	logger, err := f.log.logger(cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	switch {
	case f.subject == "":
		return nil, usagef("--subject must not be empty")
	case f.maxCalls == 0:
		return nil, usagef("--max-calls: got 0, want at least 1")
	case f.timeout <= 0:
		return nil, usagef("--timeout: got %s, want more than 0", f.timeout)
	}
	authorizer, err := f.authorizer(cmd.Context(), cmd.Flags().Changed("decision"))
	if err != nil {
		return nil, err
	}
	host, err := githost.Open(f.git)
	nowhere := f.anywhere && errors.Is(err, githost.ErrNoRepository) && !cmd.Flags().Changed("git")
	if err != nil && !nowhere {
		return nil, fail(fmt.Errorf("%w (--git names the repository)", err))
	}
	builder := codemode.New(codemode.Options{
		Authorizer:    authorizer,
		ReadOnly:      !f.allowWrites,
		RelaxedSearch: f.relaxed,
		Limits:        f.limits(),
		Observer:      codemode.NewSlogObserver(logger, codemode.SlogOptions{}),
	})
	if host != nil {
		host.Register(builder)
	}
	service, err := builder.Build()
	if err != nil {
		return nil, fail(errors.Join(err, closeHost(host)))
	}
	subject := authz.Subject{ID: authz.SubjectID(f.subject)}
	return &builtin{host, service, logger, subject, mcpserver.StaticSubject(subject)}, nil
}

// limits are the defaults, those on the work of a program in proportion to the
// number of calls: a program that may make ten times the calls gets ten times as
// much to work on.
func (f *hostFlags) limits() codemode.Limits {
	limits := codemode.DefaultLimits()
	factor := max(1, (f.maxCalls+limits.MaxNativeCalls-1)/limits.MaxNativeCalls)
	factor = min(factor, 100)
	limits.MaxExecutionSteps *= factor
	limits.MaxIntermediateValueBytes *= int(factor)
	limits.MaxNativeCalls = f.maxCalls
	limits.MaxExecutionTime = f.timeout
	return limits
}

func (f *hostFlags) authorizer(ctx context.Context, decisionGiven bool) (authz.Authorizer, error) {
	if len(f.policies) == 0 {
		if decisionGiven {
			return nil, usagef("--decision needs a --policy")
		}
		return authz.AllowAll(), nil
	}
	modules := map[string]string{}
	for _, file := range f.policies {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, fail(err)
		}
		modules[file] = string(source)
	}
	authorizer, err := rego.New(ctx, f.decision, modules)
	if err != nil {
		return nil, fail(fmt.Errorf("policy: %w", err))
	}
	return authorizer, nil
}

// mcp returns the server as an MCP server.
func (b *builtin) mcp() (*mcp.Server, error) {
	return mcpserver.New(b.service, b.resolver, mcpserver.Options{
		Name:    "codemode-git",
		Title:   "Git history",
		Version: version(),
		Instructions: fmt.Sprintf("Answers questions about one git repository: its commits, authors, files, branches and tags. "+
			"A program may make %d calls and run for %v.", b.service.Limits().MaxNativeCalls, b.service.Limits().MaxExecutionTime),
		Logger: b.logger,
		// Clients of all kinds connect to this one.
		PortableSchemas: true,
	})
}

// Close ends running programs.
func (b *builtin) Close() error { return errors.Join(b.service.Close(), closeHost(b.host)) }

func closeHost(host *githost.Host) error {
	if host == nil {
		return nil
	}
	return host.Close()
}

// repository says where the served history is, "none" where there is none.
func (b *builtin) repository() string {
	if b.host == nil {
		return "none"
	}
	return b.host.Dir()
}

// must is for what can only fail by a mistake in this command.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
