package engine

var (
	resolveHints []hint
	runtimeHints []hint
	nameHints    map[string]string
)
