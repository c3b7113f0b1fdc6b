package policy

import (
	"fmt"
	"net/url"

	"github.com/open-policy-agent/opa/v1/ast"
)

// checkSchemas refuses a schema in metadata that refers to a local file. An empty
// AllowNet makes OPA refuse remote references; its loader still opens files,
// and a policy given in memory has no business with the host's disk.
func checkSchemas(annotations *ast.Annotations) error {
	for _, schema := range annotations.Schemas {
		if schema.Definition == nil {
			continue
		}
		if ref, found := fileReference(*schema.Definition); found {
			return fmt.Errorf("rego: %v: schema of %v refers to %q: file reference loading disabled",
				annotations.Location, schema.Path, ref)
		}
	}
	return nil
}

// fileReference returns the first $ref, $id or id in a schema that names a file.
// The identifiers count because a relative $ref is resolved against them.
func fileReference(schema any) (string, bool) {
	switch schema := schema.(type) {
	case []any:
		for _, element := range schema {
			if ref, found := fileReference(element); found {
				return ref, true
			}
		}
	case map[string]any:
		for key, value := range schema {
			if text, ok := value.(string); ok && (key == "$ref" || key == "$id" || key == "id") {
				// url.Parse folds the scheme's case, as OPA's loader does.
				if u, err := url.Parse(text); err == nil && u.Scheme == "file" {
					return text, true
				}
			}
			if ref, found := fileReference(value); found {
				return ref, true
			}
		}
	}
	return "", false
}
