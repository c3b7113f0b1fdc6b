package codemode_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/codemode-go/codemode/codemode"
)

// TestDescribeIsExact: no trimming, no case folding, no search, no ID.
func TestDescribeIsExact(t *testing.T) {
	server := start(t, codemode.Options{DisabledCapabilities: []codemode.CapabilityID{"x.off"}},
		registering(func(c *sample) { c.ID, c.Name = "stable.id", "Records.lookUp" }), named("x.off"))
	d, err := server.Describe("Records.lookUp")
	if err != nil || d.Name != "Records.lookUp" {
		t.Errorf("got %+v, %v", d, err)
	}
	for _, name := range []codemode.CapabilityName{
		"", " ", "records.lookup", "Records.lookup", "RECORDS.LOOKUP", " Records.lookUp", "Records.lookUp ", "Records.lookUp\n", "Records.look", "Records", "Records.", "lookUp", "Records.lookUp.more", "stable.id", "x.off", "x", "sum", "json.decode",
		codemode.CapabilityName(strings.Repeat("x", 1<<20)), "\xff",
	} {
		d, err := server.Describe(name)
		wantClass(t, err, codemode.ErrNotFound)
		if err != codemode.ErrNotFound || d.Name != "" || d.Input != nil || d.Output != nil {
			t.Errorf("%.20q: got %+v, %v", name, d, err)
		}
	}
}

// TestDescriptionShapes: JSON names, order of declaration, arrays that are
// never null, the two exact forms of signatures.
func TestDescriptionShapes(t *testing.T) {
	type ordered struct {
		Z string   `json:"z"`
		A *float64 `json:"a"`
		M bool     `json:"m"`
		B int64    `json:"b"`
	}
	server := start(t, codemode.Options{},
		offer("records.lookup", func(context.Context, lookupInput) (lookupOutput, error) { return lookupOutput{}, nil }),
		offer("records.status", func(context.Context, empty) (empty, error) { return empty{}, nil }),
		offer("records.search", func(context.Context, searchInput) (searchOutput, error) { return searchOutput{}, nil }),
		offer("deep.er.name", func(context.Context, ordered) (ordered, error) { return ordered{}, nil }))
	for name, want := range map[codemode.CapabilityName]string{
		"records.lookup": `{"name":"records.lookup","signature":"records.lookup(*, key: str, limit: int | None)","summary":"Does records.lookup.","description":"Does records.lookup.",` +
			`"input":[{"name":"key","type":"str","required":true},{"name":"limit","type":"int | None","required":false}],"output":[{"name":"key","type":"str","required":true},{"name":"count","type":"int","required":true}]}`,
		"records.status": `{"name":"records.status","signature":"records.status()","summary":"Does records.status.","description":"Does records.status.","input":[],"output":[]}`,
		"records.search": `{"name":"records.search","signature":"records.search(*, count: int, active: bool, score: float, label: str | None)","summary":"Does records.search.","description":"Does records.search.",` +
			`"input":[{"name":"count","type":"int","required":true},{"name":"active","type":"bool","required":true},{"name":"score","type":"float","required":true},{"name":"label","type":"str | None","required":false}],` +
			`"output":[{"name":"items","type":"list[{id: str, active: bool, score: float}]","required":true}]}`,
		"deep.er.name": `{"name":"deep.er.name","signature":"deep.er.name(*, z: str, a: float | None, m: bool, b: int)","summary":"Does deep.er.name.","description":"Does deep.er.name.",` +
			`"input":[{"name":"z","type":"str","required":true},{"name":"a","type":"float | None","required":false},{"name":"m","type":"bool","required":true},{"name":"b","type":"int","required":true}],` +
			`"output":[{"name":"z","type":"str","required":true},{"name":"a","type":"float | None","required":true},{"name":"m","type":"bool","required":true},{"name":"b","type":"int","required":true}]}`,
	} {
		d, err := server.Describe(name)
		wantClass(t, err, nil)
		if got := asJSON(t, d); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		response, err := server.Search(string(name))
		if err != nil || len(response.Results) == 0 || response.Results[0] != (codemode.SearchResult{Name: d.Name, Signature: d.Signature, Summary: d.Summary}) {
			t.Errorf("search says %+v, %v of what describe says %+v", response, err, d)
		}
		if strings.Contains(d.Signature, "->") || !strings.HasSuffix(d.Signature, ")") {
			t.Errorf("got %q", d.Signature)
		}
	}
}

// TestDiscoveryIsConcurrent: a server is immutable.
func TestDiscoveryIsConcurrent(t *testing.T) {
	w := newWorld(t, codemode.Options{})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				response, err := w.Search("records")
				if err != nil || len(response.Results) == 0 {
					t.Errorf("got %v, %v", response, err)
					return
				}
				response.Results[0].Summary = "mine"
				d, err := w.Describe(codemode.CapabilityName(response.Results[0].Name))
				if err != nil || d.Summary == "mine" {
					t.Errorf("got %v, %v", d, err)
					return
				}
				for i := range d.Input {
					d.Input[i].Name = "mine"
				}
			}
		})
	}
	group.Wait()
}
