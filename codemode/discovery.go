package codemode

// A SearchResponse is what [Server.Search] returns.
type SearchResponse struct {
	// Results is the best-ranked prefix of what matched; never nil.
	Results []SearchResult `json:"results"`
	// Truncated reports that a bound left out at least one match.
	Truncated bool `json:"truncated"`
}

// A SearchResult is one enabled capability that matched.
type SearchResult struct {
	Name      string `json:"name"`
	Signature string `json:"signature"`
	Summary   string `json:"summary"`
}

// A Description is all that discovery tells of one capability.
type Description struct {
	Name        string       `json:"name"`
	Signature   string       `json:"signature"`
	Summary     string       `json:"summary"`
	Description string       `json:"description"`
	Input       []FieldShape `json:"input"`
	Output      []FieldShape `json:"output"`
}

// A FieldShape is one field of an input or output, in declaration order.
type FieldShape struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Required bool   `json:"required"`
}
