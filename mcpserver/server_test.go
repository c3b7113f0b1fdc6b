package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/codemode-go/codemode/authz"
	"github.com/codemode-go/codemode/codemode"
	"github.com/codemode-go/codemode/mcpserver"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A sliceService and a funcResolver are dependencies that can be a typed nil
// without being a pointer.
type sliceService []int

func (sliceService) Search(string) (codemode.SearchResponse, error) {
	return codemode.SearchResponse{}, nil
}
func (sliceService) Describe(codemode.CapabilityName) (codemode.Description, error) {
	return codemode.Description{}, nil
}
func (sliceService) Execute(context.Context, authz.Subject, codemode.Program) (any, error) {
	return nil, nil
}

func TestNewRejectsMissingDependencies(t *testing.T) {
	service, resolver := &fakeService{}, alice()
	for name, build := range map[string]func() (*mcp.Server, error){
		"nil service":          func() (*mcp.Server, error) { return mcpserver.New(nil, resolver) },
		"typed nil service":    func() (*mcp.Server, error) { return mcpserver.New((*fakeService)(nil), resolver) },
		"typed nil server":     func() (*mcp.Server, error) { return mcpserver.New((*codemode.Server)(nil), resolver) },
		"nil slice as service": func() (*mcp.Server, error) { return mcpserver.New(sliceService(nil), resolver) },
		"nil resolver":         func() (*mcp.Server, error) { return mcpserver.New(service, nil) },
		"typed nil resolver":   func() (*mcp.Server, error) { return mcpserver.New(service, (*brokenResolver)(nil)) },
		"nil func as resolver": func() (*mcp.Server, error) { return mcpserver.New(service, resolverFunc(nil)) },
		"more than one Options": func() (*mcp.Server, error) {
			return mcpserver.New(service, resolver, mcpserver.Options{}, mcpserver.Options{})
		},
		"both dependencies nil":   func() (*mcp.Server, error) { return mcpserver.New(nil, nil) },
		"nil server, no resolver": func() (*mcp.Server, error) { return mcpserver.New((*codemode.Server)(nil), nil) },
	} {
		t.Run(name, func(t *testing.T) {
			server, err := build()
			if server != nil || !errors.Is(err, codemode.ErrInvalidRegistration) {
				t.Errorf("got %v, %v, want ErrInvalidRegistration", server, err)
			}
		})
	}
}

type brokenResolver struct{}

func (*brokenResolver) Resolve(context.Context) (authz.Subject, error) { panic("resolver: secret") }

func TestServerAdvertisesToolsAlone(t *testing.T) {
	w := dial(t, newServer(t, &fakeService{}))
	var got struct {
		Result struct{ Capabilities json.RawMessage }
	}
	if err := json.Unmarshal(w.initialize("2025-11-25"), &got); err != nil {
		t.Fatal(err)
	}
	if string(got.Result.Capabilities) != `{"tools":{}}` {
		t.Errorf("got capabilities %s, want tools alone, without listChanged", got.Result.Capabilities)
	}
}

func TestExactlyThreeTools(t *testing.T) {
	var names []string
	for _, tool := range listTools(t, newServer(t, &fakeService{})) {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	if want := []string{"describe_api", "execute", "search_api"}; !slices.Equal(names, want) {
		t.Errorf("got tools %q, want %q", names, want)
	}
}

func listTools(t testing.TB, server *mcp.Server) []*mcp.Tool {
	t.Helper()
	list, err := connect(t, server, nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return list.Tools
}

func TestOptionsIdentifyTheServer(t *testing.T) {
	for _, test := range []struct {
		name                 string
		options              []mcpserver.Options
		wantName, wantTitle  string
		version, instruction string // "" asks for any
	}{
		{name: "two arguments", wantName: "codemode"},
		{name: "zero options", options: []mcpserver.Options{{}}, wantName: "codemode"},
		{
			name:     "all options",
			options:  []mcpserver.Options{{Name: "acme", Title: "Acme", Version: "v7.1.0", Instructions: " Acme's records.\n"}},
			wantName: "acme", wantTitle: "Acme", version: "v7.1.0", instruction: "Acme's records.\n\nMany APIs behind three tools:",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := connect(t, newServer(t, &fakeService{}, test.options...), nil).InitializeResult()
			if got.ServerInfo.Name != test.wantName || got.ServerInfo.Title != test.wantTitle {
				t.Errorf("got %q, %q, want %q, %q", got.ServerInfo.Name, got.ServerInfo.Title, test.wantName, test.wantTitle)
			}
			if got.ServerInfo.Version == "" || test.version != "" && got.ServerInfo.Version != test.version {
				t.Errorf("got version %q, want %q", got.ServerInfo.Version, test.version)
			}
			if !strings.HasPrefix(got.Instructions, test.instruction) || !strings.Contains(got.Instructions, "search_api") {
				t.Errorf("got instructions %q, want the host's text and the guide", got.Instructions)
			}
		})
	}
}

func TestAnnotations(t *testing.T) {
	type hints struct{ readOnly, destructive, idempotent, openWorld bool }
	discovery := hints{readOnly: true, idempotent: true}
	anything := hints{destructive: true, openWorld: true}
	effect := func(e codemode.Effect) mcpserver.Service {
		return withInfo{&fakeService{}, codemode.Info{Effect: e}}
	}
	for _, test := range []struct {
		name    string
		service mcpserver.Service
		execute hints
	}{
		{"a service without Info may do anything", &fakeService{}, anything},
		{"unknown may do anything", effect(codemode.EffectUnknown), anything},
		{"read-only", effect(codemode.EffectReadOnly), hints{readOnly: true, idempotent: true, openWorld: true}},
		{"additive", effect(codemode.EffectAdditive), hints{openWorld: true}},
		{"additive, idempotent", effect(codemode.EffectAdditive | codemode.EffectIdempotent), hints{idempotent: true, openWorld: true}},
		{"destructive", effect(codemode.EffectDestructive), anything},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := map[string]hints{"search_api": discovery, "describe_api": discovery, "execute": test.execute}
			for _, tool := range listTools(t, newServer(t, test.service)) {
				a := tool.Annotations
				if tool.Title == "" || a.Title != tool.Title {
					t.Errorf("%s: got titles %q and %q, want the same one", tool.Name, tool.Title, a.Title)
				}
				got := hints{a.ReadOnlyHint, *a.DestructiveHint, a.IdempotentHint, *a.OpenWorldHint}
				if got != want[tool.Name] {
					t.Errorf("%s: got %+v, want %+v", tool.Name, got, want[tool.Name])
				}
			}
		})
	}
}
