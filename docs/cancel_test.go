package docs_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A host without sessions hears of a client that went away only by the end of
// the request, so what readers copy must pass that on, for clients of every
// protocol revision.
func TestHostsWithoutSessionsCancelWithTheRequest(t *testing.T) {
	hosts := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" && filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte("mcp.StreamableHTTPOptions{\n\t\tStateless: ")) {
			return err
		}
		hosts++
		if !bytes.Contains(text, []byte("mcpserver.CancelWithRequest(")) {
			t.Errorf("%s: a host without sessions has no mcpserver.CancelWithRequest", path)
		}
		return nil
	})
	if err != nil || hosts < 2 {
		t.Errorf("read %d hosts, %v, want the tutorial's and the example's", hosts, err)
	}
}
